import { at, el, group, SEATS, seatMark, text } from '../svg.ts';
import { BUTTERFLIES, KINDS, type Kind, NAMES } from './data.ts';

/** Pieces and symbols, each drawn around its own origin; those that recur are drawn once, when the game is loaded. */

export const INK = '#2b2118';
export const LAVA = '#d9480f';
export const CARD = { width: 62, height: 78 };

export const bold = { 'font-weight': 700 };
export const left = { 'text-anchor': 'start' };
export const right = { 'text-anchor': 'end' };

const line = (d: string, width = 1.2, stroke = INK) => el('path', { d, fill: 'none', stroke, 'stroke-width': width });
const shape = (d: string, fill: string, width = 1.2) =>
  el('path', { d, fill, stroke: INK, 'stroke-width': width, 'stroke-linejoin': 'round' });
const dot = (cx: number, cy: number, r: number, fill: string, width = 1.2) =>
  el('circle', { cx, cy, r, fill, stroke: width > 0 ? INK : undefined, 'stroke-width': width > 0 ? width : undefined });
const seatOf = (seat: number) => SEATS[seat]!;

/** A numbered disc: round or square as its seat. */
export const disc = (seat: number, number: number, r = 10.5): string =>
  seatMark(seat, 0, 0, r) + text(0, r * 0.42, r * 1.2, number, { fill: seatOf(seat).ink, ...bold });

/** A disc that is not there. */
export const missingDisc = (seat: number, number: number, r: number): string =>
  seatMark(seat, 0, 0, r, { fill: 'none', stroke: '#b3a893', 'stroke-dasharray': '3 3' }) +
  text(0, r * 0.42, r * 1.1, number, { fill: '#a3977f' });

export const summonDisc = (seat: number, r = 10.5): string => seatMark(seat, 0, 0, r) + at(0, r * 0.12, flame(r / 11));

/** About 10 wide and 14 high at scale 1. */
export const flame = (scale: number): string =>
  group(
    { transform: `scale(${scale})` },
    shape('M0 -8 C5 -3 6 0 5 3 A5 5 0 0 1 -5 3 C-6 0 -3 -1 -3 -5 C-1 -4 0 -6 0 -8Z', '#ffb703', 1),
    el('path', { d: 'M0 0 C2 2 2.6 4 0 6 C-2.6 4 -2 2 0 0Z', fill: LAVA }),
  );

/** Lava discs on a crater part, with their number. */
export const lavaDiscs = (count: number): string =>
  dot(0, 0, 14, LAVA, 1.4) + at(-4.5, -0.5, flame(0.85)) + text(6, 5, 14, count, { fill: '#fff', ...bold });

/** Round-headed or square-headed as its seat, with its letter; the grey one is on cards. */
function drawStatue(seat: number | null): string {
  const { colour, ink, letter } = seat === null ? { colour: '#b9b2a3', ink: INK, letter: '' } : { ...seatOf(seat) };
  const body = seat === 1 ? 'M-10 12 V-17 H10 V12Z' : 'M-10 12 V-8 A10 10 0 0 1 10 -8 V12Z';
  return [
    el('rect', { x: -13, y: 12, width: 26, height: 5, rx: 1.5, fill: '#8d8474', stroke: INK, 'stroke-width': 1 }),
    shape(body, colour, 1.4),
    line('M-7 -9 H-1.5 M1.5 -9 H7', 2.2, ink),
    line('M0 -9 V-3', 1.6, ink),
    letter ? text(0, 9, 11, letter, { fill: ink, ...bold }) : line('M-4 4 H4', 2, ink),
  ].join('');
}

const STATUE_PIECES = [drawStatue(0), drawStatue(1)];
export const statue = (seat: number): string => STATUE_PIECES[seat]!;

/** A statue in the supply, or its empty place: body and plinth in one outline. */
export function smallStatue(seat: number, there: boolean): string {
  const body = seat === 1 ? 'M-8 10 V-14 H8 V10 H11 V14 H-11 V10Z' : 'M-8 10 V-7 A8 8 0 0 1 8 -7 V10 H11 V14 H-11 V10Z';
  const paint = there
    ? { fill: seatOf(seat).colour, stroke: INK, 'stroke-width': 1.2 }
    : { fill: 'none', stroke: '#b3a893', 'stroke-dasharray': '3 3' };
  return el('path', { d: body, ...paint });
}

/** A robed figure with a staff; the robe is pointed or square-shouldered as its seat. */
function drawShaman(seat: number): string {
  const { colour, ink, letter } = seatOf(seat);
  const robe = seat === 1 ? 'M-8 -5 H8 L11 17 H-11Z' : 'M0 -9 L11 17 H-11Z';
  return [
    line('M13 17 V-15', 2.2, '#6b4423'),
    dot(13, -15, 2.6, '#ffb703', 1),
    shape(robe, colour, 1.4),
    dot(0, -10, 6.2, '#efcfa5', 1.4),
    shape('M-5 -14 L-6 -20 L-2 -17 L0 -22 L2 -17 L6 -20 L5 -14Z', '#f6f1e7', 1),
    text(0, 13, 11, letter, { fill: ink, ...bold }),
  ].join('');
}

