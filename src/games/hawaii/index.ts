import type { Game } from '../game.ts';
import { type Action, ActionSchema, type Options, type Options1, OptionsSchema, OptionsSchema1 } from './actions.ts';
import { BOAT, KAHUNA, TIKI, TILES } from './data.ts';
import { describe } from './describe.ts';
import { EffectSchema, explain } from './effects.ts';
import { guess } from './guess.ts';
import { label } from './label.ts';
import { apply, legal, mayAct } from './rules.ts';
import { resultOf } from './scoring.ts';
import { setup, setupRules1 } from './setup.ts';
import { copyOf, kindOf, NONE, type State, total } from './state.ts';
import { svg } from './svg.ts';
import { targets } from './targets.ts';
import { PARTS, type View, ViewSchema, viewOf } from './view.ts';

/** Tiles by kind in supply and realms, price tokens, islands and what each seat has from the start. */
function accounts(state: State): Record<string, number> {
  const tiles = [...state.supply];
  for (const seat of state.seats) {
    for (const tile of seat.villages.flat()) tiles[kindOf(tile)]!++;
    tiles[KAHUNA]! += seat.kahunas;
    tiles[TIKI]! += seat.tikis;
    tiles[BOAT]! += seat.boats[1]! + seat.boats[2]!;
  }
  const lying = [state.bay, state.track, ...state.circles, ...state.seats.flatMap((seat) => [seat.tokens, seat.fish])];
  const present = (list: readonly number[]) => list.filter((item) => item !== NONE).length;
  return {
    ...Object.fromEntries(TILES.map((tile, kind) => [tile, tiles[kind]!])),
    tokens: total(state.bag) + total(lying.map(present)),
    islands: present(state.docks) + total(state.stack) + total(state.visited),
    boards: new Set(state.boards).size,
    chiefs: new Set(state.order).size,
    fishingBoats: total(state.seats.map((seat) => seat.boats[0]!)),
  };
}

const shared = {
  id: 'hawaii',
  name: 'Hawaii',
  seats: { min: 2, max: 5 },
  // The Czech rulebook says "délka hry 60 – 90 minut".
  minutes: { min: 60, max: 90 },
  legal,
  mayAct,
  apply,
  copy: copyOf,
  result: resultOf,
  view: viewOf,
  parts: PARTS,
  // Income is chosen at the same time, and the following round makes the choices public.
  epoch: (state: State) => state.round,
  isSecret: (action: Action) => action.type === 'income',
  guess,
  label,
  explain,
  targets,
  describe,
  svg,
  accounts,
};
const schema = { action: ActionSchema, view: ViewSchema, effect: EffectSchema };

/** An island is paid for before it gives, and any exchange hut helps to pay for boats. */
export const rules1: Game<Options1, State, Action, View> = {
  ...shared,
  rules: 1,
  schema: { ...schema, options: OptionsSchema1 },
  variants: { base: { openResources: false }, open: { openResources: true } },
  setup: setupRules1,
};

/**
 * An island gives before it is paid for (R5), a boat II needs a foot or fruit (R16), and who begins is an option (R17).
 */
export const rules2: Game<Options, State, Action, View> = {
  ...shared,
  rules: 2,
  schema: { ...schema, options: OptionsSchema },
  variants: {
    base: { openResources: false, begins: 'lot' },
    open: { openResources: true, begins: 'lot' },
    seat0: { openResources: false, begins: 'seat0' },
  },
  setup,
};

export const hawaii = [rules1, rules2] as const;
