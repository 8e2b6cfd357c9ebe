import type { Action } from '../../../src/games/cacao/actions.ts';
import {
  JUNGLE_TILE_NAMES,
  type JungleTileName,
  WORKER_TILE_NAMES,
  type WorkerTileName,
} from '../../../src/games/cacao/data.ts';
import { cacao2 as cacao } from '../../../src/games/cacao/index.ts';
import { DEFAULTS, type Options, type State } from '../../../src/games/cacao/state.ts';
import { cellAt, faceOf, layJungle, layWorkers } from '../../../src/games/cacao/table.ts';
import type { Rng } from '../../../src/games/game.ts';
import { clone, lookUp } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';

interface Pieces {
  seats?: number;
  /** [row, col, tile] */
  jungle?: [number, number, JungleTileName][];
  /** [row, col, seat, tile, turn] */
  workers?: [number, number, number, WorkerTileName, number][];
  /** By seat. */
  hands?: WorkerTileName[][];
  display?: JungleTileName[];
  pile?: JungleTileName[];
}

export const kindOf = (name: JungleTileName): number => JUNGLE_TILE_NAMES.indexOf(name);

export function bagOf<T>(names: readonly T[], held: readonly T[]): number[] {
  return names.map((name) => held.filter((other) => other === name).length);
}

export const setUp = (seats: number, rng: Rng, options: Partial<Options> = {}): State =>
  cacao.setup({ ...DEFAULTS, ...options }, seats, rng);

/** A hand-made position, seat 0 to place: only what is named differs from the set-up. */
export function position({ seats = 2, jungle, workers = [], hands = [], display, pile }: Pieces): State {
  const state = setUp(seats, fastRng(1));
  if (jungle) {
    state.table.jungle = { cells: [], kinds: [] };
    state.table.open = [];
    for (const [row, col, name] of jungle) layJungle(state.table, cellAt(row, col), kindOf(name));
  }
  for (const [row, col, seat, name, turn] of workers) {
    const cell = cellAt(row, col);
    if (!state.table.open.includes(cell)) throw new Error(`No worker tile can lie at (${row},${col})`);
    layWorkers(state.table, cell, seat, faceOf(WORKER_TILE_NAMES.indexOf(name), turn));
  }
  hands.forEach((hand, seat) => {
    state.villages[seat]!.hand = bagOf(WORKER_TILE_NAMES, hand);
  });
  if (display) state.display = display.map(kindOf);
  if (pile) state.pile = bagOf(JUNGLE_TILE_NAMES, pile);
  return state;
}

/** The state after an action, which must be legal. */
export function act(state: State, seat: number, action: Action, rng: Rng = fastRng(1)): State {
  const next = clone(state);
  cacao.apply(next, seat, lookUp(cacao, state, seat, action) as Action, rng);
  return next;
}

export const place = (tile: WorkerTileName, row: number, col: number, turn = 0): Action => ({
  type: 'place',
  tile,
  row,
  col,
  turn,
});

export const labels = (state: State, seat: number): string[] => {
  const view = cacao.view(state, seat);
  return cacao.legal(state, seat).map((action) => cacao.label(action, view));
};

export const acting = (state: State): number[] =>
  [...state.villages.keys()].filter((seat) => cacao.legal(state, seat).length > 0);

/** What a seat owns, as far as a test asks for it. */
export const owns = (state: State, seat: number) => {
  const { cacao: fruits, gold, sun, water } = state.villages[seat]!;
  return { cacao: fruits, gold, sun, water };
};

/** Plays at random from a state to the end of the match; `each` sees every state and then the action chosen there. */
export function playOut(
  state: State,
  rng: Rng,
  each: (state: State, seat: number, action: Action) => void = () => {},
): State {
  for (;;) {
    const seats = acting(state);
    if (seats.length === 0) return state;
    const seat = rng.pick(seats);
    const action = rng.pick(cacao.legal(state, seat));
    each(state, seat, action);
    cacao.apply(state, seat, action, rng);
  }
}
