import { copyOf, type State } from './state.ts';

/** Nothing is secret: all pieces are visible, and a deck is a bag that has no order yet. */
export const guess = (state: State): State => copyOf(state);
