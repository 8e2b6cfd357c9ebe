import { at, el, group, SEATS, seatMark, text } from '../svg.ts';
import {
  JUNGLE_TILE_NAMES,
  JUNGLE_TILES,
  type JungleTileName,
  WORKER_TILE_NAMES,
  WORKER_TILES,
  type WorkerTileName,
} from './data.ts';

/** The pieces, each drawn 100 wide and told apart by shape as well as by colour. */

export const INK = '#2b2118';
export const FAINT = '#8a7d6b';
export const LINE = '#cdbfa5';
export const GOLD = '#e9b430';
const SAND = '#efe4cd';
const LEAF = '#4d7c3a';
const POD = '#8a4b23';

const GROUND: Record<(typeof JUNGLE_TILES)[number]['use'], string> = {
  plantation: '#cfe2b0',
  market: '#f4dfc4',
  gold_mine: '#d3cec6',
  water: '#c3e1f0',
  sun_site: '#fbeeb8',
  temple: '#dcd3e6',
};

/** Children drawn in units of a hundredth of `size`, with their origin at (x, y). */
export const scaled = (x: number, y: number, size: number, ...children: string[]): string =>
  at(x, y, group({ transform: `scale(${Math.round(size * 100) / 10_000})` }, ...children));

const card = (fill: string, stroke: string, rx: number): string =>
  el('rect', { x: 2, y: 2, width: 96, height: 96, rx, fill, stroke, 'stroke-width': 3 });

const ICONS: Record<(typeof JUNGLE_TILES)[number]['use'], (value: number) => string> = {
  plantation: (value) => (value === 1 ? pod(50, 50, 1.35) : pod(30, 53, 1.05) + pod(65, 53, 1.05)),
  market: (price) => stall() + coin(50, 68, 21, price),
  gold_mine: (value) => mine() + coin(50, 66, 21, value),
  water: () => drop(50, 52, 1.15) + wave(82) + wave(91),
  sun_site: () => sun(50, 50, 1.3),
  temple: () => pyramid(),
};

/** A cacao pod, about 32 wide and 54 high. */
export const pod = (x: number, y: number, scale: number): string =>
  group(
    { transform: `translate(${x} ${y}) rotate(18) scale(${scale})`, stroke: INK, 'stroke-width': 2 },
    el('path', { d: 'M0 -24 Q10 -36 22 -30 Q14 -20 0 -24', fill: LEAF }),
    el('path', { d: 'M0 -26 C22 -18 20 16 0 28 C-20 16 -22 -18 0 -26Z', fill: POD }),
    el('path', {
      d: 'M0 -22 V23 M-4 -21 C-13 -8 -12 10 -4 21 M4 -21 C13 -8 12 10 4 21',
      fill: 'none',
      stroke: '#f0c9a0',
      'stroke-width': 2.5,
    }),
  );

export function coin(x: number, y: number, r: number, value: number | string): string {
  return (
    el('circle', { cx: x, cy: y, r, fill: GOLD, stroke: INK, 'stroke-width': r / 9 }) +
    text(x, y + r * 0.48, r * 1.35, value, { 'font-weight': 700, fill: INK })
  );
}

function stall(): string {
  const stripes = [0, 1, 2, 3, 4].map((i) =>
    el('path', {
      d: `M${14 + i * 14.4} 16 h14.4 v22 a7.2 7.2 0 0 1 -14.4 0z`,
      fill: i % 2 === 0 ? '#b23a2e' : '#fffaf0',
      stroke: INK,
      'stroke-width': 2,
    }),
  );
  const posts = el('path', { d: 'M19 44 V90 M81 44 V90', stroke: INK, 'stroke-width': 5 });
  return posts + stripes.join('');
}

function mine(): string {
  return (
    el('path', { d: 'M6 90 L30 22 L44 44 L58 14 L94 90Z', fill: '#8d8478', stroke: INK, 'stroke-width': 2.5 }) +
    el('path', { d: 'M24 90 V64 a26 26 0 0 1 52 0 V90Z', fill: '#33291f', stroke: INK, 'stroke-width': 2.5 })
  );
}

