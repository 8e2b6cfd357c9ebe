import { el, picture, SEATS, text } from '../svg.ts';
import { bold, ICON_SYMBOLS, INK, left } from './icons.ts';
import { amounts, tileName } from './labels.ts';
import { chiefMark, MARK_SYMBOLS } from './marks.ts';
import { BEACH_HEIGHT, beach } from './svg-beach.ts';
import { indicator, legend, MAP_HEIGHT, MAP_WIDTH, map } from './svg-map.ts';
import { REALM_HEIGHT, REALM_SYMBOLS, REALM_WIDTH, realm } from './svg-realm.ts';
import type { View } from './view.ts';

const WIDTH = 1000;
const MARGIN = 12;
const TOP = 62;
const BESIDE = 22 + MAP_WIDTH + 22;

/** What is the same in every picture is drawn once. */
const DEFINITIONS = el('defs', {}, ...ICON_SYMBOLS, ...MARK_SYMBOLS, ...REALM_SYMBOLS);
const LEGEND = legend(BESIDE, TOP + 108, WIDTH - BESIDE - MARGIN, MAP_HEIGHT - 94);

export function svg(view: View): string {
  const beachY = TOP + MAP_HEIGHT + 24;
  const realmsY = beachY + BEACH_HEIGHT + MARGIN;
  const rows = Math.ceil(view.seats.length / 2);
  const realms = view.seats.map((seat, i) => {
    const isAlone = i % 2 === 0 && i === view.seats.length - 1;
    const x = isAlone ? (WIDTH - REALM_WIDTH) / 2 : MARGIN + (i % 2) * (REALM_WIDTH + MARGIN);
    return realm(seat, view, x, realmsY + Math.floor(i / 2) * (REALM_HEIGHT + MARGIN));
  });
  return picture(
    WIDTH,
    realmsY + rows * (REALM_HEIGHT + MARGIN),
    `Hawaii, round ${view.round} of ${view.rounds}`,
    DEFINITIONS,
    heading(view),
    map(view, 22, TOP),
    indicator(view, BESIDE, TOP - 10, WIDTH - BESIDE - MARGIN),
    LEGEND,
    beach(view, MARGIN, beachY, WIDTH - 2 * MARGIN),
    ...realms,
  );
}

function heading(view: View): string {
  const title = text(22, 32, 24, 'Hawaii', { ...left, ...bold });
  const round = text(128, 32, 15, `round ${view.round} of ${view.rounds}`, left);
  const rule = el('path', { d: `M22 42H${WIDTH - 22}`, stroke: '#cdb277', 'stroke-width': 1.2 });
  const seats = toAct(view);
  const marks = seats.map((seat, i) => chiefMark(seat, 330 + i * 26, 26, 11));
  return [
    title,
    round,
    rule,
    ...marks,
    text(330 + seats.length * 26, 32, 15, status(view), { ...left, fill: INK }),
  ].join('');
}

const toAct = (view: View): number[] =>
  view.result
    ? view.seats.filter(({ seat }) => view.result?.ranks[seat] === 1).map(({ seat }) => seat)
    : view.turn
      ? [view.turn.seat]
      : view.seats.filter(({ incomeDue }) => incomeDue > 0).map(({ seat }) => seat);

/** What the table waits for. */
function status(view: View): string {
  const { step, turn } = view;
  if (step === 'over') return toAct(view).length > 1 ? 'share the victory' : 'wins';
  if (turn === null) return 'to choose what irrigation gives';
  const owed = turn.owed
    ? `to pay ${amounts({ shells: 0, feet: 0, fruit: 0, [turn.owed.currency]: turn.owed.amount })}`
    : '';
  const tile = turn.tile ? tileName(turn.tile.tile, turn.tile.side) : '';
  const words: Partial<Record<View['step'], string>> = {
    payWalk: `${owed} for the walk`,
    payTile: `${owed} for ${tile}`,
    payBoats: owed,
    buy: `to buy at ${view.seats[turn.seat]!.chief}`,
    build: `to place ${tile}`,
    kane: 'to answer the offer of Kane',
    catch: 'to choose a catch',
    load: `to choose boats for dock ${turn.dock}`,
    gift: 'to choose a fruit tile',
  };
  return words[step] ?? `${SEATS[turn.seat]!.name} has the turn`;
}
