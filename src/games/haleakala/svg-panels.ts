import type { Scene } from '../game.ts';
import { at, el, group, nameOf, shorten, target, text } from '../svg.ts';
import { type BoardCard, KEPT, LAVA_DISCS, NAMES, STATUES } from './data.ts';
import {
  bold,
  butterfly,
  FAINT,
  flame,
  INK,
  icon,
  LAST,
  LAVA,
  left,
  muted,
  PAPER,
  paintOf,
  right,
  seatBadge,
} from './icons.ts';
import { DISC_NUMBERS } from './svg-island.ts';
import { deck, disc, missingDisc, missingSummon, SHORT, smallStatue, summonDisc } from './svg-pieces.ts';
import { discTarget, summonTarget } from './targets.ts';
import type { View } from './view.ts';

export const box = (width: number, height: number, attributes = {}) =>
  el('rect', { width, height, rx: 10, fill: PAPER, stroke: '#d8cbb2', 'stroke-width': 1.4, ...attributes });

export const PANEL_HEIGHT = 250;
/** Narrower panels show less, so that their text stays large enough to read. */
const ROOMY = 300;

/** Everything in front of one seat. */
export function seatPanel(view: View, scene: Scene, seat: number, width: number): string {
  const { score, butterflies, scoringCards } = view.seats[seat]!;
  const acts = scene.result === null && view.actor === seat;
  const ranks = scene.result?.ranks ?? view.ranks;
  const tags = [
    view.you === seat ? 'you' : '',
    view.startSeat === seat ? 'first player' : '',
    acts && width >= ROOMY ? 'to decide' : '',
    ranks?.[seat] === 1 ? 'winner' : '',
  ].filter(Boolean);
  const rim = acts || ranks?.[seat] === 1 ? { stroke: paintOf(seat).colour, 'stroke-width': 4 } : {};
  return [
    box(width, PANEL_HEIGHT, rim),
    at(26, 28, seatBadge(seat, 15)),
    text(50, 26, 16, shorten(nameOf(scene, seat), width - 78 - 21 * `${score}`.length, 17.5), { ...left, ...bold }),
    text(50, 44, 12, tags.join(' · '), { ...left, ...muted }),
    text(width - 14, 32, 28, score, { ...right, ...bold }),
    at(0, 78, discSlots(view, scene, seat, width)),
    at(0, 144, statueRow(view.seats[seat]!.statuesLeft, seat, butterflies, width)),
    at(0, 184, keptRow(view, seat, width)),
    at(14, 240, boughtList(scoringCards, view, seat, width - 28)),
  ].join('');
}

/**
 * The five discs, each in the pool or on the beach that is named below it, and the summon disc of the tactical game.
 * They are clicked here wherever they are, because on a beach they would be too small for a thumb and cover the beach.
 */
function discSlots(view: View, scene: Scene, seat: number, width: number): string {
  const { pool, summon } = view.seats[seat]!;
  const { letter } = paintOf(seat);
  const step = (width - 20) / 6;
  const slots = DISC_NUMBERS.map((number, i) => {
    const inPool = pool.includes(number);
    const beach = view.segments.findIndex(({ discs }) => discs[seat]!.includes(number));
    const piece = inPool
      ? group({ id: `p-disc-${letter}${number}` }, disc(seat, number, 17))
      : missingDisc(seat, number, 17);
    const where = text(0, 33, 12, inPool ? 'pool' : beachCaption(beach, width), muted);
    const place = `disc ${number} of ${letter}, ${inPool ? 'in the pool' : `on beach ${beach}`}`;
    const name = discTarget(seat, number);
    const content = [hitArea(step), piece, where, marked(scene, name)];
    return at(10 + step * (i + 0.5), 0, target(name, place, {}, ...content));
  });
  if (summon === 'box') return slots.join('');
  const beach = view.segments.findIndex(({ summons }) => summons[seat]);
  const there = summon === 'pool';
  const content = [
    hitArea(step),
    there ? group({ id: `p-summon-${letter}` }, summonDisc(seat, 17)) : missingSummon(seat, 17),
    text(0, 33, 12, there ? (width >= ROOMY ? 'summon' : 'pool') : beachCaption(beach, width), muted),
    marked(scene, summonTarget(seat)),
  ];
  const title = `summon disc of ${letter}, ${there ? 'in the pool' : `on beach ${beach}`}`;
  return [...slots, at(10 + step * 5.5, 0, target(summonTarget(seat), title, {}, ...content))].join('');
}

