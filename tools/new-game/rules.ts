/** The steps of the game: what is possible stands next to what then happens. */
import type { Rng, Seat, Tell } from '../../src/games/game.ts';
import type { Action } from './actions.ts';
import type { Effect } from './effects.ts';
import { draw, type State } from './state.ts';

interface Step {
  legal(state: State, seat: Seat): Action[];
  apply(state: State, seat: Seat, action: Action, rng: Rng, tell?: Tell<Effect>): void;
}

export const steps: Record<State['step'], Step> = {
  take: {
    legal: ({ turn, open }, seat) => (seat === turn ? open.map((pebble) => ({ type: 'take', pebble })) : []),
    apply(state, seat, { pebble }, rng, tell) {
      give(state, seat, pebble);
      if (state.bag.length > 0) {
        const drawn = draw(state, rng);
        state.open.push(drawn);
        tell?.({ type: 'drawn', pebble: drawn });
      }
      state.turn = (seat + 1) % state.taken.length;
      takeLast(state, tell);
    },
  },
  over: { legal: () => [], apply: () => {} },
};

function give(state: State, seat: Seat, pebble: number): void {
  state.open = state.open.filter((one) => one !== pebble);
  state.taken[seat]?.push(pebble);
}

/** A decision with only one possible answer is made by the engine. */
function takeLast(state: State, tell?: Tell<Effect>): void {
  const [last, another] = state.open;
  if (last === undefined || another !== undefined) return;
  give(state, state.turn, last);
  tell?.({ type: 'last', seat: state.turn, pebble: last });
  state.step = 'over';
}
