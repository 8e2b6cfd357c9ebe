import { mayBe, type Rng, type Seat, type Tell, type Wanted } from '../game.ts';
import type { Action, ActionOf } from './actions.ts';
import { DISPLAY, JUNGLE_TILE_NAMES, WORKER_TILE_NAMES, WORKER_TILES } from './data.ts';
import type { Effect } from './effects.ts';
import { scoresOf, templesOf } from './scoring.ts';
import { type Bag, draw, type State, sizeOf } from './state.ts';
import * as table from './table.ts';
import { activate, doWork, listWork } from './work.ts';

interface Step {
  legal(state: State, seat: Seat, wanted?: Wanted): Action[];
  apply(state: State, seat: Seat, action: Action, rng: Rng, tell?: Tell<Effect>): void;
}

/** A turn has the steps place, fill and work. A step that leaves no choice is skipped. */
export const steps: Record<State['step'], Step> = {
  place: {
    legal(state, seat, wanted) {
      const actions: Action[] = [];
      if (seat !== state.active) return actions;
      const { hand, sun } = state.villages[seat]!;
      listPlacements(actions, 'place', hand, state.table.open, wanted);
      if (sun > 0 && isExhausted(state)) listPlacements(actions, 'overbuild', hand, coverable(state, seat), wanted);
      return actions;
    },

    apply(state, seat, action, rng, tell) {
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
      goOnFilling(state, rng, tell);
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

    apply(state, _seat, action, rng, tell) {
      const { row, col, tile } = action as ActionOf<'fill'>;
      const kind = JUNGLE_TILE_NAMES.indexOf(tile);
      state.display.splice(state.display.indexOf(kind), 1);
      fill(state, table.cellAt(row, col), kind);
      goOnFilling(state, rng, tell);
    },
  },

  work: {
    legal: (state, seat) => listWork(state.villages[seat]!),

    apply(state, seat, action, rng, tell) {
      doWork(state.villages[seat]!, seat, action as ActionOf<'harvest' | 'sell'>, tell);
      goOnWorking(state, rng, tell);
    },
  },

  over: { legal: () => [], apply: () => {} },
};

/** Edges wait only where there is something to decide about them. */
export const mayAct = ({ step, active, villages }: State, seat: Seat): boolean =>
  step === 'work' ? villages[seat]!.edges.length > 0 : step !== 'over' && seat === active;

function listPlacements(
  actions: Action[],
  type: 'place' | 'overbuild',
  hand: Bag,
  cells: readonly table.Cell[],
  wanted?: Wanted,
): void {
  for (let index = 0; index < hand.length; index++) {
    const { name: tile, turns } = WORKER_TILES[index]!;
    if (hand[index] === 0 || !mayBe(wanted, 'tile', tile)) continue;
    for (const cell of cells) {
      const row = table.rowOf(cell);
      const col = table.colOf(cell);
      if (!mayBe(wanted, 'row', row) || !mayBe(wanted, 'col', col)) continue;
      for (let turn = 0; turn < turns; turn++) actions.push({ type, tile, row, col, turn });
    }
  }
}

const isExhausted = (state: State): boolean => state.display.length === 0 && sizeOf(state.pile) === 0;

/** Own worker tiles that neither cover another one nor are covered: a stack is at most two high (R1). */
function coverable({ table: { workers } }: State, seat: Seat): table.Cell[] {
  return workers.cells.filter((_, i) => workers.seats[i] === seat && workers.covered[i] === table.NONE);
}

function fill(state: State, cell: table.Cell, kind: table.Kind): void {
  table.layJungle(state.table, cell, kind);
  state.filled.push(cell);
  state.empty.splice(state.empty.indexOf(cell), 1);
}

/** Makes the fills that leave no choice. Once nothing is left to fill, the workers are activated. */
function goOnFilling(state: State, rng: Rng, tell?: Tell<Effect>): void {
  while (state.empty.length > 0 && !isFillingOpen(state)) {
    if (isExhausted(state)) leaveEmpty(state, tell);
    else fillNext(state, rng, tell);
  }
  if (state.empty.length > 0) {
    state.step = 'fill';
  } else {
    activate(state, tell);
    goOnWorking(state, rng, tell);
  }
}

/** Cells for which no tile is left stay empty for good (R3). */
function leaveEmpty(state: State, tell?: Tell<Effect>): void {
  if (tell) for (const cell of state.empty) tell({ type: 'leftEmpty', row: table.rowOf(cell), col: table.colOf(cell) });
  state.empty = [];
}

/** A third cell is filled blind, after the display (R4). */
function fillNext(state: State, rng: Rng, tell?: Tell<Effect>): void {
  const cell = state.empty[0]!;
  const shown = state.display.pop();
  const kind = shown ?? draw(state.pile, rng);
  fill(state, cell, kind);
  tell?.({
    type: 'filled',
    row: table.rowOf(cell),
    col: table.colOf(cell),
    tile: JUNGLE_TILE_NAMES[kind]!,
    from: shown === undefined ? 'pile' : 'display',
  });
}

/** Whether it matters where each tile goes: tiles of the display differ, or are too few for the cells. */
function isFillingOpen({ display, empty }: State): boolean {
  return display.length > 0 && (display.length < empty.length || display[0] !== display.at(-1));
}

function goOnWorking(state: State, rng: Rng, tell?: Tell<Effect>): void {
  if (state.villages.some(({ edges }) => edges.length > 0)) state.step = 'work';
  else endTurn(state, rng, tell);
}

/**
 * All seats have the same number of tiles, so the match ends when the first seat has none left, which is after a whole
 * round.
 */
function endTurn(state: State, rng: Rng, tell?: Tell<Effect>): void {
  const { hand, pile } = state.villages[state.active]!;
  if (sizeOf(pile) > 0) {
    hand[draw(pile, rng)]!++;
    tell?.({ type: 'drew', seat: state.active });
  }
  while (state.display.length < DISPLAY && sizeOf(state.pile) > 0) {
    const kind = draw(state.pile, rng);
    state.display.push(kind);
    tell?.({ type: 'revealed', tile: JUNGLE_TILE_NAMES[kind]! });
  }
  state.active = (state.active + 1) % state.villages.length;
  state.step = sizeOf(state.villages[state.active]!.hand) > 0 ? 'place' : 'over';
  if (tell && state.step === 'over') tellScores(state, tell);
}

function tellScores(state: State, tell: Tell<Effect>): void {
  for (const { cell, workers, gold } of templesOf(state)) {
    tell({ type: 'temple', row: table.rowOf(cell), col: table.colOf(cell), workers, gold });
  }
  scoresOf(state).forEach((score, seat) => {
    tell({ type: 'scored', seat, ...score });
  });
}
