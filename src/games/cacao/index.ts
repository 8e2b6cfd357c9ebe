import { type Static, Type } from 'typebox';
import type { Game, Rng, Seat } from '../game.ts';
import { type Action, ActionSchema } from './actions.ts';
import { JUNGLE_TILE_NAMES, WORKER_TILE_NAMES } from './data.ts';
import { label } from './label.ts';
import { steps } from './rules.ts';
import { resultOf } from './scoring.ts';
import { draw, type State, setup, sizeOf } from './state.ts';
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
  accounts,
};

/** Which of its tiles another seat holds and which are still in its pile is all that a seat cannot know. */
function guess(state: State, you: Seat | null, rng: Rng): State {
  const villages = state.villages.map((village, seat) => {
    if (seat === you) return village;
    const pile = village.pile.map((count, tile) => count + village.hand[tile]!);
    const hand = pile.map(() => 0);
    for (let i = sizeOf(village.hand); i > 0; i--) hand[draw(pile, rng)]!++;
    return { ...village, hand, pile };
  });
  return structuredClone({ ...state, villages });
}

function accounts({ villages, pile, display, table: { jungle, workers } }: State): Record<string, number> {
  const counts: Record<string, number> = {};
  JUNGLE_TILE_NAMES.forEach((name, kind) => {
    counts[name] = pile[kind]! + [...display, ...jungle.kinds].filter((other) => other === kind).length;
  });
  const faces = workers.cells.flatMap((_, i) => {
    const owner = workers.seats[i]!;
    return [workers.faces[i]!, workers.covered[i]!]
      .filter((f) => f !== NONE)
      .map((face) => ({ owner, tile: tileOf(face) }));
  });
  villages.forEach((village, seat) => {
    WORKER_TILE_NAMES.forEach((name, tile) => {
      const laid = faces.filter((face) => face.owner === seat && face.tile === tile).length;
      counts[`seat ${seat} ${name}`] = village.hand[tile]! + village.pile[tile]! + laid;
    });
  });
  return counts;
}
