import type { Rng, Seat } from '../../src/games/game.ts';
import { OPEN, PEBBLES } from './data.ts';

/** Plain JSON. Chance is drawn when it is revealed, never earlier: what is in a bag has no order. */
export interface State {
  step: 'take' | 'over';
  turn: Seat;
  bag: number[];
  open: number[];
  /** The pebbles of each seat. */
  taken: number[][];
}

export function setup(seats: number, rng: Rng): State {
  const taken = Array.from({ length: seats }, () => []);
  const state: State = { step: 'take', turn: 0, bag: [...PEBBLES], open: [], taken };
  while (state.open.length < OPEN) state.open.push(draw(state, rng));
  return state;
}

export function draw(state: State, rng: Rng): number {
  const [pebble] = state.bag.splice(rng.int(state.bag.length), 1);
  return pebble as number;
}

/** Pieces that must neither appear nor vanish. */
export const accounts = ({ bag, open, taken }: State): Record<string, number> => ({
  pebbles: bag.length + open.length + taken.flat().length,
});
