/** A game of a few lines without chance and without secrets. */
import { type Static, Type } from 'typebox';
import type { Effect, Game, Tell } from '../../../src/games/game.ts';
import { at, el, NO_SCENE, nameOf, picture, target, text } from '../../../src/games/svg.ts';

const closed = { additionalProperties: false };
const Table = Type.Object({ stones: Type.Integer(), turn: Type.Integer() }, closed);
type Table = Static<typeof Table>;
const Action = Type.Object({ take: Type.Integer() }, closed);
type Action = Static<typeof Action>;
const LastStone = Type.Object({ type: Type.Literal('last'), seat: Type.Integer() }, closed);
type LastStone = Static<typeof LastStone>;

const MOST = 3;

/** Nim: take one to three stones; who takes the last one wins. Who leaves a multiple of four has won already. */
export const nim: Game<object, Table, Action, Table> = {
  id: 'nim',
  name: 'Nim',
  rules: 1,
  seats: { min: 2, max: 2 },
  drawsNothing: true,
  schema: { options: Type.Object({}, closed), action: Action, view: Table, effect: LastStone },
  variants: { base: {} },
  setup: () => ({ stones: 21, turn: 0 }),
  legal: ({ stones, turn }, seat) =>
    seat === turn ? [1, 2, 3].filter((take) => take <= Math.min(stones, MOST)).map((take) => ({ take })) : [],
  apply(state, seat, { take }, _rng, tell?: Tell<LastStone>) {
    state.stones -= take;
    state.turn = 1 - seat;
    if (state.stones !== 1) return;
    // A decision with one answer is no decision.
    tell?.({ type: 'last', seat: state.turn });
    state.stones = 0;
    state.turn = seat;
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
  explain: (effect: Effect) => `Seat ${(effect as LastStone).seat} takes the last stone.`,
  targets: ({ take }) => [`stone:${take}`],
  describe: ({ stones, turn }, scene = NO_SCENE) => [
    stones === 0 ? 'No stone is left.' : `There are ${stones} stones left.`,
    `${nameOf(scene, turn)} ${stones === 0 ? 'has lost' : 'is to take one to three of them'}.`,
  ],
  svg({ stones }, scene = NO_SCENE) {
    const names = [0, 1].map((seat) => text(150, 20 + 20 * seat, 14, nameOf(scene, seat)));
    const pile = Array.from({ length: stones }, (_, i) => {
      const stone = el('circle', { r: 6 });
      return at(10 + 14 * i, 70, i < MOST ? target(`stone:${i + 1}`, `stones up to the ${i + 1}.`, {}, stone) : stone);
    });
    return picture(300, 100, 'Nim', ...names, ...pile);
  },
  accounts: () => ({}),
};
