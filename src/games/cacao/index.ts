import { type Static, Type } from 'typebox';
import type { Game, Rng, Seat } from '../game.ts';
import { type Action, ActionSchema } from './actions.ts';
import { JUNGLE_TILE_NAMES, WORKER_TILE_NAMES } from './data.ts';
import { label } from './label.ts';
import { orders } from './orders.ts';
import { steps } from './rules.ts';
import { resultOf } from './scoring.ts';
import { copyOf, draw, type State, setup, sizeOf } from './state.ts';
import { svg } from './svg.ts';
import { NONE, tileOf } from './table.ts';
import { type View, ViewSchema, viewOf } from './view.ts';

const OptionsSchema = Type.Object({}, { additionalProperties: false });

export const cacao: Game<Static<typeof OptionsSchema>, State, Action, View> = {
  id: 'cacao',
  name: 'Cacao',
  rules: 1,
  seats: { min: 2, max: 4 },
  schema: { options: OptionsSchema, action: ActionSchema, view: ViewSchema },
  variants: { base: {} },

  setup: (_options, seats, rng) => setup(seats, rng),
  legal: (state, seat) => steps[state.step].legal(state, seat),
  apply: (state, seat, action, rng) => steps[state.step].apply(state, seat, action, rng),
  result: (state) => (state.step === 'over' ? resultOf(state) : null),

  view: viewOf,
  // Every action is made in the open: there is nothing that a later epoch could reveal.
  epoch: () => 0,
  isSecret: () => false,
  guess,

  label,
  svg,
  orders,
  accounts,
};

/** Which of its tiles another seat holds and which are still in its pile is all that a seat cannot know. */
function guess(state: State, you: Seat | null, rng: Rng): State {
  const guessed = copyOf(state);
  guessed.villages.forEach(({ hand, pile }, seat) => {
    if (seat === you) return;
    const held = sizeOf(hand);
    hand.forEach((count, tile) => {
      pile[tile]! += count;
      hand[tile] = 0;
    });
    for (let i = 0; i < held; i++) hand[draw(pile, rng)]!++;
  });
  return guessed;
}

/** Jungle tiles by kind, worker tiles by seat and kind. */
function accounts({ villages, pile, display, table: { jungle, workers } }: State): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (name: string, count: number) => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  pile.forEach((count, kind) => {
    add(JUNGLE_TILE_NAMES[kind]!, count);
  });
  for (const kind of [...display, ...jungle.kinds]) add(JUNGLE_TILE_NAMES[kind]!, 1);
  villages.forEach((village, seat) => {
    WORKER_TILE_NAMES.forEach((name, tile) => {
      add(`seat ${seat} ${name}`, village.hand[tile]! + village.pile[tile]!);
    });
  });
  workers.seats.forEach((seat, i) => {
    for (const face of [workers.faces[i]!, workers.covered[i]!]) {
      if (face !== NONE) add(`seat ${seat} ${WORKER_TILE_NAMES[tileOf(face)]}`, 1);
    }
  });
  return counts;
}
