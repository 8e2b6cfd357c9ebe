import type { Scene } from '../game.ts';
import { at, el, group, target, text } from '../svg.ts';
import { BUILDABLE, DISCS, HUTS, NAMES, PIER, SEGMENTS, type Terrain } from './data.ts';
import { beachInWords, cardsInWords, craterInWords, spaceInWords } from './describe.ts';
import { bold, flame, INK, LAST, LAVA, paintOf } from './icons.ts';
import { boat, CARD, card, disc, emptyNotch, hut, lavaDiscs, pier, shaman, statue, summonDisc } from './svg-pieces.ts';
import { cardTarget, craterTarget, spaceTarget } from './targets.ts';
import type { View } from './view.ts';

/**
 * The island with the cards of its segments: six segments clockwise, segment 0 on top. It is drawn once for both
 * layouts, in units that are pixels of a phone; the wide layout enlarges it.
 */
export const BOARD = { width: 400, height: 548 };

/** Outer and inner radius of each ring. */
const RING = { crater: 40, mountain: 75, forest: 110, land: 144, beach: 180, water: 196 };
const INNER = { crater: 0, mountain: 40, forest: 75, land: 110, beach: 144, water: 180 };
export const GROUND_COLOURS = {
  crater: '#5b4a45',
  mountain: '#c9bdb2',
  forest: '#8fb37d',
  land: '#d7dfa3',
  beach: '#f5e3b3',
  water: '#a9d3e3',
};
type Ring = keyof typeof RING;

const middle = (ring: Ring) => (RING[ring] + INNER[ring]) / 2;
const round = (n: number) => Math.round(n * 10) / 10;

/** A place `turn` degrees clockwise of a segment's middle. */
function polar(segment: number, radius: number, turn = 0): [number, number] {
  const angle = ((60 * segment + turn - 90) * Math.PI) / 180;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}
/** Degrees of a length along a circle. */
const along = (radius: number, length: number): number => (length / radius) * (180 / Math.PI);

/** The outline of a segment's part of a ring, inset by some units. */
function sector(segment: number, ring: Ring, inset = 0): string {
  const [outer, inner] = [RING[ring] - inset, INNER[ring] + inset];
  const corner = (radius: number, side: number) =>
    polar(segment, radius, side * (30 - (inset > 0 ? along(radius, inset) : 0)))
      .map(round)
      .join(' ');
  if (inner <= inset) return `M0 0 L${corner(outer, -1)} A${outer} ${outer} 0 0 1 ${corner(outer, 1)} Z`;
  const outwards = `M${corner(inner, -1)} L${corner(outer, -1)} A${outer} ${outer} 0 0 1 ${corner(outer, 1)}`;
  return `${outwards} L${corner(inner, 1)} A${inner} ${inner} 0 0 0 ${corner(inner, -1)} Z`;
}

const EACH = Array.from({ length: SEGMENTS }, (_, segment) => segment);

const turned = (segment: number, radius: number, turn: number, ...children: string[]): string => {
  const [x, y] = polar(segment, radius, turn);
  return group({ transform: `translate(${round(x)} ${round(y)}) rotate(${60 * segment + turn})` }, ...children);
};
const scaled = (scale: number, ...children: string[]): string => group({ transform: `scale(${scale})` }, ...children);

/**
 * The island and the cards. Only places can be clicked: pieces lie above them and let clicks through, so that a place
 * is hit wherever it is clicked.
 */
export function board(view: View, scene: Scene): string {
  return [
    ...EACH.map((segment) => tray(view, scene, segment)),
    at(
      BOARD.width / 2,
      BOARD.height / 2,
      el('circle', { r: RING.water, fill: GROUND_COLOURS.water, stroke: '#7fb4c8' }),
      ...EACH.flatMap((segment) => places(view, scene, segment)),
      group(
        { 'pointer-events': 'none' },
        ...EACH.map(border),
        ...EACH.map((segment) => crater(view, segment)),
        ...BUILDABLE.flatMap((terrain) => EACH.map((segment) => space(view, terrain, segment))),
        ...EACH.map((segment) => beach(view, segment)),
        OVERLAY,
      ),
      boatPiece(view, scene),
    ),
  ].join('');
}

/** What can be clicked in a segment. */
const places = (view: View, scene: Scene, segment: number): string[] => [
  place(scene, 'beach', segment, beachInWords(view, segment)),
  ...BUILDABLE.map((terrain) => place(scene, terrain, segment, spaceInWords(view, terrain, segment))),
  place(scene, 'crater', segment, craterInWords(view, segment)),
];

