import type { Game } from '../game.ts';
import { type Action, ActionSchema } from './actions.ts';
import { describe } from './describe.ts';
import { EffectSchema, explain } from './effects.ts';
import { guess } from './guess.ts';
import { label } from './label.ts';
import { apply, legal, mayAct } from './rules.ts';
import { result } from './scoring.ts';
import { accounts, copyOf, type Options, OptionsSchema, OptionsSchema2, type State, setup } from './state.ts';
import { svg } from './svg.ts';
import { targets } from './targets.ts';
import { PARTS, PARTS_2, type View, ViewSchema, ViewSchema2, viewOf } from './view.ts';

type Haleakala = Game<Options, State, Action, View>;

const shared: Omit<Haleakala, 'rules' | 'schema' | 'variants' | 'parts'> = {
  id: 'haleakala',
  name: 'Haleakalā',
  seats: { min: 2, max: 2 },
  // An estimate: the rulebook that these rules follow names no playing time.
  minutes: { min: 40, max: 40 },
  setup,
  legal,
  mayAct,
  apply,
  copy: copyOf,
  result,
  view: viewOf,
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

export const haleakala1: Haleakala = {
  ...shared,
  rules: 1,
  parts: PARTS,
  schema: { options: OptionsSchema, action: ActionSchema, view: ViewSchema, effect: EffectSchema },
  variants: {
    base: { variant: 'base', cards: 'P' },
    tactical: { variant: 'tactical', cards: 'P' },
    'base-alt': { variant: 'base', cards: 'ALT' },
    'tactical-alt': { variant: 'tactical', cards: 'ALT' },
  },
};

/** Adds the option that a repeated position ends the match (R22). With it off, it plays like rules 1. */
export const haleakala2: Haleakala = {
  ...shared,
  rules: 2,
  parts: PARTS_2,
  schema: { options: OptionsSchema2, action: ActionSchema, view: ViewSchema2, effect: EffectSchema },
  variants: {
    base: { variant: 'base', cards: 'P', repetition: false },
    tactical: { variant: 'tactical', cards: 'P', repetition: false },
    'base-alt': { variant: 'base', cards: 'ALT', repetition: false },
    'tactical-alt': { variant: 'tactical', cards: 'ALT', repetition: false },
    'base-repetition': { variant: 'base', cards: 'P', repetition: true },
    'tactical-repetition': { variant: 'tactical', cards: 'P', repetition: true },
  },
};

export const haleakala = [haleakala1, haleakala2] as const;
