import { type Static, Type } from 'typebox';
import type { Game } from '../game.ts';
import { type Action, actionSchema } from './actions.ts';
import { CARDS, ROUNDS } from './data.ts';
import { guess } from './guess.ts';
import { apply, legalFor, setup } from './rules.ts';
import { resultOf } from './scoring.ts';
import { roomOf } from './sheet.ts';
import { boardOf, roundOf, type State } from './state.ts';
import { svg } from './svg.ts';
import { label, type View, view, viewSchema } from './view.ts';

const optionsSchema = Type.Object(
  {
    side: Type.Union([Type.Literal('A'), Type.Literal('B')], {
      default: 'A',
      description: 'side of the sheets; B is a little harder',
    }),
  },
  { additionalProperties: false },
);

type Options = Static<typeof optionsSchema>;

export const hashi: Game<Options, State, Action, View> = {
  id: 'hashi',
  name: 'Hashi',
  rules: 1,
  seats: { min: 1, max: 4 },
  schema: { options: optionsSchema, action: actionSchema, view: viewSchema },
  variants: { a: { side: 'A' }, b: { side: 'B' } },

  setup: ({ side }, seats) => setup(side, seats),
  legal: (state, seat) => legalFor(state, state.seats[seat]!),
  apply,
  result: (state) => (state.step === 'end' ? resultOf(state) : null),

  view,
  // The last round, too, is public once it is over.
  epoch: (state) => (state.step === 'end' ? ROUNDS + 1 : roundOf(state)),
  // Presets are made in the open (ruling 10).
  isSecret: ({ type }) => type !== 'preset',
  guess,

  label,
  svg,
  accounts,
};

/** Numbers and bridges: every seat gets those of every card, and each is drawn, let pass or still to come. */
function accounts(state: State): Record<string, number> {
  const board = boardOf(state);
  const bagBridges = state.bag.reduce((sum, card) => sum + CARDS[card]!.bridges, 0);
  const out = { cards: state.bag.length + state.drawn.length, islands: 0, numbers: 0, bridges: 0 };
  for (const { step, left, sheet } of state.seats) {
    const room = roomOf(board, sheet);
    // An island with more bridges than it may have is missed here.
    out.islands += board.islands.filter(({ id }) => room[id]! >= 0).length;
    const pending = step === 'preset' || step === 'write' ? 1 : 0;
    out.numbers += sheet.numbers.filter((number) => number > 0).length + sheet.unwritten + pending + state.bag.length;
    out.bridges += sheet.bridges.reduce((sum, count) => sum + count, 0) + sheet.undrawn + left + bagBridges;
  }
  return out;
}
