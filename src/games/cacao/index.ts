import { Type } from 'typebox';
import type { Game } from '../game.ts';
import { type Action, ActionSchema } from './actions.ts';
import { describe } from './describe.ts';
import { type Effect, EffectSchema, explain } from './effects.ts';
import { guess } from './guess.ts';
import { label } from './label.ts';
import { orders } from './orders.ts';
import { mayAct, steps } from './rules.ts';
import { resultOf } from './scoring.ts';
import { accounts, copyOf, DEFAULTS, type Options, OptionsSchema, type State, setup } from './state.ts';
import { svg } from './svg.ts';
import { targets } from './targets.ts';
import { PARTS, type View, ViewSchema, viewOf } from './view.ts';

type Cacao<O extends object> = Game<O, State, Action, View>;

/** What all versions of the rules share: they differ only in the set-up. */
const shared: Omit<Cacao<object>, 'rules' | 'schema' | 'variants' | 'setup'> = {
  id: 'cacao',
  name: 'Cacao',
  seats: { min: 2, max: 4 },
  // An estimate: the rulebook that these rules follow names no playing time.
  minutes: { min: 45, max: 45 },

  legal: (state, seat, wanted) => steps[state.step].legal(state, seat, wanted),
  mayAct,
  apply: (state, seat, action, rng, tell) => steps[state.step].apply(state, seat, action, rng, tell),
  copy: copyOf,
  result: (state) => (state.step === 'over' ? resultOf(state) : null),

  view: viewOf,
  parts: PARTS,
  // Every action is made in the open, so there is nothing that a later epoch could reveal.
  epoch: () => 0,
  isSecret: () => false,
  guess,

  label,
  explain: (effect) => explain(effect as Effect),
  targets,
  describe,
  svg,
  orders,
  accounts,
};

const schema = { action: ActionSchema, view: ViewSchema, effect: EffectSchema };

export const cacao1: Cacao<object> = {
  ...shared,
  rules: 1,
  schema: { ...schema, options: Type.Object({}, { additionalProperties: false }) },
  variants: { base: {} },
  setup: (_options, seats, rng) => setup(DEFAULTS, seats, rng),
};

/** Has options where the printed rules leave a choice. With their defaults it plays like rules 1. */
export const cacao2: Cacao<Options> = {
  ...shared,
  rules: 2,
  schema: { ...schema, options: OptionsSchema },
  variants: {
    base: DEFAULTS,
    czech: { ...DEFAULTS, removedGoldMine: 2 },
    lot: { ...DEFAULTS, begins: 'lot' },
  },
  setup,
};

export const cacao = [cacao1, cacao2] as const;
