import { at, el, group, SEATS, seatMark, text } from '../svg.ts';
import {
  builtBridges,
  closedLinks,
  DONE,
  flags,
  freshBridges,
  GRASS,
  INK,
  line,
  openLinks,
  panel,
  SAND,
  SOFT,
} from './svg-sheet.ts';
import type { View } from './view.ts';

/** The boxes beside the sheets: card, cards, bonuses, legend. All have the same width. */
export const BOX = 306;
export const BOX_HEIGHT = 142;

const start = { 'text-anchor': 'start' };
const bold = { 'font-weight': 'bold' };
const heading = (words: string): string => text(16, 25, 15, words, { ...start, ...bold, fill: INK });

const box = (height: number, ...children: string[]): string => group({}, panel(BOX, height), ...children);

/** As many short bridges as a card shows, one above the other, centred on (x, y). */
const planks = (x: number, y: number, count: number, length: number, gap: number): string => {
  const levels = Array.from({ length: count }, (_, i) => y + (i - (count - 1) / 2) * gap);
  return builtBridges(levels.map((level) => line(x - length / 2, level, x + length / 2, level)).join(''), gap * 0.5);
};

const cardFace = (number: number, bridges: number): string =>
  group(
    {},
    el('rect', { width: 88, height: 122, rx: 9, fill: '#ffffff', stroke: INK, 'stroke-width': 2 }),
    text(44, 62, 54, number, { ...bold, fill: INK }),
    planks(44, 94, bridges, 52, 14),
  );

const cardBack = (): string =>
  group(
    {},
    el('rect', { width: 88, height: 122, rx: 9, fill: '#7d8f93', stroke: INK, 'stroke-width': 2 }),
    el('rect', { x: 8, y: 8, width: 72, height: 106, rx: 5, fill: 'none', stroke: '#e2edef', 'stroke-width': 2 }),
    planks(44, 61, 2, 40, 16),
  );

const lines = (x: number, y: number, ...words: string[]): string =>
  words.map((line, i) => text(x, y + i * 23, 15, line, { ...start, fill: INK })).join('');

function cardWords({ card, you, seats }: View): string[] {
  if (!card) return seats.length > 1 ? ['no card yet;', 'sheets will pass left'] : ['no card yet'];
  const left = you === null ? 0 : (seats[you]!.thisRound?.left ?? 0);
  const bridges = card.bridges === 1 ? '1 bridge' : `${card.bridges} bridges`;
  return [`number ${card.number}`, left > 0 && left < card.bridges ? `${bridges}, ${left} to draw` : bridges];
}

/** Piles of the solo game: bonuses lose value when the first and the second are used up. */
const piles = (solo: NonNullable<View['solo']>): string =>
  text(118, 110, 12, 'piles', { ...start, fill: SOFT }) +
  solo.piles
    .map(({ left }, i) =>
      at(
        156 + i * 44,
        92,
        el('rect', { width: 32, height: 40, rx: 5, fill: left > 0 ? '#7d8f93' : 'none', stroke: INK }),
        text(16, 26, 17, left, { ...bold, fill: left > 0 ? '#ffffff' : SOFT }),
      ),
    )
    .join('');

const standings = ({ result, seats, solo }: View): string => {
  if (!result) return '';
  if (solo) return lines(118, 52, `${result.scores[0]} points:`, solo.rating ?? '');
  const order = seats.map(({ seat }) => seat).sort((a, b) => result.ranks[a]! - result.ranks[b]! || a - b);
  return order
    .map((seat, i) =>
      at(
        118,
        24 + i * 30,
        text(0, 16, 15, `${result.ranks[seat]}.`, { ...start, fill: INK }),
        seatMark(seat, 36, 11, 9),
        text(54, 16, 15, `Seat ${SEATS[seat]!.letter}: ${result.scores[seat]}`, { ...start, fill: INK }),
      ),
    )
    .join('');
};

export function cardBox(view: View): string {
  const { card, solo, result } = view;
  return box(
    BOX_HEIGHT,
    at(12, 10, card ? cardFace(card.number, card.bridges) : cardBack()),
    solo && !result ? lines(116, 34, ...cardWords(view)) + piles(solo) : '',
    solo || result ? '' : lines(116, 66, ...cardWords(view)),
    standings(view),
  );
}

