import type { Scene } from '../game.ts';
import { at, el, group, nameOf, shorten, target, text } from '../svg.ts';
import { BOARD_CARDS, type BoardCard, NAMES, POINTS } from './data.ts';
import { bold, flame, left, muted, seatBadge, shell } from './icons.ts';
import { outline } from './svg-island.ts';
import { box } from './svg-panels.ts';
import { boardTarget } from './targets.ts';
import type { View } from './view.ts';

const EFFECTS: Record<BoardCard, [string, string]> = {
  priestess: ['moves a lava disc', 'at once, once a round'],
  butterflies: ['1 for each butterfly', 'on own cards'],
  superiority: ['2 for each terrain', 'with more statues'],
  finishedSegment: ['4 for each segment', 'with 3 own statues'],
  forestStatues: ['2 more for each', 'own forest statue'],
  mountainStatues: ['3 more for each', 'own mountain statue'],
};

const CARD_HEIGHT = 84;
const GAP = 8;

export const scoringBoardHeight = (columns: number): number =>
  Math.ceil(BOARD_CARDS.length / columns) * (CARD_HEIGHT + GAP) - GAP;

/** Cards for sale with their price. Who has bought a card is marked on its place. */
export function scoringBoard(view: View, scene: Scene, width: number, columns: number): string {
  const step = (width + GAP) / columns;
  return view.board
    .map((one, i) =>
      at((i % columns) * step, Math.floor(i / columns) * (CARD_HEIGHT + GAP), boardCard(one, scene, step - GAP)),
    )
    .join('');
}

function boardCard({ card, price, owner }: View['board'][number], scene: Scene, width: number): string {
  const down = owner !== null && card === 'priestess';
  const name = boardTarget(card);
  const shells = Array.from({ length: price }, (_, n) =>
    group({ transform: `translate(${22 + 24 * n} 67) scale(0.6)` }, shell()),
  );
  const foot =
    owner === null
      ? shells
      : [text(10, 71, 12, down ? 'face down: used by' : 'bought by', left), at(width - 22, 67, seatBadge(owner, 11))];
  const title =
    owner === null ? `${NAMES[card]} for ${price} shell${price === 1 ? '' : 's'}` : `${NAMES[card]}, bought`;
  return target(
    name,
    title,
    { desc: EFFECTS[card].join(' ') },
    box(width, CARD_HEIGHT, owner === null ? {} : { fill: down ? '#d9cdb6' : '#eee6d6', 'stroke-dasharray': '5 4' }),
    text(10, 19, 13, NAMES[card], { ...left, ...bold }),
    text(10, 35, 12, EFFECTS[card][0], left),
    text(10, 49, 12, EFFECTS[card][1], left),
    ...foot,
    ...(owner === null && card === 'priestess' ? [at(width - 20, 65, flame(1.1))] : []),
    scene.last?.targets.includes(name) ? at(width / 2, CARD_HEIGHT / 2, outline(width, CARD_HEIGHT)) : '',
  );
}

type PartName = Exclude<keyof View['scorings'][number]['parts'][number], 'total'>;
const ROWS: readonly [PartName, string, string][] = [
  ['mountain', 'statues on mountains', `${POINTS.mountain} each`],
  ['forest', 'statues in forests', `${POINTS.forest} each`],
  ['land', 'statues on land', `${POINTS.land} each`],
  ['baskets', 'more fish baskets', `${POINTS.baskets}`],
  ['pearls', 'white, black pearl, pair', '1, 2, 4'],
  ['nautilus', 'nautilus', `${POINTS.nautilus} each`],
  ['shells', 'shells left', `${POINTS.shell} each`],
  ['butterflies', 'card: butterflies', `${POINTS.butterfly} each`],
  ['superiority', 'card: superiority', `${POINTS.superiority} each`],
  ['finishedSegment', 'card: finished segment', `${POINTS.finishedSegment} each`],
  ['forestStatues', 'card: forest statues', `${POINTS.forestStatue} each`],
  ['mountainStatues', 'card: mountain statues', `${POINTS.mountainStatue} each`],
];

const LINE = 17;
const HEAD = 54;
export const SHEET_HEIGHT = HEAD + (ROWS.length + 3) * LINE + 30;

/** The points of both scorings, part by part. Before the first one it says what will count. */
export function scoreSheet(view: View, scene: Scene, width: number): string {
  const columnAt = (i: number) => width - 28 - (3 - i) * 42 - (i < 2 ? 10 : 0);
  const scorings = [1, 2].map((round) => view.scorings.find((scoring, i) => (scoring.round ?? i + 1) === round));
  const columns = [0, 1, 2, 3].map((i) => ({ x: columnAt(i), scoring: scorings[i >> 1], seat: i & 1 }));
  const lines = ROWS.map(([part, name, each], row) => {
    const y = HEAD + LINE * (row + 1);
    const cells = columns.flatMap(({ x, scoring, seat }) => {
      const points = scoring?.parts[seat]?.[part];
      return scoring ? [text(x, y, 13, points ?? '–', points ? bold : muted)] : [];
    });
    return [
      row % 2 === 0 ? el('rect', { x: 6, y: y - 13, width: width - 12, height: LINE, fill: '#f1e8d4' }) : '',
      text(12, y, 12, name, left),
      text(columnAt(0) - 24, y, 12, each, { 'text-anchor': 'end', ...muted }),
      ...cells,
    ].join('');
  });
  const row = (i: number) => HEAD + LINE * (ROWS.length + i) + 3 + 4 * i;
  return [
    box(width, SHEET_HEIGHT),
    text(12, 22, 15, 'Score sheet', { ...left, ...bold }),
    ...columns.map(({ x, seat }) => at(x, 40, seatBadge(seat, 10.5))),
    ...['first', 'second'].map((name, i) => text((columnAt(2 * i) + columnAt(2 * i + 1)) / 2, 22, 12, name, bold)),
    ...lines,
    text(12, row(1), 12, 'statues lost in the eruption', { ...left, ...muted }),
    ...columns.flatMap(({ x, scoring, seat }) => (scoring ? [text(x, row(1), 12, scoring.lost[seat]!, muted)] : [])),
    text(12, row(2), 14, 'points of the scoring', { ...left, ...bold }),
    ...columns.flatMap(({ x, scoring, seat }) =>
      scoring ? [text(x, row(2), 15, scoring.parts[seat]!.total, bold)] : [],
    ),
    totals(view, scene, width, row(3) + 6),
  ].join('');
}

/** Both seats by name with all their points. */
function totals(view: View, scene: Scene, width: number, y: number): string {
  const ranks = scene.result?.ranks ?? view.ranks;
  const half = width / 2 - 8;
  return [0, 1]
    .map((seat) => {
      const name = shorten(nameOf(scene, seat), half - 96, 14);
      const words = `${name}${ranks?.[seat] === 1 ? ' ★' : ''}`;
      return at(
        10 + seat * half,
        0,
        at(11, y - 5, seatBadge(seat, 10.5)),
        text(27, y, 13, words, { ...left, ...bold }),
        text(half - 8, y, 16, view.seats[seat]!.score, { 'text-anchor': 'end', ...bold }),
      );
    })
    .join('');
}
