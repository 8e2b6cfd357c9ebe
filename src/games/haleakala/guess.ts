import type { State } from './state.ts';

/** Nothing is secret: all pieces lie open, and a deck is a bag whose order exists for nobody. */
export const guess = (state: State): State => structuredClone(state);
