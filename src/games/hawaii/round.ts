import type { Rng } from '../game.ts';
import {
  BANANA,
  BOARDS,
  BREADFRUIT,
  DOCKS,
  EXCHANGE_HUT,
  FOOT_HUT,
  INDICATORS,
  IRRIGATION,
  ISLANDS,
  KANE,
  KU,
  KU_FEET,
  ROUNDS,
  SHELL_HUT,
  SLOT_NAMES,
  TOKENS,
} from './data.ts';
import type { Effect, Tell } from './effects.ts';
import { BEACH } from './map.ts';
import { draw } from './realm.ts';
import { finalScoring, finalTotal, scoreRound } from './scoring.ts';
import { kindOf, NONE, type SeatState, type State, type Stock, sideOf, sidesOf, total } from './state.ts';

/** Gives the turn to a seat. */
export function beginTurn(state: State, seat: number): void {
  state.step = 'turn';
  state.active = seat;
  state.turn = { huts: [0, 0], cost: 0, tile: NONE, side: 0, dock: NONE };
  for (const village of state.seats[seat]!.villages) {
    for (const tile of village) if (kindOf(tile) === EXCHANGE_HUT) state.turn.huts[sideOf(tile) - 1]!++;
  }
}

/** The turn goes to the next seat of the order track that has not passed; when all have, the round is over. */
export function endTurn(state: State, rng: Rng, tell?: Tell): void {
  const { order, seats } = state;
  const from = order.indexOf(state.active);
  const next = [...order.slice(from + 1), ...order].find((seat) => seats[seat]!.space === NONE);
  if (next === undefined) endRound(state, rng, tell);
  else beginTurn(state, next);
}

/** Counts the round; then the final scoring, or supplies and income. */
function endRound(state: State, rng: Rng, tell?: Tell): void {
  scoreRound(state, tell);
  state.active = NONE;
  if (state.round === ROUNDS) {
    state.seats.forEach((seat, i) => {
      const final = finalScoring(seat);
      const total = finalTotal(final);
      seat.score += total;
      tell?.({ type: 'final', seat: i, ...final, total });
    });
    state.step = 'over';
    return;
  }
  state.seats.forEach((seat, i) => {
    const handed = suppliesOf(seat, state.round);
    gain(seat, handed);
    tell?.({ type: 'supplied', seat: i, ...handed });
    seat.due = irrigationsII(seat);
  });
  if (state.seats.some((seat) => seat.due > 0)) state.step = 'income';
  else nextRound(state, rng, tell);
}

/** What a seat is handed out after a round, without the choices of its irrigations II. */
function suppliesOf(seat: SeatState, round: number): Stock {
  const { shells, feet } = INDICATORS[round - 1]!;
  let fruit = 0;
  for (let kind = BREADFRUIT; kind <= BANANA; kind++) fruit += sidesOf(seat, kind);
  return {
    shells: shells + sidesOf(seat, SHELL_HUT) + sidesOf(seat, KANE),
    feet: feet + sidesOf(seat, FOOT_HUT) + (sidesOf(seat, KU) > 0 ? KU_FEET : 0),
    fruit,
  };
}

function gain({ stock }: SeatState, { shells, feet, fruit }: Stock): void {
  stock.shells += shells;
  stock.feet += feet;
  stock.fruit += fruit;
}

function irrigationsII(seat: SeatState): number {
  let count = 0;
  for (const village of seat.villages) {
    for (const tile of village) if (kindOf(tile) === IRRIGATION && sideOf(tile) === 2) count++;
  }
  return count;
}

/** Hands out what the irrigations II were chosen to give, to all seats at once, and continues. */
export function endIncome(state: State, rng: Rng, tell?: Tell): void {
  state.seats.forEach((seat, i) => {
    const { chosen } = seat;
    if (chosen.shells + chosen.feet + chosen.fruit > 0) tell?.({ type: 'irrigated', seat: i, ...chosen });
    gain(seat, chosen);
    seat.chosen = { shells: 0, feet: 0, fruit: 0 };
  });
  nextRound(state, rng, tell);
}

/** The places under the order track become the order, and everything is laid out again. */
function nextRound(state: State, rng: Rng, tell?: Tell): void {
  state.round++;
  state.seats.forEach((seat, i) => {
    state.order[seat.space] = i;
    seat.space = NONE;
    seat.chief = BEACH;
    seat.tokens = [];
    seat.fish = [];
    seat.used = [0, 0, 0];
  });
  tell?.({ type: 'roundBegan', round: state.round, order: [...state.order] });
  layOutPrices(state, rng);
  tell?.(pricesOf(state));
  if (state.docks.includes(NONE)) {
    restockDocks(state, rng);
    tell?.({ type: 'docks', islands: state.docks.map((island) => ISLANDS[island]!) });
  }
  beginTurn(state, state.order[0]!);
}

/** Puts all tokens into the bag and lays out prices, board by board from the bottom left, and then the order track. */
export function layOutPrices(state: State, rng: Rng): void {
  const bag = TOKENS.map(({ count }) => count);
  state.bag = bag;
  state.bay = [];
  state.circles = state.boards.map((board) => layOutBoard(board, bag, state.bay, rng));
  const ordered = state.seats.slice(1).map(() => draw(bag, rng));
  state.track = [NONE, ...ordered.sort((a, b) => a - b)];
}

/** The effect that tells which prices were laid out. */
function pricesOf({ circles, bay, track }: State): Effect {
  const known = (tokens: readonly number[]) =>
    tokens
      .filter((token) => token !== NONE)
      .map((token) => ({ value: TOKENS[token]!.value, spear: TOKENS[token]!.spear }));
  return {
    type: 'prices',
    places: circles.map((tokens, slot) => ({ place: SLOT_NAMES[slot]!, tokens: known(tokens) })),
    bay: bay.map((token) => TOKENS[token]!.fish),
    track: known(track),
  };
}

/** A token is always drawn for the printed circle. It lies there if the sum allows it, otherwise fish up in the bay. */
export function layOutBoard(board: number, bag: number[], bay: number[], rng: Rng): number[] {
  const { blank, printed } = BOARDS[board]!;
  const circles: number[] = [];
  let sum = 0;
  for (let i = 0; i <= blank; i++) {
    const token = draw(bag, rng);
    sum += TOKENS[token]!.value;
    circles.push(token);
  }
  if (sum > printed) {
    bay.push(circles[blank]!);
    circles[blank] = NONE;
  }
  return circles;
}

/** Slides the islands left and fills the docks from the stack. */
export function restockDocks(state: State, rng: Rng): void {
  const docks = state.docks.filter((island) => island !== NONE);
  while (docks.length < DOCKS.length) {
    docks.push(draw(state.stack, rng));
    // If a face-up island is on top, the whole stack is turned and shuffled. It is all face up then.
    if (total(state.stack) === 0) {
      state.stack = state.visited;
      state.visited = state.visited.map(() => 0);
    }
  }
  state.docks = docks;
}
