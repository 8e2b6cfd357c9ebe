import type { Rng, Seat } from '../game.ts';
import type { Action, ActionOf } from './actions.ts';
import { DISPLAY, JUNGLE_TILE_NAMES, WORKER_TILE_NAMES, WORKER_TILES } from './data.ts';
import { type Bag, draw, type State, sizeOf } from './state.ts';
import * as table from './table.ts';
import { activate, doWork, listWork } from './work.ts';

interface Step {
  legal(state: State, seat: Seat): Action[];
  apply(state: State, seat: Seat, action: Action, rng: Rng): void;
}

/** A turn goes place, fill, work. A step that leaves no choice is passed over. */
export const steps: Record<State['step'], Step> = {
  place: {
    legal(state, seat) {
      const actions: Action[] = [];
      if (seat !== state.active) return actions;
      const { hand, sun } = state.villages[seat]!;
      listPlacements(actions, 'place', hand, state.table.open);
      if (sun > 0 && isExhausted(state)) listPlacements(actions, 'overbuild', hand, coverable(state, seat));
      return actions;
    },

    apply(state, seat, action, rng) {
      const { type, tile: name, row, col, turn } = action as ActionOf<'place' | 'overbuild'>;
      const tile = WORKER_TILE_NAMES.indexOf(name);
      const village = state.villages[seat]!;
      village.hand[tile]!--;
      state.last = table.cellAt(row, col);
      state.filled = [];
      if (type === 'place') {
        table.layWorkers(state.table, state.last, seat, table.faceOf(tile, turn));
        state.empty = table.cellsToFill(state.table, state.last);
      } else {
        village.sun--;
        table.coverWorkers(state.table, state.last, table.faceOf(tile, turn));
      }
      goOnFilling(state, rng);
    },
  },

  fill: {
    legal(state, seat) {
      const actions: Action[] = [];
      if (seat !== state.active) return actions;
      const kinds = new Set(state.display);
      for (const cell of state.empty) {
        const row = table.rowOf(cell);
        const col = table.colOf(cell);
        for (const kind of kinds) actions.push({ type: 'fill', row, col, tile: JUNGLE_TILE_NAMES[kind]! });
      }
      return actions;
    },

    apply(state, _seat, action, rng) {
      const { row, col, tile } = action as ActionOf<'fill'>;
      const kind = JUNGLE_TILE_NAMES.indexOf(tile);
      state.display.splice(state.display.indexOf(kind), 1);
      fill(state, table.cellAt(row, col), kind);
      goOnFilling(state, rng);
    },
  },

  work: {
    legal: (state, seat) => listWork(state.villages[seat]!),

    apply(state, seat, action, rng) {
      doWork(state.villages[seat]!, action as ActionOf<'harvest' | 'sell'>);
      goOnWorking(state, rng);
    },
  },

  over: { legal: () => [], apply: () => {} },
};

function listPlacements(actions: Action[], type: 'place' | 'overbuild', hand: Bag, cells: readonly table.Cell[]): void {
  for (const [index, { name: tile, turns }] of WORKER_TILES.entries()) {
    if (hand[index] === 0) continue;
    for (const cell of cells) {
      const row = table.rowOf(cell);
      const col = table.colOf(cell);
      for (let turn = 0; turn < turns; turn++) actions.push({ type, tile, row, col, turn });
    }
  }
}

const isExhausted = (state: State): boolean => state.display.length === 0 && sizeOf(state.pile) === 0;

/** Own worker tiles that neither cover another one nor are covered: a stack is at most two high (ruling 1). */
function coverable({ table: { workers } }: State, seat: Seat): table.Cell[] {
  return workers.cells.filter((_, i) => workers.seats[i] === seat && workers.covered[i] === table.NONE);
}

function fill(state: State, cell: table.Cell, kind: table.Kind): void {
  table.layJungle(state.table, cell, kind);
  state.filled.push(cell);
  state.empty.splice(state.empty.indexOf(cell), 1);
}

/** Fills what leaves no choice. Once nothing is left to fill, the workers are activated. */
function goOnFilling(state: State, rng: Rng): void {
  while (state.empty.length > 0 && !isFillingOpen(state)) {
    // Cells without a tile stay empty for ever (ruling 3).
    if (isExhausted(state)) state.empty = [];
    // A third cell is filled blind, after the display (ruling 4).
    else fill(state, state.empty[0]!, state.display.pop() ?? draw(state.pile, rng));
  }
  if (state.empty.length > 0) {
    state.step = 'fill';
  } else {
    activate(state);
    goOnWorking(state, rng);
  }
}

/** Whether tiles of the display differ, or are too few for the cells, so that it matters where each one goes. */
function isFillingOpen({ display, empty }: State): boolean {
  return display.length > 0 && (display.length < empty.length || display[0] !== display.at(-1));
}

function goOnWorking(state: State, rng: Rng): void {
  if (state.villages.some(({ edges }) => edges.length > 0)) state.step = 'work';
  else endTurn(state, rng);
}

/** All seats have equally many tiles, so the first seat without one ends the match, and ends it after a whole round. */
function endTurn(state: State, rng: Rng): void {
  const { hand, pile } = state.villages[state.active]!;
  if (sizeOf(pile) > 0) hand[draw(pile, rng)]!++;
  while (state.display.length < DISPLAY && sizeOf(state.pile) > 0) state.display.push(draw(state.pile, rng));
  state.active = (state.active + 1) % state.villages.length;
  state.step = sizeOf(state.villages[state.active]!.hand) > 0 ? 'place' : 'over';
}