function place(scene: Scene, ring: Exclude<Ring, 'water'>, segment: number, desc: string): string {
  const name = ring === 'crater' ? craterTarget(segment) : spaceTarget(ring, segment);
  const paint = { fill: GROUND_COLOURS[ring], stroke: '#fff8e7', 'stroke-width': 1.4 };
  const ground = el('path', { d: sector(segment, ring), ...paint });
  return target(name, `${ring} ${segment}`, { desc }, ground, markOf(scene, name, ring, segment));
}

/** Marks what the last action was about. */
const markOf = (scene: Scene, name: string, ring: Ring, segment: number): string =>
  scene.last?.targets.includes(name)
    ? el('path', { d: sector(segment, ring, 2.5), fill: 'none', stroke: LAST, 'stroke-width': 3 })
    : '';

/** The line between two segments. */
const border = (segment: number): string => {
  const [[x1, y1], [x2, y2]] = [9, RING.beach].map((radius) => polar(segment, radius, -30)) as [Point, Point];
  return el('line', { x1, y1, x2, y2, stroke: '#6d5c48', 'stroke-width': 1.6 });
};
type Point = [number, number];

const numberBadge = (segment: number): string =>
  el('circle', { r: 9, fill: '#1d4e63' }) + text(0, 4.2, 12, segment, { fill: '#fff', ...bold });

/** The numbers of the segments, and the vent, over which no lava is moved. */
const OVERLAY = [
  ...EACH.map((segment) => at(...polar(segment, middle('water') + 2), numberBadge(segment))),
  el('circle', { r: 10, fill: '#3a2d2a' }),
  el('circle', { r: 6, fill: LAVA }),
  el('circle', { r: 3, fill: '#ffb703' }),
].join('');

const MARKS: Record<(typeof BUILDABLE)[number], [path: string, fill: string]> = {
  mountain: ['M-9 7 L-1 -7 L3 0 L5 -3 L10 7Z', '#8b7b70'],
  forest: ['M0 -9 L7 4 H2 V8 H-2 V4 H-7Z', '#4d7a45'],
  land: ['M-7 6 Q-6 -1 -8 -4 Q-3 0 -2 5 Q-1 -3 1 -6 Q2 0 2 5 Q5 -1 8 -3 Q6 1 6 6Z', '#97a84f'],
};

export function terrainMark(terrain: (typeof BUILDABLE)[number]): string {
  const [d, fill] = MARKS[terrain];
  return el('path', { d, fill });
}

/** The tray and the cards of a segment. The one at the boat is outlined. */
function tray(view: View, scene: Scene, segment: number): string {
  const here = view.boat === segment;
  const [width, height] = [2 * CARD.width + 10, CARD.height + 8];
  const cards = view.segments[segment]!.cards.map((kind, notch) => {
    const name = cardTarget(segment, notch);
    const last = scene.last?.targets.includes(name) ? outline(CARD.width, CARD.height) : '';
    const words = kind ? `${NAMES[kind]} card of segment ${segment}` : `empty notch of segment ${segment}`;
    return target(
      name,
      words,
      { transform: `translate(${notch === 0 ? -CARD.width / 2 - 1.5 : CARD.width / 2 + 1.5} 0)` },
      kind ? group({ id: `p-card-${segment}-${notch}-${kind}` }, card(kind)) : emptyNotch(),
      last,
    );
  });
  return at(
    ...trayAt(segment),
    el('title', {}, `segment ${segment}: ${cardsInWords(view, segment)}`),
    el('rect', {
      x: -width / 2,
      y: -height / 2,
      width,
      height,
      rx: 10,
      fill: here ? '#a9d3e3' : '#e8dfcc',
      stroke: here ? '#1d4e63' : '#cdbf9f',
      'stroke-width': here ? 2.4 : 1,
    }),
    ...cards,
    group({ 'pointer-events': 'none' }, at(0, -5, numberBadge(segment))),
  );
}

export const outline = (width: number, height: number): string =>
  el('rect', {
    x: -width / 2 - 1,
    y: -height / 2 - 1,
    width: width + 2,
    height: height + 2,
    rx: 8,
    fill: 'none',
    stroke: LAST,
    'stroke-width': 3,
  });

/** The upper three segments have their cards above the island, the lower three below it. */
function trayAt(segment: number): [number, number] {
  const upper = segment % 5 < 2;
  const column = segment % 3 === 0 ? 0 : segment < 3 ? 1 : -1;
  return [BOARD.width / 2 + column * 133, upper ? 38 : BOARD.height - 38];
}

const DISC = 9.4;

