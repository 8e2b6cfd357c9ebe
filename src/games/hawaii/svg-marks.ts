import { el, group, SEATS, seatMark, text } from '../svg.ts';
import { TOKENS } from './data.ts';
import { bold, INK, icon, PAPER, symbol, use } from './icons.ts';
import type { TokenView } from './view.ts';

/** Marks are drawn with radius 12 around the middle of a box that leaves room for spears and corners. */
const R = 12;
const BOX = `${-1.5 * R} ${-1.5 * R} ${3 * R} ${3 * R}`;
const mark = (name: string, x: number, y: number, r: number): string =>
  use(name, x - 1.5 * r, y - 1.5 * r, 3 * r, 3 * r);
const disc = (fill: string): string => el('circle', { r: R, fill, stroke: INK, 'stroke-width': 1.3 });

const tokenName = ({ value, spear }: TokenView): string => `token${value}${spear ? 's' : ''}`;

/** A price token: with spears it is dark and crossed. */
export const tokenMark = (token: TokenView, x: number, y: number, r: number): string => mark(tokenName(token), x, y, r);

const tokenSymbol = (token: TokenView): string => {
  const spears = token.spear ? icon('spears', -1.5 * R, -1.5 * R, 3 * R) : '';
  const ink = { fill: token.spear ? '#ffffff' : INK, ...bold };
  return symbol(
    tokenName(token),
    BOX,
    spears + disc(token.spear ? '#a32a22' : '#f2a444') + text(0, 5.2, 14.5, token.value, ink),
  );
};

/** A token lying fish up: how many fish is a digit. */
export const fishMark = (fish: number, x: number, y: number, r: number): string => mark(`fish${fish}`, x, y, r);

const fishSymbol = (fish: number): string =>
  symbol(
    `fish${fish}`,
    BOX,
    disc('#1f5f86') + text(0, 3.5, 14.5, fish, { fill: '#ffffff', ...bold }) + icon('fish', -5.5, 2, 11),
  );

/** A seat's mark with its letter. */
export const seatLetter = (seat: number, x: number, y: number, r: number): string => mark(`seat${seat}`, x, y, r);

/** The chief of a seat. A picture has only one of each, so that a client can follow it. */
export const chiefMark = (seat: number, x: number, y: number, r: number): string =>
  group({ id: `p-chief-${seat}` }, seatLetter(seat, x, y, r));

const chiefSymbol = (seat: number): string => {
  const { letter, ink, shape } = SEATS[seat]!;
  const [drop, size] = shape === 'triangle' ? [7.4, 13.6] : [4.9, 13.6];
  return symbol(`seat${seat}`, BOX, seatMark(seat, 0, 0, R) + text(0, drop, size, letter, { fill: ink, ...bold }));
};

const strokes = (d: string): string => el('path', { d, stroke: INK, 'stroke-width': 1.5 });
const card = (fill: string, width: number): string =>
  el('rect', { x: 1.5, y: 1.5, width: 27, height: 27, rx: 4, fill, stroke: INK, 'stroke-width': width });
const squeezed = { preserveAspectRatio: 'none' };

export const MARK_SYMBOLS = [
  ...TOKENS.map(tokenSymbol),
  ...[1, 2, 3].map(fishSymbol),
  ...SEATS.map((_, seat) => chiefSymbol(seat)),
  // Side II is golden with a heavy frame, and marked by strokes in the corner as well.
  symbol('side1', '0 0 30 30', card(PAPER, 0.8) + strokes('M4.5 4.5v6'), squeezed),
  symbol('side2', '0 0 30 30', card('#ffe3a3', 1.9) + strokes('M4.5 4.5v6M7 4.5v6'), squeezed),
];
