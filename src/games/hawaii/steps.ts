import type { Rng, Wanted } from '../game.ts';
import type { Tell } from './effects.ts';
import type { SeatState, State } from './state.ts';

/** What is possible in a step, next to what then happens. `apply` is given one of the listed actions. */
export interface StepRules<A> {
  legal(state: State, me: SeatState, wanted?: Wanted): A[];
  apply(state: State, me: SeatState, action: A, rng: Rng, tell?: Tell): void;
}