/** All 18 cards in six columns: crossed out when seen, framed when it is this round's. */
export function cardsBox({ cards, card, round }: View): string {
  const cells = cards.map(({ number, bridges, round: seen }, i) => {
    const current = card !== null && seen === round;
    const gone = seen !== null && !current;
    return at(
      15 + Math.floor(i / 3) * 46.5,
      36 + (i % 3) * 33,
      el('rect', {
        width: 43,
        height: 30,
        rx: 4,
        fill: gone ? '#ddd5c7' : '#ffffff',
        stroke: current ? INK : '#a89c89',
        'stroke-width': current ? 3 : 1,
      }),
      text(13, 21, 17, number, { fill: gone ? '#8d8272' : INK, ...(gone ? {} : bold) }),
      group({ opacity: gone ? 0.45 : undefined }, planks(30, 15, bridges, 15, 7)),
      gone ? el('path', { d: 'M4 26 L39 4', stroke: INK, 'stroke-width': 1.6 }) : '',
    );
  });
  return box(BOX_HEIGHT, heading(`Cards: ${round} seen, ${cards.length - round} unseen`), ...cells);
}

const BONUS_WORDS = { red: '4 red', blue: '3 blue', chain: 'chain of 6' };

/** Six islands in a line are too wide for a sign: two finished ones joined by a bridge. */
const chainMark = (x: number, y: number): string =>
  builtBridges(line(x - 7, y, x + 7, y), 4) +
  [-8, 8]
    .map((dx) => el('circle', { cx: x + dx, cy: y, r: 5, fill: GRASS, stroke: DONE, 'stroke-width': 2.5 }))
    .join('');

const chip = (x: number, points: number, open: boolean): string =>
  at(
    x,
    0,
    el('rect', { y: -13, width: 28, height: 26, rx: 6, fill: open ? '#ffffff' : '#ddd5c7', stroke: INK }),
    text(14, 6, 17, points, { fill: open ? INK : '#8d8272', ...bold }),
    open ? '' : el('path', { d: 'M3 10 L25 -10', stroke: INK, 'stroke-width': 1.6 }),
  );

function bonusRow({ seats }: View, { bonus, first, later, now, deadline }: View['bonuses'][number]): string {
  const takers = (points: number) => seats.filter((seat) => seat.bonuses[bonus]?.points === points);
  const marks = (points: number, x: number) =>
    takers(points)
      .map(({ seat }, i) => seatMark(seat, x + i * 16, 0, 6.5))
      .join('');
  return group(
    {},
    bonus === 'chain' ? chainMark(24, 0) : flags(bonus, [[19, 0]], 9),
    text(44, deadline === null ? 5 : -1, 13, BONUS_WORDS[bonus], { ...start, fill: INK }),
    deadline === null ? '' : text(44, 13, 11, `by card ${deadline}`, { ...start, fill: SOFT }),
    chip(118, first, now === first),
    marks(first, 157),
    chip(222, later, true),
    marks(later, 261),
  );
}

export const bonusBox = (view: View): string =>
  box(
    BOX_HEIGHT,
    heading('Bonuses'),
    text(132, 25, 11, view.solo ? 'in time' : 'first', { fill: SOFT }),
    text(236, 25, 11, 'later', { fill: SOFT }),
    ...view.bonuses.map((bonus, i) => at(0, 50 + i * 35, bonusRow(view, bonus))),
  );

const SAMPLE = line(-16, 0, 16, 0);

const LEGEND: readonly [string, string][] = [
  ['red flag', flags('red', [[-6, 2]], 8)],
  ['blue flag', flags('blue', [[-6, 2]], 8)],
  ['possible bridge', openLinks(SAMPLE)],
  ['crossed, closed', closedLinks(SAMPLE)],
  ['bridge', builtBridges(SAMPLE, 6)],
  ['drawn this round', freshBridges(SAMPLE, 6)],
  [
    'finished',
    el('circle', { r: 10, fill: SAND, stroke: INK }) +
      el('circle', { r: 8, fill: GRASS, stroke: DONE, 'stroke-width': 3 }),
  ],
  [
    'island 7',
    el('circle', { cx: 3, cy: 3, r: 9, fill: SAND, stroke: INK }) + text(-10, -4, 10, '7', { fill: '#3d5a60' }),
  ],
];

const legendItem = ([words, sign]: readonly [string, string], x: number, y: number): string =>
  at(x, y, at(20, 0, sign), text(44, 4.5, 12.5, words, { ...start, fill: INK }));

export function legendBox(height: number): string {
  const pitch = Math.min(30, height / 4);
  const y = (row: number) => height / 2 + (row - 1.5) * pitch;
  return box(height, ...LEGEND.map((item, i) => legendItem(item, i < 4 ? 6 : 150, y(i % 4))));
}

export const LEGEND_HEIGHT = 64;

export const legendLine = (width: number): string =>
  group(
    {},
    panel(width, LEGEND_HEIGHT),
    ...LEGEND.map((item, i) => legendItem(item, 30 + Math.floor(i / 2) * (width / 4), i % 2 === 0 ? 19 : 45)),
  );
