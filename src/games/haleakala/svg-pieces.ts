import { at, el, group, text } from '../svg.ts';
import { BUTTERFLIES, KINDS, type Kind, NAMES } from './data.ts';
import {
  bold,
  butterfly,
  dot,
  FAINT,
  face,
  flame,
  INK,
  icon,
  LAVA,
  line,
  muted,
  PLINTH,
  paintOf,
  seatShape,
  shape,
} from './icons.ts';

/** Pieces and cards, each drawn around its own origin; those that recur are drawn once, when the game is loaded. */

/** A numbered disc, round or square depending on its seat. */
export const disc = (seat: number, number: number, r: number): string =>
  seatShape(seat, r) + text(0, r * 0.42, r * 1.25, number, { fill: paintOf(seat).ink, ...bold });

const dashed = { fill: 'none', stroke: FAINT, 'stroke-dasharray': '3 3' };

/** A disc that is not there. */
export const missingDisc = (seat: number, number: number, r: number): string =>
  seatShape(seat, r, dashed) + text(0, r * 0.42, r * 1.1, number, muted);

export const summonDisc = (seat: number, r: number): string => seatShape(seat, r) + at(0, r * 0.12, flame(r / 11));

export const missingSummon = (seat: number, r: number): string =>
  seatShape(seat, r, dashed) + group({ opacity: 0.35 }, flame(1.2));

/** Lava discs on a crater part, with their number. */
export const lavaDiscs = (count: number): string =>
  dot(0, 0, 11, LAVA, 1.2) + at(-4, -0.5, flame(0.65)) + text(4.5, 4.2, 12, count, { fill: '#fff', ...bold });

/** A statue, round-headed or square-headed depending on its seat, with its letter. */
function drawStatue(seat: number): string {
  const { colour, ink, letter } = paintOf(seat);
  const body = seat === 1 ? 'M-10 12 V-17 H10 V12Z' : 'M-10 12 V-8 A10 10 0 0 1 10 -8 V12Z';
  return PLINTH + shape(body, colour, 1.4) + face(ink) + text(0, 10, 14, letter, { fill: ink, ...bold });
}

const STATUE_PIECES = [drawStatue(0), drawStatue(1)];
export const statue = (seat: number): string => STATUE_PIECES[seat]!;

/** A statue in the supply, or its empty place: body and plinth in one outline. */
export function smallStatue(seat: number, there: boolean): string {
  const body = seat === 1 ? 'M-8 10 V-14 H8 V10 H11 V14 H-11 V10Z' : 'M-8 10 V-7 A8 8 0 0 1 8 -7 V10 H11 V14 H-11 V10Z';
  return el('path', {
    d: body,
    ...(there ? { fill: paintOf(seat).colour, stroke: INK, 'stroke-width': 1.2 } : dashed),
  });
}

/** A robed figure with a staff. The robe is pointed or square-shouldered depending on its seat. */
function drawShaman(seat: number): string {
  const { colour, ink, letter } = paintOf(seat);
  const robe = seat === 1 ? 'M-8 -5 H8 L11 17 H-11Z' : 'M0 -9 L11 17 H-11Z';
  return [
    line('M13 17 V-15', 2.2, '#6b4423'),
    dot(13, -15, 2.6, '#ffb703', 1),
    shape(robe, colour, 1.4),
    dot(0, -10, 6.2, '#efcfa5', 1.4),
    shape('M-5 -14 L-6 -20 L-2 -17 L0 -22 L2 -17 L6 -20 L5 -14Z', '#f6f1e7', 1),
    text(0, 15, 16, letter, { fill: ink, ...bold }),
  ].join('');
}

const SHAMANS = [drawShaman(0), drawShaman(1)];
export const shaman = (seat: number): string => SHAMANS[seat]!;

/** The boat from above, with its bow to the right. */
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

export const CARD = { width: 60, height: 66 };

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
export const SHORT: Record<Kind, string> = {
  ...NAMES,
  basket: 'basket',
  priestess: 'priestess',
  whitePearl: 'white',
  blackPearl: 'black',
};

const cardShape = (width: number, height: number, attributes: Record<string, string | number>): string =>
  el('rect', { x: -width / 2, y: -height / 2, width, height, rx: 7, ...attributes });

/** A palm card face up, with its butterflies and, on the priestess, the summon icon. */
function drawCard(kind: Kind): string {
  const { width, height } = CARD;
  const marks = Array.from({ length: BUTTERFLIES[kind] }, (_, i) =>
    at(width / 2 - 10 - 15 * i, 10 - height / 2, butterfly()),
  );
  return [
    cardShape(width, height, { fill: TINTS[kind], stroke: INK, 'stroke-width': 1.3 }),
    at(0, -5, icon(kind)),
    ...marks,
    kind === 'priestess' ? at(width / 2 - 11, 11 - height / 2, dot(0, 0, 7.5, '#fff', 1), flame(0.65)) : '',
    text(0, height / 2 - 5, 11.5, SHORT[kind], kind === 'priestess' ? {} : bold),
  ].join('');
}

const CARDS = Object.fromEntries(KINDS.map((kind) => [kind, drawCard(kind)])) as Record<Kind, string>;
export const card = (kind: Kind): string => CARDS[kind];

const hollow = { fill: 'none', stroke: FAINT, 'stroke-dasharray': '5 4' };

/** A notch without a card. */
export const emptyNotch = (): string => cardShape(CARD.width, CARD.height, hollow);

const palm = (): string =>
  line('M0 10 C-1 4 0 0 1 -4', 2.4, '#6b4423') +
  shape(
    'M1 -4 C-4 -9 -9 -6 -10 -2 C-6 -5 -3 -4 1 -4 C-2 -11 6 -13 9 -8 C5 -8 3 -6 1 -4 C6 -6 10 -3 10 1 C7 -2 4 -3 1 -4Z',
    '#4f8a4c',
    0.9,
  );

/** A deck face down: its palms and how many cards it has. */
export function deck(palms: number, count: number): string {
  const marks = Array.from({ length: palms }, (_, i) => at((i - (palms - 1) / 2) * 15, -10, palm()));
  const back = (fill: string) => cardShape(56, 58, { fill, stroke: INK, 'stroke-width': 1.3 });
  return [
    ...(count > 1 ? [at(3, 3, back('#cfe0c3'))] : []),
    count > 0 ? back('#e6f0da') : cardShape(56, 58, hollow),
    group({ opacity: count > 0 ? 1 : 0.35 }, ...marks),
    text(0, 22, 17, count, count > 0 ? bold : muted),
  ].join('');
}