/** One arc of discs for each seat, beginning with its sum; a shaman stands beside its hut. */
const beach = (view: View, segment: number): string =>
  [
    (HUTS as readonly number[]).includes(segment) ? at(...polar(segment, middle('beach'), 25), scaled(0.8, hut())) : '',
    segment === PIER ? turned(segment, RING.beach, 22, scaled(0.7, pier())) : '',
    ...[0, 1].map((seat) => discRow(view, segment, seat)),
    ...visitors(view, 'beach', segment).map((seat) =>
      at(...polar(segment, middle('beach'), 19), scaled(0.72, shamanPiece(seat))),
    ),
  ].join('');

function discRow(view: View, segment: number, seat: number): string {
  const { discs, sums, summons } = view.segments[segment]!;
  const { letter } = paintOf(seat);
  const radius = middle('beach') + (seat === 0 ? DISC : -DISC);
  const step = along(radius, 2 * DISC + 0.8);
  const pieces = discs[seat]!.map((number) => group({ id: `p-disc-${letter}${number}` }, disc(seat, number, DISC)));
  if (summons[seat]) pieces.push(group({ id: `p-summon-${letter}` }, summonDisc(seat, DISC)));
  const first = (-(pieces.length - 1) / 2) * step;
  const row = pieces.map((piece, i) => at(...polar(segment, radius, first + i * step), piece));
  // The two sums lean to different sides, so that they do not cover each other.
  const lean = (seat === 0) === (segment % 3 === 1) ? -25 : -20.5;
  if (sums[seat]! > 0) row.push(at(...polar(segment, radius, lean), sumBadge(seat, sums[seat]!, sums[1 - seat]!)));
  return row.join('');
}

/** The higher sum, which chooses first, is bold and has a thicker rim. */
export const sumBadge = (seat: number, sum: number, other: number): string =>
  el('rect', {
    x: -14,
    y: -8,
    width: 28,
    height: 16,
    rx: seat === 0 ? 8 : 2,
    fill: '#fff',
    stroke: sum > other ? paintOf(seat).colour : INK,
    'stroke-width': sum > other ? 3 : 1,
  }) + text(0, 4.3, 12, `Σ${sum}`, sum > other ? bold : {});

/** The boat can be clicked only when it can sail on; otherwise it must not cover the beach. */
function boatPiece({ boat: segment }: View, scene: Scene): string {
  const last = scene.last?.targets.includes('boat')
    ? el('ellipse', { rx: 25, ry: 11, fill: 'none', stroke: LAST, 'stroke-width': 3 })
    : '';
  const piece = turned(segment, middle('water') + 3, -12, last, scaled(0.68, group({ id: 'p-boat' }, boat())));
  if (!scene.legal.includes('boat')) return group({ 'pointer-events': 'none' }, piece);
  const [cx, cy] = polar(segment, middle('water') + 3, -12);
  const hit = el('circle', { cx, cy, r: 22, fill: 'none', 'pointer-events': 'all' });
  return target('boat', 'boat', { desc: `at segment ${segment}; it sails clockwise` }, hit, piece);
}

const visitors = (view: View, terrain: Terrain, segment: number): number[] =>
  [0, 1].filter((seat) => {
    const stands = view.seats[seat]!.shaman;
    return stands.terrain === terrain && stands.segment === segment;
  });

const shamanPiece = (seat: number): string => group({ id: `p-shaman-${paintOf(seat).letter}` }, shaman(seat));

/** The mark of the terrain, or a flame where lava would reach it; statue and shaman stand beside each other. */
function space(view: View, terrain: (typeof BUILDABLE)[number], segment: number): string {
  const { statues, lava } = view.segments[segment]!;
  const owner = statues[terrain];
  const [visitor] = visitors(view, terrain, segment);
  const radius = middle(terrain);
  const beside = owner === null || visitor === undefined ? 0 : segment % 3 === 0 ? 11 : 15;
  const stand = (by: number) => polar(segment, radius, by === 0 ? 0 : along(radius, 4 + by));
  const reached = lava >= BUILDABLE.length - BUILDABLE.indexOf(terrain);
  const mark = scaled(0.8, reached ? flame(1.1) : terrainMark(terrain));
  const pieces = [at(...polar(segment, radius, terrain === 'mountain' ? -21 : -23), mark)];
  if (owner !== null) {
    const piece = group({ id: `p-statue-${terrain}-${segment}` }, statue(owner));
    pieces.push(at(...stand(-beside), scaled(0.82, piece)));
  }
  if (visitor !== undefined) pieces.push(at(...stand(beside), at(0, 1, scaled(0.76, shamanPiece(visitor)))));
  return pieces.join('');
}

function crater(view: View, segment: number): string {
  const { lava } = view.segments[segment]!;
  return lava > 0 ? at(...polar(segment, 26.5), group({ id: `p-lava-${segment}` }, lavaDiscs(lava))) : '';
}

export const DISC_NUMBERS = Array.from({ length: DISCS }, (_, i) => i + 1);
