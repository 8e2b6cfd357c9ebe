import { at, el, group, SEATS, seatMark, text } from '../svg.ts';
import {
  JUNGLE_TILE_NAMES,
  JUNGLE_TILES,
  type JungleTileName,
  WORKER_TILE_NAMES,
  WORKER_TILES,
  type WorkerTileName,
} from './data.ts';
import { coin, drop, INK, LINE, mine, pod, pyramid, stall, sun, wave } from './icons.ts';

/** The pieces, each drawn 100 units wide. They differ by shape as well as by colour. */

const SAND = '#efe4cd';

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

/** An empty place for a piece. */
export const slot = (at: number, size: number, rx: number): string =>
  el('rect', { x: at, y: at, width: size, height: size, rx, fill: '#f1e7d3', stroke: LINE, 'stroke-width': 3 });

const card = (fill: string, stroke: string, rx: number): string =>
  el('rect', { x: 2, y: 2, width: 96, height: 96, rx, fill, stroke, 'stroke-width': 3 });

const ICONS: Record<(typeof JUNGLE_TILES)[number]['use'], (value: number, words: number | string) => string> = {
  plantation: (value) => (value === 1 ? pod(50, 50, 1.35) : pod(30, 53, 1.05) + pod(65, 53, 1.05)),
  market: (_, words) => stall() + coin(50, 68, 24, words),
  gold_mine: (_, words) => mine() + coin(50, 66, 24, words),
  water: () => drop(50, 52, 1.15) + wave(82) + wave(91),
  sun_site: () => sun(50, 50, 1.3),
  temple: () => pyramid(),
};

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
    el('path', { d: 'M50 30 L71 46 H66 V69 H34 V46 H29Z', fill: colour, stroke: INK, 'stroke-width': 2 }) +
    text(50, 68, 35, letter, { 'font-weight': 700, fill: ink })
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
const JUNGLE = JUNGLE_TILES.map(({ use, value }) => card(GROUND[use], '#55663f', 4) + ICONS[use](value, value));
const PLAIN = JUNGLE_TILES.map(({ use, value }) => card(GROUND[use], '#55663f', 4) + ICONS[use](value, ''));
const WORKERS = SEATS.map((_, seat) => {
  const ground = back(seat) + el('rect', { x: 8, y: 8, width: 84, height: 84, rx: 8, fill: SAND }) + hut(seat);
  return WORKER_TILES.map(({ sides }) => [0, 1, 2, 3].map((turn) => ground + workers(sides, turn, seat)));
});

export const jungleTile = (name: JungleTileName): string => JUNGLE[JUNGLE_TILE_NAMES.indexOf(name)]!;
/** Without a number, for places where it would be too small to read. */
export const plainTile = (name: JungleTileName): string => PLAIN[JUNGLE_TILE_NAMES.indexOf(name)]!;

/** The workers in the shape of their seat along the sides, its hut in the middle. */
export const workerTile = (name: WorkerTileName, turn: number, seat: number): string =>
  WORKERS[seat]![WORKER_TILE_NAMES.indexOf(name)]![turn]!;
