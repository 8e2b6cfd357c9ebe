import type { Game } from '../game.ts';
import { type Action, actionSchema, label } from './actions.ts';
import { apply, legal } from './rules.ts';
import { result } from './scoring.ts';
import { accounts, type Options, optionsSchema, type State, setup } from './state.ts';
import { svg } from './svg.ts';
import { type View, view, viewSchema } from './view.ts';

export const haleakala: Game<Options, State, Action, View> = {
  id: 'haleakala',
  name: 'Haleakalā',
  rules: 1,
  seats: { min: 2, max: 2 },
  schema: { options: optionsSchema, action: actionSchema, view: viewSchema },
  variants: {
    base: { variant: 'base', cards: 'P' },
    tactical: { variant: 'tactical', cards: 'P' },
    'base-alt': { variant: 'base', cards: 'ALT' },
    'tactical-alt': { variant: 'tactical', cards: 'ALT' },
  },
  setup,
  legal,
  apply,
  result,
  view,
  // Nothing is secret: all pieces lie open, and a deck is a bag whose order exists for nobody.
  epoch: () => 0,
  isSecret: () => false,
  guess: (state) => structuredClone(state),
  label,
  svg,
  accounts,
};
