import { Type } from 'typebox';
import type { Game } from '../../src/games/game.ts';

interface State {
  stones: number;
  turn: number;
}
interface Action {
  take: number;
}

/** Nim: take one to three stones; who takes the last one wins. Who leaves a multiple of four has won already. */
export const nim: Game<object, State, Action, State> = {
  id: 'nim',
  name: 'Nim',
  rules: 1,
  seats: { min: 2, max: 2 },
  schema: { options: Type.Object({}), action: Type.Object({ take: Type.Number() }), view: Type.Object({}) },
  variants: { base: {} },
  setup: () => ({ stones: 21, turn: 0 }),
  legal: ({ stones, turn }, seat) =>
    seat === turn ? [1, 2, 3].filter((take) => take <= stones).map((take) => ({ take })) : [],
  apply(state, seat, { take }) {
    state.stones -= take;
    state.turn = 1 - seat;
  },
  result({ stones, turn }) {
    if (stones > 0) return null;
    return { scores: [turn, 1 - turn], ranks: [2 - turn, 1 + turn] };
  },
  view: (state) => ({ ...state }),
  epoch: () => 0,
  isSecret: () => false,
  guess: (state) => ({ ...state }),
  label: ({ take }) => `take ${take}`,
  svg: () => '<svg />',
  accounts: () => ({}),
};