const SHAMANS = [drawShaman(0), drawShaman(1)];
export const shaman = (seat: number): string => SHAMANS[seat]!;

/** Seen from above, its bow to the right. */
export const boat = (): string =>
  [
    line('M-12 -9 V0 M12 -9 V0', 2, '#6b4423'),
    shape('M-20 -9 Q0 -13 20 -9 Q0 -7 -20 -9Z', '#a0622d', 1),
    shape('M-30 2 Q-14 -7 8 -6 Q24 -4 32 2 Q24 9 8 10 Q-14 11 -30 2Z', '#a0622d', 1.6),
    shape('M-20 2 Q-8 -3 8 -2.5 Q18 -1 22 2 Q18 5.5 8 6.5 Q-8 7 -20 2Z', '#f2d3a0', 1),
  ].join('');

export const hut = (): string =>
  shape('M-8 10 V0 H8 V10Z', '#e0b878', 1) +
  shape('M-13 1 L0 -12 L13 1Z', '#9c6b30', 1) +
  shape('M-2.5 10 V4 H2.5 V10Z', '#5a3d1e', 0.8);

export const pier = (): string =>
  el('rect', { x: -5, y: -15, width: 10, height: 30, fill: '#c49a6c', stroke: INK, 'stroke-width': 1 }) +
  line('M-5 -8 H5 M-5 -1 H5 M-5 6 H5', 1);

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

const ICONS: Record<Kind, string> = {
  statue: drawStatue(null),
  shell: shell(),
  basket: basket(),
  priestess: priestess(),
  whitePearl: pearl('#ffffff', '#dfe7ea'),
  blackPearl: pearl('#2f2b3a', '#8d88a0'),
  nautilus: nautilus(),
  lava: flame(2),
};
export const icon = (kind: Kind): string => ICONS[kind];

const TINTS: Record<Kind, string> = {
  statue: '#e9e4d8',
  shell: '#fdeee2',
  basket: '#fbf0d3',
  priestess: '#fbdccb',
  whitePearl: '#e3eef2',
  blackPearl: '#dcd9e8',
  nautilus: '#f3e6f0',
  lava: '#f8c9b4',
};

/** Names that fit under an icon. */
const SHORT: Partial<Record<Kind, string>> = { basket: 'basket', priestess: 'priestess' };

/** A palm card face up, with its butterflies and, on the priestess, the summon icon. */
function drawCard(kind: Kind): string {
  const { width, height } = CARD;
  const name = SHORT[kind] ?? NAMES[kind];
  const marks = Array.from({ length: BUTTERFLIES[kind] }, (_, i) =>
    at(width / 2 - 11 - 16 * i, 11 - height / 2, butterfly()),
  );
  return [
    el('rect', {
      x: -width / 2,
      y: -height / 2,
      width,
      height,
      rx: 7,
      fill: TINTS[kind],
      stroke: INK,
      'stroke-width': 1.4,
    }),
    at(0, -1, icon(kind)),
    ...marks,
    kind === 'priestess' ? at(width / 2 - 12, 13 - height / 2, dot(0, 0, 8, '#fff', 1), flame(0.7)) : '',
    text(0, height / 2 - 8, name.length > 9 ? 9 : 10.5, name, bold),
  ].join('');
}

const CARDS = Object.fromEntries(KINDS.map((kind) => [kind, drawCard(kind)])) as Record<Kind, string>;
export const card = (kind: Kind): string => CARDS[kind];

/** A notch without a card. */
export const emptyNotch = (): string =>
  el('rect', {
    x: -CARD.width / 2,
    y: -CARD.height / 2,
    width: CARD.width,
    height: CARD.height,
    rx: 7,
    fill: 'none',
    stroke: '#b3a893',
    'stroke-dasharray': '5 4',
  });

const palm = (): string =>
  line('M0 10 C-1 4 0 0 1 -4', 2.4, '#6b4423') +
  shape(
    'M1 -4 C-4 -9 -9 -6 -10 -2 C-6 -5 -3 -4 1 -4 C-2 -11 6 -13 9 -8 C5 -8 3 -6 1 -4 C6 -6 10 -3 10 1 C7 -2 4 -3 1 -4Z',
    '#4f8a4c',
    0.9,
  );

/** A deck face down: its palms and how many cards it has. */
export function deck(palms: number, count: number): string {
  const marks = Array.from({ length: palms }, (_, i) => at((i - (palms - 1) / 2) * 17, -11, palm()));
  return [
    ...(count > 1 ? [at(3, 3, cardBack('#cfe0c3'))] : []),
    count > 0 ? cardBack('#e6f0da') : emptyNotchOf(58, 68),
    group({ opacity: count > 0 ? 1 : 0.35 }, ...marks),
    text(0, 25, 18, count, { ...bold, fill: count > 0 ? INK : '#a3977f' }),
  ].join('');
}

const cardBack = (fill: string) =>
  el('rect', { x: -29, y: -34, width: 58, height: 68, rx: 7, fill, stroke: INK, 'stroke-width': 1.4 });
const emptyNotchOf = (width: number, height: number) =>
  el('rect', {
    x: -width / 2,
    y: -height / 2,
    width,
    height,
    rx: 7,
    fill: 'none',
    stroke: '#b3a893',
    'stroke-dasharray': '5 4',
  });
