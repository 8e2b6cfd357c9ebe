import type { Game } from '../game.ts';
import { type Action, ActionSchema, type Options, OptionsSchema } from './actions.ts';
import { BOAT, KAHUNA, TIKI, TILES } from './data.ts';
import { guess } from './guess.ts';
import { label } from './labels.ts';
import { apply, legal } from './rules.ts';
import { resultOf } from './scoring.ts';
import { setup } from './setup.ts';
import { kindOf, NONE, type State, total } from './state.ts';
import { svg } from './svg.ts';
import { type View, ViewSchema, view } from './view.ts';

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

export const hawaii: Game<Options, State, Action, View> = {
  id: 'hawaii',
  name: 'Hawaii',
  rules: 1,
  seats: { min: 2, max: 5 },
  schema: { options: OptionsSchema, action: ActionSchema, view: ViewSchema },
  variants: { base: { openResources: false }, open: { openResources: true } },
  setup,
  legal,
  apply,
  result: resultOf,
  view,
  // Income is chosen at the same time; the round that follows makes the choices public.
  epoch: (state) => state.round,
  isSecret: (action) => action.type === 'income',
  guess,
  label,
  svg,
  accounts,
};
