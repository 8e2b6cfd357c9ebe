import { type Static, Type } from 'typebox';
import type { Seat } from '../../src/games/game.ts';
import { scoresOf } from './scoring.ts';
import type { State } from './state.ts';

const Pebbles = Type.Array(Type.Integer());

export const ViewSchema = Type.Object(
  {
    turn: Type.Union([Type.Integer(), Type.Null()], { description: 'The seat that is to take a pebble; null: none.' }),
    open: Pebbles,
    bag: Type.Integer({ description: 'How many pebbles are in the bag.' }),
    taken: Type.Array(Pebbles, { description: 'By seat.' }),
    scores: Type.Array(Type.Integer(), { description: 'By seat.' }),
  },
  { additionalProperties: false },
);
export type View = Static<typeof ViewSchema>;

/** Built from nothing, so that what is forgotten stays hidden. `eyes` matters only in games with secrets. */
export const viewOf = (state: State, _eyes: Seat | null): View => ({
  turn: state.step === 'over' ? null : state.turn,
  open: [...state.open],
  bag: state.bag.length,
  taken: state.taken.map((pebbles) => [...pebbles]),
  scores: scoresOf(state),
});
