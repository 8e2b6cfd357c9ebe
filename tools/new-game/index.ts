import { type Static, Type } from 'typebox';
import type { Game } from '../../src/games/game.ts';
import { type Action, ActionSchema } from './actions.ts';
import { describe } from './describe.ts';
import { EffectSchema, explain } from './effects.ts';
import { guess } from './guess.ts';
import { label } from './label.ts';
import { steps } from './rules.ts';
import { resultOf } from './scoring.ts';
import { accounts, type State, setup } from './state.ts';
import { svg } from './svg.ts';
import { targets } from './targets.ts';
import { type View, ViewSchema, viewOf } from './view.ts';

/** Every option has a default, so that `{}` is always a valid choice. */
const OptionsSchema = Type.Object({}, { additionalProperties: false });

export const template: Game<Static<typeof OptionsSchema>, State, Action, View> = {
  id: 'template',
  name: 'Template',
  rules: 1,
  seats: { min: 2, max: 4 },
  minutes: { min: 30, max: 60 },
  schema: { options: OptionsSchema, action: ActionSchema, view: ViewSchema, effect: EffectSchema },
  variants: { base: {} },

  setup: (_options, seats, rng) => setup(seats, rng),
  legal: (state, seat) => steps[state.step].legal(state, seat),
  apply: (state, seat, action, rng, tell) => steps[state.step].apply(state, seat, action, rng, tell),
  result: (state) => (state.step === 'over' ? resultOf(state) : null),

  view: viewOf,
  // Every action is made in the open, so there is nothing that a later epoch could reveal.
  epoch: () => 0,
  isSecret: () => false,
  guess,

  label,
  explain,
  targets,
  describe,
  svg,
  accounts,
};
