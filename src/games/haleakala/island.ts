import { at, el, group, SEATS, text } from '../svg.ts';
import { BUILDABLE, HUTS, PIER, POINTS, SEGMENTS } from './data.ts';
import {
  boat,
  bold,
  CARD,
  card,
  disc,
  emptyNotch,
  flame,
  hut,
  INK,
  LAVA,
  lavaDiscs,
  left,
  pier,
  shaman,
  statue,
  summonDisc,
} from './pieces.ts';
import type { View } from './view.ts';

/** The island around its own origin: six segments clockwise, segment 0 on top, the cards outside. */

/** Outer radius of each ring. */
const RING = { crater: 66, mountain: 118, forest: 168, land: 216, beach: 268, water: 298 };
const INNER = { crater: 0, mountain: 66, forest: 118, land: 168, beach: 216, water: 268 };
const FILL = {
  crater: '#5b4a45',
  mountain: '#c9bdb2',
  forest: '#8fb37d',
  land: '#d7dfa3',
  beach: '#f5e3b3',
  water: '#a9d3e3',
};
type Ring = keyof typeof RING;
const RINGS = ['water', 'beach', 'land', 'forest', 'mountain', 'crater'] as const;

const middle = (ring: Ring) => (RING[ring] + INNER[ring]) / 2;
/** A place `turn` degrees clockwise of a segment's middle. */
function polar(segment: number, radius: number, turn = 0): [number, number] {
  const angle = ((60 * segment + turn - 90) * Math.PI) / 180;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}
const round = (n: number) => Math.round(n * 10) / 10;
const EACH = Array.from({ length: SEGMENTS }, (_, segment) => segment);

export function island(view: View): string {
  return [
    GROUND,
    ...EACH.map((segment) => MARKED[segment]![Math.min(view.segments[segment]!.lava, BUILDABLE.length)]!),
    ...EACH.map((segment) => notches(view, segment)),
    ...EACH.map((segment) => beach(view, segment)),
    ...EACH.map((segment) => buildings(view, segment)),
    ...EACH.map((segment) => crater(view.segments[segment]!.lava, segment)),
    BOATS[view.boat]!,
  ].join('');
}

const MARKS: Record<(typeof BUILDABLE)[number], [path: string, fill: string]> = {
  mountain: ['M-9 7 L-1 -7 L3 0 L5 -3 L10 7Z', '#8b7b70'],
  forest: ['M0 -9 L7 4 H2 V8 H-2 V4 H-7Z', '#4d7a45'],
  land: ['M-7 6 Q-6 -1 -8 -4 Q-3 0 -2 5 Q-1 -3 1 -6 Q2 0 2 5 Q5 -1 8 -3 Q6 1 6 6Z', '#97a84f'],
};

export function terrainMark(terrain: (typeof BUILDABLE)[number]): string {
  const [d, fill] = MARKS[terrain];
  return el('path', { d, fill });
}

/** The line between two segments, bold on the island, thin in the water. */
const border = (segment: number): string => {
  const [[x1, y1], [x2, y2], [x3, y3]] = [16, RING.beach, RING.water].map((radius) =>
    polar(segment, radius, -30),
  ) as Line;
  return (
    el('line', { x1, y1, x2, y2, stroke: '#6d5c48', 'stroke-width': 2.2 }) +
    el('line', { x1: x2, y1: y2, x2: x3, y2: y3, stroke: '#fff8e7', 'stroke-width': 2 })
  );
};
type Line = [[number, number], [number, number], [number, number]];

const ringOf = (ring: Ring): string =>
  el('circle', { r: RING[ring], fill: FILL[ring], stroke: '#fff8e7', 'stroke-width': 1.6 });

const numberBadge = (segment: number): string =>
  at(
    ...polar(segment, middle('water'), -22),
    el('circle', { r: 12, fill: '#1d4e63' }),
    text(0, 5, 15, segment, { fill: '#fff', ...bold }),
  );

const turned = (segment: number, radius: number, turn: number, ...children: string[]): string => {
  const [x, y] = polar(segment, radius, turn);
  return group({ transform: `translate(${round(x)} ${round(y)}) rotate(${60 * segment + turn})` }, ...children);
};

/** What never changes: the spaces, huts and pier, the numbers and the vent, over which no lava is moved. */
const GROUND = [
  ...RINGS.map(ringOf),
  ...EACH.map(border),
  ...HUTS.map((segment) => at(...polar(segment, middle('beach'), 25.5), hut())),
  turned(PIER, RING.beach + 1, 22, pier()),
  ...EACH.map(numberBadge),
  el('circle', { r: 17, fill: '#3a2d2a' }),
  el('circle', { r: 10, fill: LAVA }),
  el('circle', { r: 5, fill: '#ffb703' }),
].join('');

/** By segment and lava discs: the marks of its terrains, a flame where that lava would reach. */
const MARKED = EACH.map((segment) =>
  [0, 1, 2, 3].map((lava) =>
    BUILDABLE.map((terrain, height) => {
      const reached = lava >= BUILDABLE.length - height;
      return at(...polar(segment, middle(terrain), -22), reached ? flame(1) : terrainMark(terrain));
    }).join(''),
  ),
);

const BOATS = EACH.map((segment) => turned(segment, middle('water'), 2, boat()));