/** A drop of water, about 46 wide and 62 high. */
export const drop = (x: number, y: number, scale: number): string =>
  group(
    { transform: `translate(${x} ${y - 8}) scale(${scale})` },
    el('path', {
      d: 'M0 -32 C10 -16 23 -4 23 9 a23 23 0 0 1 -46 0 C-23 -4 -10 -16 0 -32Z',
      fill: '#2f7fb5',
      stroke: INK,
      'stroke-width': 2,
    }),
    el('path', {
      d: 'M-12 8 a12 12 0 0 0 9 12',
      fill: 'none',
      stroke: '#e8f5fb',
      'stroke-width': 4,
      'stroke-linecap': 'round',
    }),
  );

const wave = (y: number): string =>
  el('path', { d: `M10 ${y} q10 -8 20 0 t20 0 t20 0 t20 0`, fill: 'none', stroke: '#2f7fb5', 'stroke-width': 3 });

const RAYS = Array.from({ length: 16 }, (_, i) => {
  const [r, angle] = [i % 2 === 0 ? 31 : 17, (i * Math.PI) / 8];
  return `${Math.round(r * Math.sin(angle))},${Math.round(r * Math.cos(angle))}`;
});

/** A sun, about 60 wide. */
export const sun = (x: number, y: number, scale: number): string =>
  group(
    { transform: `translate(${x} ${y}) scale(${scale})`, stroke: INK, 'stroke-width': 2 },
    el('polygon', { points: RAYS.join(' '), fill: '#d9731a' }),
    el('circle', { r: 16, fill: '#f6c531' }),
  );

function pyramid(): string {
  const step = (x: number, y: number) =>
    el('rect', { x, y, width: 100 - 2 * x, height: 15, fill: '#8c7aa6', stroke: INK, 'stroke-width': 2 });
  return (
    [step(38, 12), step(29, 27), step(20, 42), step(11, 57)].join('') +
    el('path', { d: 'M43 72 V27 h14 V72Z', fill: '#f2edf7', stroke: INK, 'stroke-width': 2 })
  );
}

/** The face-down side of a worker tile. */
export const back = (seat: number): string => card(SEATS[seat]!.colour, INK, 12);

/** Where a worker stands: `along` counts from the middle of its side. */
function workerSpot(side: number, along: number): [number, number] {
  const near = 20;
  const far = 50 + along * 24;
  return [
    [far, near],
    [100 - near, far],
    [far, 100 - near],
    [near, far],
  ][side] as [number, number];
}

function hut(seat: number): string {
  const { colour, ink, letter } = SEATS[seat]!;
  return (
    el('path', { d: 'M50 32 L69 47 H65 V67 H35 V47 H31Z', fill: colour, stroke: INK, 'stroke-width': 2 }) +
    text(50, 63, 20, letter, { 'font-weight': 700, fill: ink })
  );
}

function workers(sides: readonly number[], turn: number, seat: number): string {
  const marks = [0, 1, 2, 3].flatMap((side) => {
    const count = sides[(side - turn + 4) % 4]!;
    return Array.from({ length: count }, (_, i) => {
      const [x, y] = workerSpot(side, i - (count - 1) / 2);
      return seatMark(seat, x, y, 9.5, { 'stroke-width': 2 });
    });
  });
  return marks.join('');
}

/** Tiles are most of a picture and always look the same, so each is drawn once. */
const JUNGLE = JUNGLE_TILES.map(({ use, value }) => card(GROUND[use], '#55663f', 4) + ICONS[use](value));
const WORKERS = SEATS.map((_, seat) => {
  const ground = back(seat) + el('rect', { x: 8, y: 8, width: 84, height: 84, rx: 8, fill: SAND }) + hut(seat);
  return WORKER_TILES.map(({ sides }) => [0, 1, 2, 3].map((turn) => ground + workers(sides, turn, seat)));
});

export const jungleTile = (name: JungleTileName): string => JUNGLE[JUNGLE_TILE_NAMES.indexOf(name)]!;

/** The workers in the shape of their seat along the sides, its hut in the middle. */
export const workerTile = (name: WorkerTileName, turn: number, seat: number): string =>
  WORKERS[seat]![WORKER_TILE_NAMES.indexOf(name)]![turn]!;
