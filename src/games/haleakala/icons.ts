import { at, el, group, SEATS, seatMark, text } from '../svg.ts';
import { COLOURS, type Kind } from './data.ts';

/**
 * Colours, type and symbols, each drawn around its own origin. Those that recur are drawn once, when the game is
 * loaded.
 */

export const INK = '#2b2118';
export const LAVA = '#d9480f';
export const PAPER = '#fffaf0';
export const FAINT = '#b3a893';
export const muted = { fill: '#65593f' };
export const bold = { 'font-weight': 700 };
export const left = { 'text-anchor': 'start' };
export const right = { 'text-anchor': 'end' };
/** The outline of what the last action was about. */
export const LAST = '#7b2cbf';

/** The colours of the box. Shape and letter serve those who cannot distinguish them. */
const PAINTS = { red: { colour: '#c62f3b', ink: '#ffffff' }, yellow: { colour: '#f4c430', ink: INK } } as const;
export const paintOf = (seat: number) => ({ ...PAINTS[COLOURS[seat]!], letter: SEATS[seat]!.letter });

/** Round for the first seat, square for the second, in the seat's colour. */
export const seatShape = (seat: number, r: number, attributes = {}): string =>
  seatMark(seat, 0, 0, r, { fill: paintOf(seat).colour, ...attributes });

export const seatBadge = (seat: number, r: number): string =>
  seatShape(seat, r) +
  text(0, r * 0.4, Math.max(12, r * 1.1), paintOf(seat).letter, { fill: paintOf(seat).ink, ...bold });

export const line = (d: string, width = 1.2, stroke: string = INK) =>
  el('path', { d, fill: 'none', stroke, 'stroke-width': width });
export const shape = (d: string, fill: string, width = 1.2) =>
  el('path', { d, fill, stroke: INK, 'stroke-width': width, 'stroke-linejoin': 'round' });
export const dot = (cx: number, cy: number, r: number, fill: string, width = 1.2) =>
  el('circle', { cx, cy, r, fill, stroke: width > 0 ? INK : undefined, 'stroke-width': width > 0 ? width : undefined });

/** About 10 wide and 14 high at scale 1. */
export const flame = (scale: number): string =>
  group(
    { transform: `scale(${scale})` },
    shape('M0 -8 C5 -3 6 0 5 3 A5 5 0 0 1 -5 3 C-6 0 -3 -1 -3 -5 C-1 -4 0 -6 0 -8Z', '#ffb703', 1),
    el('path', { d: 'M0 0 C2 2 2.6 4 0 6 C-2.6 4 -2 2 0 0Z', fill: LAVA }),
  );

export const butterfly = (): string =>
  [
    shape('M0 0 C-2 -6 -8 -6 -7 -1 C-7 1 -3 1 0 0 C-4 1 -6 5 -3 6 C-1 6 0 3 0 0Z', '#8e5ea2', 0.8),
    shape('M0 0 C2 -6 8 -6 7 -1 C7 1 3 1 0 0 C4 1 6 5 3 6 C1 6 0 3 0 0Z', '#8e5ea2', 0.8),
    line('M0 -3 V5', 1.4),
  ].join('');

export const shell = (): string =>
  shape('M-5 14 L5 14 L6 10 C14 6 17 -4 13 -9 C9 -15 -9 -15 -13 -9 C-17 -4 -14 6 -6 10Z', '#f7c8a8', 1.4) +
  line('M0 10 V-13 M-3 10 L-8 -12 M3 10 L8 -12 M-5 9 L-13 -6 M5 9 L13 -6', 1);

const basket = (): string =>
  [
    shape('M-2 -6 C2 -15 9 -14 12 -16 C11 -12 12 -10 10 -5Z', '#7fb7be', 1.2),
    shape('M-9 -4 C-9 -13 -4 -15 -3 -18 C0 -14 0 -9 -2 -4Z', '#7fb7be', 1.2),
    shape('M-16 -5 H16 L11 14 H-11Z', '#d9a441', 1.4),
    line('M-14.5 1 H14.5 M-13 7.5 H13 M-6 -5 L-4 14 M6 -5 L4 14', 1),
  ].join('');

const priestess = (): string =>
  [
    shape('M0 -7 L12 16 H-12Z', LAVA, 1.4),
    shape('M-7 2 C-10 -14 10 -14 7 2 C5 -2 -5 -2 -7 2Z', '#3d2b1f', 1),
    dot(0, -6, 5.4, '#efcfa5', 1.2),
    at(0, 8, flame(0.75)),
  ].join('');

const pearl = (fill: string, shine: string): string =>
  [
    shape('M-17 3 C-12 14 12 14 17 3 C9 9 -9 9 -17 3Z', '#cbb7a0', 1.2),
    dot(0, -2, 10.5, fill, 1.6),
    el('ellipse', { cx: -3.5, cy: -6, rx: 3, ry: 2, fill: shine }),
  ].join('');

const nautilus = (): string =>
  shape('M16 2 A16 15 0 1 0 0 15 C8 15 8 6 16 2Z', '#f1dfc4', 1.4) +
  line(
    'M16 2 C10 4 4 6 0 3 C-5 -1 0 -8 5 -5 C8 -3 6 1 3 0 M0 3 L-6 13 M-2 0 L-14 6 M-2 -3 L-13 -7 M1 -6 L-3 -13 M5 -5 L9 -11',
    1.2,
  );

/** Eyes and nose of a statue. */
export const face = (ink: string): string => line('M-7 -9 H-1.5 M1.5 -9 H7', 2.2, ink) + line('M0 -9 V-3', 1.6, ink);
export const PLINTH = el('rect', { x: -13, y: 12, width: 26, height: 5, rx: 1.5, fill: '#8d8474', stroke: INK });
const stoneStatue =
  PLINTH + shape('M-10 12 V-8 A10 10 0 0 1 10 -8 V12Z', '#b9b2a3', 1.4) + face(INK) + line('M-4 4 H4', 2);

const ICONS: Record<Kind, string> = {
  statue: stoneStatue,
  shell: shell(),
  basket: basket(),
  priestess: priestess(),
  whitePearl: pearl('#ffffff', '#dfe7ea'),
  blackPearl: pearl('#2f2b3a', '#8d88a0'),
  nautilus: nautilus(),
  lava: flame(2),
};
export const icon = (kind: Kind): string => ICONS[kind];
