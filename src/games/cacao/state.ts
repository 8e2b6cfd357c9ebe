import { type Static, Type } from 'typebox';
import type { Rng, Seat } from '../game.ts';
import {
  DISPLAY,
  HAND,
  JUNGLE_TILE_NAMES,
  JUNGLE_TILES,
  removedTiles,
  START_TILES,
  WORKER_TILE_NAMES,
  WORKER_TILES,
} from './data.ts';
import { type Cell, cellAt, type Kind, layJungle, NONE, type Table, tileOf } from './table.ts';

export interface State {
  step: 'place' | 'fill' | 'work' | 'over';
  /** The seat whose turn it is. */
  active: Seat;
  villages: Village[];
  /** Jungle tiles not yet drawn. */
  pile: Bag;
  /** Jungle tiles turned up. */
  display: Kind[];
  table: Table;
  /** Where the last worker tile was laid, or NONE. */
  last: Cell;
  /** Jungle cells filled since then. */
  filled: Cell[];
  /** Jungle cells that wait to be filled, in reading order. */
  empty: Cell[];
}

/** What belongs to one seat. */
export interface Village {
  hand: Bag;
  pile: Bag;
  cacao: number;
  /** There is no limit: the bank never runs out (R5). */
  gold: number;
  sun: number;
  /** Index into WATER_TRACK. */
  water: number;
  /** Activated sides at plantations and markets that wait for a decision of this seat. */
  edges: Edge[];
}

/** A side of a worker tile that faces a jungle tile. */
export interface Edge {
  cell: Cell;
  side: number;
  workers: number;
  kind: Kind;
}

/** Tiles without an order: how many of each kind. */
export type Bag = number[];

/** Options where the printed rules leave a choice. Both came with rules 2. */
export const OptionsSchema = Type.Object(
  {
    removedGoldMine: Type.Enum([1, 2], {
      default: 1,
      description:
        'The value of the gold mine that goes back to the box with two seats: 1 as in the English rulebook, 2 as in the Czech one.',
    }),
    begins: Type.Union(
      [Type.Literal('seat0', { title: 'Seat A, the first' }), Type.Literal('lot', { title: 'Drawn by lot' })],
      {
        default: 'seat0',
        title: 'First turn',
        description: 'Who has the first turn: the first seat, or a seat drawn by lot.',
      },
    ),
  },
  { additionalProperties: false },
);
export type Options = Static<typeof OptionsSchema>;

/** What rules 1 always use. */
export const DEFAULTS: Options = { removedGoldMine: 1, begins: 'seat0' };

export function setup({ removedGoldMine, begins }: Options, seats: number, rng: Rng): State {
  const table: Table = {
    jungle: { cells: [], kinds: [] },
    workers: { cells: [], seats: [], faces: [], covered: [] },
    open: [],
  };
  const pile: Bag = JUNGLE_TILES.map(({ box }) => box);
  if (seats === 2) for (const name of removedTiles(removedGoldMine)) pile[JUNGLE_TILE_NAMES.indexOf(name)]!--;
  for (const { name, row, col } of START_TILES) {
    const kind = JUNGLE_TILE_NAMES.indexOf(name);
    pile[kind]!--;
    layJungle(table, cellAt(row, col), kind);
  }
  const villages = Array.from({ length: seats }, () => village(seats, rng));
  const display = Array.from({ length: DISPLAY }, () => draw(pile, rng));
  // The lot (R8) is drawn last, so that everything else is as it would be without it.
  const active = begins === 'lot' ? rng.int(seats) : 0;
  return { step: 'place', active, villages, pile, display, table, last: NONE, filled: [], empty: [] };
}

function village(seats: number, rng: Rng): Village {
  const pile: Bag = WORKER_TILES.map(({ copies }) => copies[seats as keyof typeof copies]);
  const hand: Bag = pile.map(() => 0);
  for (let i = 0; i < HAND; i++) hand[draw(pile, rng)]!++;
  return { hand, pile, cacao: 0, gold: 0, sun: 0, water: 0, edges: [] };
}

export function sizeOf(bag: Bag): number {
  let size = 0;
  for (const count of bag) size += count;
  return size;
}

/** Takes one tile out of a bag, each equally likely; the bag must not be empty. */
export function draw(bag: Bag, rng: Rng): number {
  let left = rng.int(sizeOf(bag));
  let kind = 0;
  while (left >= bag[kind]!) left -= bag[kind++]!;
  bag[kind]!--;
  return kind;
}

/**
 * Every field is named, because states are copied with every action and for every play-out of a bot: a spread takes
 * several times as long, and structuredClone longer still.
 */
export const copyOf = (state: State): State => ({
  step: state.step,
  active: state.active,
  villages: state.villages.map(copyVillage),
  pile: state.pile.slice(),
  display: state.display.slice(),
  table: copyTable(state.table),
  last: state.last,
  filled: state.filled.slice(),
  empty: state.empty.slice(),
});

const copyVillage = ({ hand, pile, cacao, gold, sun, water, edges }: Village): Village => ({
  hand: hand.slice(),
  pile: pile.slice(),
  cacao,
  gold,
  sun,
  water,
  edges: edges.map(({ cell, side, workers, kind }) => ({ cell, side, workers, kind })),
});

const copyTable = ({ jungle, workers, open }: Table): Table => ({
  jungle: { cells: jungle.cells.slice(), kinds: jungle.kinds.slice() },
  workers: {
    cells: workers.cells.slice(),
    seats: workers.seats.slice(),
    faces: workers.faces.slice(),
    covered: workers.covered.slice(),
  },
  open: open.slice(),
});

/** Jungle tiles by kind, worker tiles by seat and kind. */
export function accounts({ villages, pile, display, table: { jungle, workers } }: State): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (name: string, count: number) => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  pile.forEach((count, kind) => {
    add(JUNGLE_TILE_NAMES[kind]!, count);
  });
  for (const kind of [...display, ...jungle.kinds]) add(JUNGLE_TILE_NAMES[kind]!, 1);
  villages.forEach((village, seat) => {
    WORKER_TILE_NAMES.forEach((name, tile) => {
      add(`seat ${seat} ${name}`, village.hand[tile]! + village.pile[tile]!);
    });
  });
  workers.seats.forEach((seat, i) => {
    for (const face of [workers.faces[i]!, workers.covered[i]!]) {
      if (face !== NONE) add(`seat ${seat} ${WORKER_TILE_NAMES[tileOf(face)]}`, 1);
    }
  });
  return counts;
}
