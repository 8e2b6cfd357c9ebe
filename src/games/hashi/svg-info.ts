import { at, el, group, text } from '../svg.ts';
import {
  bold,
  bonusSign,
  bridges,
  closedLinks,
  DONE,
  flags,
  freshBridges,
  GRASS,
  INK,
  islandSign,
  knob,
  LAST,
  line,
  openLinks,
  panel,
  planks,
  SAND,
  SOFT,
  seatSign,
  start,
} from './icons.ts';
import type { View } from './view.ts';
import { counted } from './words.ts';

/** The boxes beside the sheets: card, cards, bonuses, legend. */
export const BOX_HEIGHT = 146;

export const heading = (words: string): string => text(16, 27, 16, words, { ...start, ...bold, fill: INK });

export const box = (width: number, height: number, ...children: string[]): string =>
  group({}, panel(width, height), ...children);

const cardFace = ({ number, bridges }: { number: number; bridges: number }): string =>
  group(
    { id: `p-card-${number}-${bridges}` },
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

const lines = (x: number, y: number, words: readonly string[]): string =>
  words.map((line, i) => text(x, y + i * 23, 16, line, { ...start, fill: INK })).join('');

function cardWords({ card, you, seats, round, rounds }: View): string[] {
  if (!card) return seats.length > 1 ? ['no card yet: all write,', 'then sheets pass left'] : ['no card yet'];
  const left = you === null ? 0 : (seats[you]!.thisRound?.left ?? 0);
  const drawn = left > 0 && left < card.bridges ? `, ${left} to draw` : '';
  return [`number ${card.number}`, counted(card.bridges, 'bridge') + drawn, `card ${round} of ${rounds}`];
}

/** Piles of the solo match: bonuses lose value when the first and the second are used up. */
const piles = (solo: NonNullable<View['solo']>): string =>
  text(0, 25, 13, 'piles', { ...start, fill: SOFT }) +
  solo.piles
    .map(({ left }, i) =>
      at(
        42 + i * 42,
        0,
        el('rect', { width: 32, height: 38, rx: 5, fill: left > 0 ? '#53676c' : 'none', stroke: INK }),
        text(16, 25, 17, left, { ...bold, fill: left > 0 ? '#ffffff' : SOFT }),
      ),
    )
    .join('');

export function cardBox(view: View, width: number): string {
  const { card, solo } = view;
  const words = cardWords(view);
  return box(
    width,
    BOX_HEIGHT,
    at(14, 12, card ? cardFace(card) : cardBack()),
    lines(118, solo ? 34 : 79 - words.length * 11, solo ? words.slice(0, 2) : words),
    solo ? at(118, 92, piles(solo)) : '',
  );
}

export const LOW_BOX = 98;

/** The same for a phone, where the sheet below it should be seen without scrolling. */
export function lowCardBox(view: View, width: number): string {
  const { card, solo } = view;
  const words = cardWords(view).slice(0, solo ? 2 : 3);
  return box(
    width,
    LOW_BOX,
    at(12, 8, group({ transform: 'scale(0.67)' }, card ? cardFace(card) : cardBack())),
    lines(86, 55 - words.length * 10, words),
    solo ? at(width - 176, 30, piles(solo)) : '',
  );
}

/** All 18 cards in six columns: crossed out when seen, framed when it is this round's. */
export function cardsBox({ cards, card, round }: View, width: number): string {
  const pitch = (width - 27) / 6;
  const cells = cards.map(({ number, bridges, round: seen }, i) => {
    const current = card !== null && seen === round;
    const gone = seen !== null && !current;
    return at(
      15 + Math.floor(i / 3) * pitch,
      40 + (i % 3) * 33,
      el('rect', {
        width: pitch - 3.5,
        height: 30,
        rx: 4,
        fill: gone ? '#e4ddd0' : '#ffffff',
        stroke: current ? INK : '#a89c89',
        'stroke-width': current ? 3 : 1,
      }),
      text(13, 21, 17, number, { fill: gone ? '#655b4d' : INK, ...(gone ? {} : bold) }),
      group({ opacity: gone ? 0.5 : undefined }, planks(pitch - 16, 15, bridges, 15, 7)),
      gone ? el('path', { d: `M4 26 L${pitch - 8} 4`, stroke: INK, 'stroke-width': 1.4 }) : '',
    );
  });
  return box(width, BOX_HEIGHT, heading(`Cards: ${round} seen, ${cards.length - round} unseen`), ...cells);
}

const BONUS_WORDS = { red: '4 red', blue: '3 blue', chain: 'chain of 6' };

/** Points of a bonus: earned (by whom stands beside it), to be had, or gone. */
function chip(points: number, state: 'earned' | 'open' | 'gone'): string {
  const fill = { earned: GRASS, open: '#ffffff', gone: '#e4ddd0' }[state];
  const ink = { earned: DONE, open: INK, gone: '#655b4d' }[state];
  const edge = state === 'earned' ? { stroke: DONE, 'stroke-width': 2.2 } : { stroke: INK };
  return group(
    {},
    el('rect', { y: -13, width: 28, height: 26, rx: 6, fill, ...edge }),
    text(14, 6, 17, points, { fill: ink, ...bold }),
    state === 'gone' ? el('path', { d: 'M3 10 L25 -10', stroke: INK, 'stroke-width': 1.6 }) : '',
  );
}

function bonusRow(
  { seats, step }: View,
  { bonus, first, later, now, deadline }: View['bonuses'][number],
  width: number,
) {
  const value = (points: number, open: boolean): string => {
    const takers = seats.filter((seat) => seat.bonuses[bonus]?.points === points);
    const marks = takers.map(({ seat }, i) => seatSign(seat, 40 + i * 18, 0, 8));
    return chip(points, takers.length > 0 ? 'earned' : open ? 'open' : 'gone') + marks.join('');
  };
  const none = step === 'end' || seats.every((seat) => seat.bonuses[bonus]);
  return group(
    { id: `bonus-${bonus}` },
    bonusSign(bonus, 25, 0, 9),
    text(44, deadline === null ? 5 : -1, 12.5, BONUS_WORDS[bonus], { ...start, fill: INK }),
    deadline === null ? '' : text(44, 13.5, 12, `by card ${deadline}`, { ...start, fill: SOFT }),
    at(width * 0.37, 0, value(first, now === first && !none)),
    at(width * 0.71, 0, value(later, !none)),
  );
}

export const bonusBox = (view: View, width: number, height = BOX_HEIGHT): string =>
  box(
    width,
    height,
    heading('Bonuses'),
    text(width * 0.37 + 14, 27, 12, view.solo ? 'in time' : 'first', { fill: SOFT }),
    text(width * 0.71 + 14, 27, 12, 'later', { fill: SOFT }),
    ...view.bonuses.map((bonus, i) => at(0, 54 + i * 35, bonusRow(view, bonus, width))),
  );

const SAMPLE = line(-16, 0, 16, 0);

const LEGEND: readonly [string, string][] = [
  ['red flag', flags('red', [[-6, 2]], 8)],
  ['blue flag', flags('blue', [[-6, 2]], 8)],
  ['possible bridge', openLinks(SAMPLE)],
  ['closed', closedLinks(SAMPLE)],
  ['bridge', bridges(SAMPLE, 6)],
  ['new bridge', freshBridges(SAMPLE, 6)],
  [
    'finished island',
    el('circle', { r: 11, fill: SAND, stroke: INK }) +
      el('circle', { r: 8.5, fill: GRASS, stroke: DONE, 'stroke-width': 3 }),
  ],
  [
    'island 7',
    el('circle', { cx: 4, cy: 4, r: 9, fill: SAND, stroke: INK }) + text(-10, -3, 12, '7', { fill: '#35525a' }),
  ],
  ['needs 2 bridges', islandSign('+2')],
  ['takes 2 or more', islandSign('≥2')],
  ['choose', knob(0, 0, 9)],
  ['last action', el('circle', { r: 10, fill: 'none', stroke: LAST, 'stroke-width': 2.5 })],
];

const legendItem = ([words, sign]: readonly [string, string], x: number, y: number): string =>
  at(x, y, at(20, 0, sign), text(43, 4.5, 12.5, words, { ...start, fill: INK }));

/** The signs in columns; with `height` they share that room, else they take what they need. */
export function legendBox(width: number, columns: number, height?: number): { drawing: string; height: number } {
  const rows = Math.ceil(LEGEND.length / columns);
  const tall = height ?? rows * 28 + 16;
  const pitch = Math.min(34, (tall - 12) / rows);
  const top = (tall - rows * pitch) / 2 + pitch / 2;
  const wide = (width - 12) / columns;
  const items = LEGEND.map((item, i) => legendItem(item, 6 + Math.floor(i / rows) * wide, top + (i % rows) * pitch));
  return { drawing: box(width, tall, ...items), height: tall };
}
