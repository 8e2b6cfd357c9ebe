import type { Seat } from '../game.ts';
import { WORKER_TILES } from './data.ts';

/**
 * The table: tiles as parallel lists in the order in which they were laid. At most 64 tiles ever lie there, so a search
 * through a flat list of small integers is as quick as any index, and the state stays short and cheap to copy.
 */
export interface Table {
  jungle: { cells: Cell[]; kinds: Kind[] };
  /** `covered` is the face of the tile below, or NONE. */
  workers: { cells: Cell[]; seats: Seat[]; faces: Face[]; covered: Face[] };
  /** Free worker cells next to a jungle tile, in reading order: where a worker tile may be placed. */
  open: Cell[];
}

/** A row and a column as one number. */
export type Cell = number;
/** A jungle tile as an index into JUNGLE_TILES. */
export type Kind = number;
/** A worker tile as an index into WORKER_TILES. */
export type Tile = number;
/** A worker tile and how it is turned, as one number. */
export type Face = number;

export const NONE = -1;

/**
 * The plane is unbounded, but a match is not: a new jungle tile lies next to two worker tiles, which lie next to jungle
 * tiles laid in earlier turns, so a turn moves the border of the jungle by at most one row and one column. With 26 tiles
 * to lay, every row and column is within 28 of the start, and 64 to a side leave room.
 */
const SPAN = 64;
const HALF = SPAN / 2;

export const cellAt = (row: number, col: number): Cell => (row + HALF) * SPAN + col + HALF;
export const rowOf = (cell: Cell): number => Math.floor(cell / SPAN) - HALF;
export const colOf = (cell: Cell): number => (cell % SPAN) - HALF;

/** From a cell to its neighbours, in the order of SIDES. */
export const NEIGHBOURS = [-SPAN, 1, SPAN, -1] as const;
export const opposite = (side: number): number => (side + 2) % 4;

/** The first number of the tile's name faces the side `turn`: 0 = north, 1 = east, 2 = south, 3 = west. */
export const faceOf = (tile: Tile, turn: number): Face => tile * 4 + turn;
export const tileOf = (face: Face): Tile => Math.floor(face / 4);
export const turnOf = (face: Face): number => face % 4;

const FACES = WORKER_TILES.flatMap(({ sides }) =>
  [0, 1, 2, 3].map((turn) => [0, 1, 2, 3].map((side) => sides[(side - turn + 4) % 4]!)),
);
/** Workers by side, in the order of SIDES. */
export const sidesOf = (face: Face): readonly number[] => FACES[face]!;

/** The jungle tile on a cell, or NONE. */
export function jungleOn(table: Table, cell: Cell): Kind {
  const at = table.jungle.cells.indexOf(cell);
  return at < 0 ? NONE : table.jungle.kinds[at]!;
}

export function layWorkers(table: Table, cell: Cell, seat: Seat, face: Face): void {
  const { cells, seats, faces, covered } = table.workers;
  cells.push(cell);
  seats.push(seat);
  faces.push(face);
  covered.push(NONE);
  table.open.splice(table.open.indexOf(cell), 1);
}

/** Lays a worker tile on top of another one. */
export function coverWorkers(table: Table, cell: Cell, face: Face): void {
  const { cells, faces, covered } = table.workers;
  const at = cells.indexOf(cell);
  covered[at] = faces[at]!;
  faces[at] = face;
}

export function layJungle(table: Table, cell: Cell, kind: Kind): void {
  table.jungle.cells.push(cell);
  table.jungle.kinds.push(kind);
  for (const step of NEIGHBOURS) {
    const next = cell + step;
    if (!table.workers.cells.includes(next) && !table.open.includes(next)) insert(table.open, next);
  }
}

/** Inserts into an ascending list: ascending cells are in reading order. */
function insert(cells: Cell[], cell: Cell): void {
  let at = cells.length;
  while (at > 0 && cells[at - 1]! > cell) at--;
  cells.splice(at, 0, cell);
}

/** The empty jungle cells beside a worker tile that have two or more worker tiles beside them. */
export function cellsToFill(table: Table, laid: Cell): Cell[] {
  const { jungle, workers } = table;
  const found: Cell[] = [];
  for (const step of NEIGHBOURS) {
    const cell = laid + step;
    if (jungle.cells.includes(cell)) continue;
    let beside = 0;
    for (const around of NEIGHBOURS) if (workers.cells.includes(cell + around)) beside++;
    if (beside >= 2) insert(found, cell);
  }
  return found;
}