const beachCaption = (beach: number, width: number): string => `${width >= ROOMY ? 'beach' : 'at'} ${beach}`;

/** An invisible area, so that a thumb hits the disc. */
const hitArea = (step: number): string =>
  el('rect', { x: -step / 2 + 1, y: -20, width: step - 2, height: 58, fill: 'none', 'pointer-events': 'all' });

const marked = (scene: Scene, name: string): string =>
  scene.last?.targets.includes(name)
    ? el('circle', { r: 20, fill: 'none', stroke: LAST, 'stroke-width': 3, 'pointer-events': 'none' })
    : '';

function statueRow(count: number, seat: number, butterflies: number, width: number): string {
  const step = width >= ROOMY ? 18 : 14;
  const figures = Array.from({ length: STATUES }, (_, i) =>
    at(22 + step * i, 0, group({ transform: 'scale(0.72)' }, smallStatue(seat, i < count))),
  );
  return [
    ...figures,
    text(28 + step * STATUES, 5, 13, `${count} left`, left),
    at(width - 46, 0, group({ transform: 'scale(1.3)' }, butterfly())),
    text(width - 14, 5, 15, butterflies, { ...right, ...bold }),
  ].join('');
}

/** Kept cards by kind. Kinds of which there are none are faint. */
function keptRow(view: View, seat: number, width: number): string {
  const { kept } = view.seats[seat]!;
  const step = (width - 16) / KEPT.length;
  return KEPT.map((kind, i) =>
    at(
      8 + step * (i + 0.5),
      0,
      group({ opacity: kept[kind] > 0 ? 1 : 0.3, transform: 'translate(-9 0) scale(0.74)' }, icon(kind)),
      text(15, 6, 16, kept[kind], kept[kind] > 0 ? bold : muted),
      text(0, 27, 12, SHORT[kind], muted),
    ),
  ).join('');
}

/** Five names fit in one line only if they are short, so this list is cut rather than wrapped. */
const BOUGHT: Record<BoardCard, string> = {
  priestess: 'priestess',
  butterflies: 'butterflies',
  superiority: 'superiority',
  finishedSegment: 'segments',
  forestStatues: 'forest +2',
  mountainStatues: 'mountain +3',
};

function boughtList(cards: BoardCard[], view: View, seat: number, width: number): string {
  const waiting = view.pending.find((one) => one.seat === seat);
  const words = [...cards.map((card) => BOUGHT[card]), ...(waiting ? [`next: ${NAMES[waiting.card]}`] : [])];
  if (words.length === 0) return text(0, 0, 12, 'no scoring cards', { ...left, ...muted });
  return text(0, 0, 12, shorten(words.join(' · '), width, 11.4), { ...left, ...bold });
}

/** Decks and lava discs still to come. */
export function supplies(view: View): string {
  const discs = Array.from({ length: LAVA_DISCS }, (_, i) => {
    const there = i < view.lavaLeft;
    return at(
      222 + 27 * i,
      22,
      el('circle', {
        r: 12,
        fill: there ? LAVA : 'none',
        stroke: there ? INK : FAINT,
        'stroke-dasharray': there ? undefined : '3 3',
      }),
      there ? flame(0.9) : '',
    );
  });
  return [
    ...view.decks.map(({ left: count }, i) => at(32 + 62 * i, 34, deck(i + 1, count))),
    ...discs,
    text(210, 58, 12, `${view.lavaLeft} lava disc${view.lavaLeft === 1 ? '' : 's'} left`, {
      ...left,
      ...muted,
    }),
  ].join('');
}
