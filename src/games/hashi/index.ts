import { type Static, Type } from 'typebox';
import type { Game } from '../game.ts';
import { type Action, ActionSchema } from './actions.ts';
import { CARDS, ROUNDS } from './data.ts';
import { describe } from './describe.ts';
import { type Effect, EffectSchema, explain } from './effects.ts';
import { guess } from './guess.ts';
import { label } from './label.ts';
import { apply, legalFor, setup } from './rules.ts';
import { resultOf } from './scoring.ts';
import { roomOf } from './sheet.ts';
import { boardOf, copyState, roundOf, type State } from './state.ts';
import { svg } from './svg.ts';
import { targets } from './targets.ts';
import { PARTS, type View, ViewSchema, viewOf } from './view.ts';

const OptionsSchema = Type.Object(
  {
    side: Type.Union([Type.Literal('A'), Type.Literal('B')], {
      default: 'A',
      description: 'The side of the sheets that all play on. B is a little harder.',
    }),
  },
  { additionalProperties: false },
);

type Options = Static<typeof OptionsSchema>;

export const hashi: Game<Options, State, Action, View> = {
  id: 'hashi',
  name: 'Hashi',
  rules: 1,
  seats: { min: 1, max: 4 },
  // The Czech rulebook says "Herní doba: okolo 20 min."
  minutes: { min: 20, max: 20 },
  schema: { options: OptionsSchema, action: ActionSchema, view: ViewSchema, effect: EffectSchema },
  variants: { a: { side: 'A' }, b: { side: 'B' } },

  setup: ({ side }, seats) => setup(side, seats),
  legal: (state, seat) => legalFor(state, state.seats[seat]!),
  mayAct: (state, seat) => state.seats[seat]!.step !== 'ready',
  apply,
  copy: copyState,
  result: (state) => (state.step === 'end' ? resultOf(state) : null),

  view: viewOf,
  parts: PARTS,
  // The last round also becomes public once it is over.
  epoch: (state) => (state.step === 'end' ? ROUNDS + 1 : roundOf(state)),
  // Presets are made in the open (ruling R10).
  isSecret: ({ type }) => type !== 'preset',
  guess,

  label,
  explain: (effect) => explain(effect as Effect),
  targets,
  describe,
  svg,
  accounts,
};

/** Every seat gets the numbers and bridges of every card. Each of them was used, was skipped or is still to come. */
function accounts(state: State): Record<string, number> {
  const board = boardOf(state);
  const bagBridges = state.bag.reduce((sum, card) => sum + CARDS[card]!.bridges, 0);
  const out = { cards: state.bag.length + state.drawn.length, islands: 0, numbers: 0, bridges: 0 };
  for (const { step, left, sheet } of state.seats) {
    const room = roomOf(board, sheet);
    // An island with more bridges than allowed is not counted, so that the sum reveals the error.
    out.islands += board.islands.filter(({ id }) => room[id]! >= 0).length;
    const pending = step === 'preset' || step === 'write' ? 1 : 0;
    out.numbers += sheet.numbers.filter((number) => number > 0).length + sheet.unwritten + pending + state.bag.length;
    out.bridges += sheet.bridges.reduce((sum, count) => sum + count, 0) + sheet.undrawn + left + bagBridges;
  }
  return out;
}