/** Tray and cards of a segment; the boat's is outlined, strongly while a card is to be chosen. */
function notches(view: View, segment: number): string {
  const [x, y] = cardsAt(segment);
  const across = segment % 3 === 0;
  const [dx, dy] = across ? [CARD.width / 2 + 3, 0] : [0, CARD.height / 2 + 3];
  const here = view.boat === segment;
  const colour = here && view.step === 'choose' ? SEATS[view.actor ?? 0]!.colour : here ? '#2f6f8f' : undefined;
  const [width, height] = [2 * dx + CARD.width + 8, 2 * dy + CARD.height + 8];
  const tray = el('rect', {
    x: -width / 2,
    y: -height / 2,
    width,
    height,
    rx: 11,
    fill: '#e8dfcc',
    stroke: colour,
    'stroke-width': colour ? 3.5 : undefined,
  });
  const cards = view.segments[segment]!.cards.map((kind, i) =>
    at(i === 0 ? -dx : dx, i === 0 ? -dy : dy, kind ? card(kind) : emptyNotch()),
  );
  return at(x, y, tray, ...cards);
}

/** Above and below the island side by side, beside it one above the other. */
function cardsAt(segment: number): [number, number] {
  if (segment % 3 === 0) return [0, (segment === 0 ? -1 : 1) * (RING.water + CARD.height / 2 + 8)];
  return [segment < 3 ? 322 : -322, segment === 1 || segment === 5 ? -164 : 164];
}

/** One arc of discs for each seat, beginning with its sum; a shaman stands beside its hut. */
function beach(view: View, segment: number): string {
  const { discs, sums, summons } = view.segments[segment]!;
  const rows = [0, 1].map((seat) => {
    const radius = middle('beach') + (seat === 0 ? 12.5 : -12.5);
    const degrees = (24.5 / radius) * (180 / Math.PI);
    const pieces = discs[seat]!.map((number) => disc(seat, number));
    if (summons[seat]) pieces.push(summonDisc(seat));
    const first = -3 - ((pieces.length - 1) / 2) * degrees;
    const row = pieces.map((piece, i) => at(...polar(segment, radius, first + i * degrees), piece));
    if (sums[seat]! > 0) row.push(at(...polar(segment, radius, -24), sumBadge(seat, sums[seat]!, sums[1 - seat]!)));
    return row.join('');
  });
  const guests = view.seats.map(({ shaman: stands }, seat) =>
    stands.terrain === 'beach' && stands.segment === segment
      ? at(...polar(segment, middle('beach'), 18.5), shaman(seat))
      : '',
  );
  return rows.join('') + guests.join('');
}

/** The higher sum, which chooses first, has a thicker rim. */
const sumBadge = (seat: number, sum: number, other: number): string =>
  el('circle', { r: 11, fill: '#fff', stroke: SEATS[seat]!.colour, 'stroke-width': sum > other ? 3.4 : 1.6 }) +
  text(0, 4, 10.5, `Σ${sum}`, sum > other ? bold : {});

/** Statue and shaman stand beside each other, along the ring where that is steep. */
function buildings(view: View, segment: number): string {
  const spread = segment % 3 === 0 ? 15 : 21;
  return BUILDABLE.map((terrain) => {
    const owner = view.segments[segment]!.statues[terrain];
    const visitor = view.seats.findIndex((seat) => seat.shaman.terrain === terrain && seat.shaman.segment === segment);
    const both = owner !== null && visitor >= 0;
    const place = (by: number) => polar(segment, middle(terrain), both ? along(terrain, 3 + by) : 0);
    return [
      owner === null ? '' : at(...place(-spread), statue(owner)),
      visitor < 0 ? '' : at(...place(spread), at(0, 2, shaman(visitor))),
    ].join('');
  }).join('');
}

/** Degrees of a length along the middle of a ring. */
const along = (ring: Ring, length: number): number => (length / middle(ring)) * (180 / Math.PI);

const crater = (lava: number, segment: number): string => (lava > 0 ? at(...polar(segment, 44), lavaDiscs(lava)) : '');

/** What the terrains are worth and what the marks on the island mean. */
export function legend(): string {
  const rows = [...BUILDABLE]
    .reverse()
    .map((terrain, i) => [
      el('rect', { x: 0, y: 22 * i, width: 24, height: 19, rx: 4, fill: FILL[terrain] }),
      at(12, 22 * i + 10, terrainMark(terrain)),
      text(32, 22 * i + 14, 12, `${terrain}: ${POINTS[terrain]}`, { ...left, fill: INK }),
    ]);
  return text(0, -8, 12, 'points of a statue', left) + rows.flat().join('');
}

/** Lava discs still to come, and the flame that marks what lava would reach. */
export function lavaSupply(count: number): string {
  const discs = Array.from({ length: 4 }, (_, i) =>
    at(
      12 + 28 * i,
      0,
      el('circle', {
        r: 11,
        fill: i < count ? LAVA : 'none',
        stroke: i < count ? INK : '#b3a893',
        'stroke-dasharray': i < count ? undefined : '3 3',
      }),
      i < count ? flame(0.85) : '',
    ),
  );
  return [
    ...discs,
    text(0, -20, 12, 'lava supply', left),
    at(6, 28, flame(0.9)),
    text(18, 32, 12, 'lava would reach', left),
  ].join('');
}

/** How sums and the way of the boat are shown. */
export const signs = (): string =>
  [
    sumBadge(0, 7, 4),
    text(20, 4, 12, 'higher sum, chooses first', left),
    at(0, 28, sumBadge(1, 4, 7), text(20, 4, 12, 'lower sum', left)),
    at(
      0,
      54,
      el('path', {
        d: 'M-9 4 A10 10 0 1 1 6 7 M6 7 L11 3 M6 7 L1 2',
        fill: 'none',
        stroke: '#1d4e63',
        'stroke-width': 2.4,
      }),
    ),
    text(20, 58, 12, 'the boat sails clockwise', left),
  ].join('');
