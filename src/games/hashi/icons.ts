/** The signs of Hashi, each drawn around a point, and the colours they share. */
import type { Seat } from '../game.ts';
import { type Attributes, el, SEATS, seatMark, text } from '../svg.ts';
import type { Bonus, Flag } from './data.ts';

export const INK = '#2b2118';
export const SOFT = '#675c4e';
export const SEA = '#e2edef';
const SHORE = '#64838a';
const WOOD = '#6a4a2b';
export const FRESH = '#fff3c4';
export const DONE = '#1f6b4a';
export const GRASS = '#d8ecdf';
export const SAND = '#fffaf0';
/** What can be chosen now. */
export const CHOICE = '#c2570c';
/** What the last action was about. */
export const LAST = '#7a3fb0';

export const start = { 'text-anchor': 'start' };
export const bold = { 'font-weight': 'bold' };

export const panel = (width: number, height: number, more: Attributes = {}): string =>
  el('rect', { width, height, rx: 10, fill: '#fffdf8', stroke: '#cfc4b0', 'stroke-width': 1.5, ...more });

export const round = (n: number): number => Math.round(n * 100) / 100;

export const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`;

export type Spot = readonly [x: number, y: number];

/** Flags at these spots. They are told apart by shape: red ones are pennants, blue ones squares with a white bar. */
export function flags(flag: Flag, spots: readonly Spot[], size: number): string {
  const path = (d: (x: number, y: number) => string, paint: Attributes) =>
    el('path', { d: spots.map(([x, y]) => d(round(x), round(y))).join(''), ...paint });
  const [half, unit] = [round(size * 0.6), round(size * 1.2)];
  const edge = { stroke: INK, 'stroke-width': Math.max(0.7, size / 12), 'stroke-linejoin': 'round' };
  const poles = path((x, y) => line(x, y + size, x, y - size), { ...edge, 'stroke-width': Math.max(1.2, size / 6) });
  if (flag === 'red') {
    const pennant = `v${unit}l${round(size * 1.6)} -${half}z`;
    return poles + path((x, y) => `M${x} ${round(y - size)}${pennant}`, { fill: '#d1495b', ...edge });
  }
  const cloth = (x: number, y: number) =>
    `M${x} ${round(y - size)}h${round(size * 1.4)}v${unit}h-${round(size * 1.4)}z`;
  const bar = (x: number, y: number) =>
    `M${round(x + size * 0.5)} ${round(y - size)}h${round(size * 0.4)}v${unit}h-${round(size * 0.4)}z`;
  return poles + path(cloth, { fill: '#30638e', ...edge }) + path(bar, { fill: '#ffffff' });
}

/** Links as path data: dashed while a bridge can still be drawn there, faintly dotted when none can. */
export const openLinks = (d: string): string =>
  el('path', { d, stroke: SHORE, 'stroke-width': 1.8, 'stroke-dasharray': '6 5' });

export const closedLinks = (d: string): string =>
  el('path', { d, stroke: '#b3c3c6', 'stroke-width': 1.6, 'stroke-dasharray': '0.1 7', 'stroke-linecap': 'round' });

export const bridges = (d: string, width: number): string => el('path', { d, stroke: WOOD, 'stroke-width': width });

/** Bridges of this round are hollow. */
export const freshBridges = (d: string, width: number): string =>
  bridges(d, width) + el('path', { d, stroke: FRESH, 'stroke-width': width / 2 });

/** As many short bridges as a card shows, one above the other. */
export const planks = (x: number, y: number, count: number, length: number, gap: number): string => {
  const levels = Array.from({ length: count }, (_, i) => y + (i - (count - 1) / 2) * gap);
  return bridges(levels.map((level) => line(x - length / 2, level, x + length / 2, level)).join(''), gap * 0.5);
};

/** Six islands in a line are too wide for a sign: two finished ones joined by a bridge. */
const chainSign = (x: number, y: number, size: number): string =>
  bridges(line(x - size * 0.8, y, x + size * 0.8, y), size * 0.45) +
  [-0.9, 0.9]
    .map((side) =>
      el('circle', {
        cx: x + side * size,
        cy: y,
        r: size * 0.6,
        fill: GRASS,
        stroke: DONE,
        'stroke-width': size * 0.28,
      }),
    )
    .join('');

/** The sign of a bonus, about three sizes wide. */
export const bonusSign = (bonus: Bonus, x: number, y: number, size: number): string =>
  bonus === 'chain' ? chainSign(x, y, size) : flags(bonus, [[x - size * 0.7, y]], size);

export const check = (x: number, y: number, size: number): string =>
  el('path', {
    d: `M${round(x - size)} ${round(y)}l${round(size * 0.7)} ${round(size * 0.7)}l${round(size * 1.2)} -${round(size * 1.4)}`,
    fill: 'none',
    stroke: DONE,
    'stroke-width': Math.max(1.8, size * 0.45),
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  });

/** The mark of a seat with its letter, about 2r wide. */
export const seatSign = (seat: Seat, x: number, y: number, r: number): string => {
  const { letter, ink } = SEATS[seat]!;
  const size = Math.max(12, r);
  return seatMark(seat, x, y, r) + text(x, y + size * 0.37, size, letter, { fill: ink, ...bold });
};

/** A knob that draws one more bridge. */
export const knob = (x: number, y: number, r: number): string =>
  el('circle', { cx: x, cy: y, r, fill: '#ffffff', stroke: CHOICE, 'stroke-width': Math.max(1.5, r * 0.22) }) +
  el('path', {
    d: line(x - r * 0.55, y, x + r * 0.55, y) + line(x, y - r * 0.55, x, y + r * 0.55),
    stroke: CHOICE,
    'stroke-width': Math.max(1.5, r * 0.25),
  });

/** A sign of the legend: text that stands in an island. */
export const islandSign = (words: string): string =>
  el('circle', { r: 11, fill: SAND, stroke: INK }) + text(0, 4, 12, words, { fill: INK });
