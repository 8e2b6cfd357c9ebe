import type { Action } from '../../../src/games/haleakala/actions.ts';
import { type Bag, type BUILDABLE, KINDS, type Kind } from '../../../src/games/haleakala/data.ts';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import { type Options, POOL, type State, spaceOf } from '../../../src/games/haleakala/state.ts';
import { lookUp } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';

type Buildable = (typeof BUILDABLE)[number];

export const RED = 0;
export const YELLOW = 1;
export const VARIANTS = ['base', 'tactical'] as const;

/** A match after its set-up, red to begin, with a white pearl and a fish basket in every segment. */
export function table(variant: Options['variant'] = 'base'): State {
  const state = haleakala.setup({ variant, cards: 'P', repetition: false }, 2, fastRng(1));
  state.turn = state.actor = state.startSeat = RED;
  for (let segment = 0; segment < 6; segment++) cards(state, segment, 'whitePearl', 'basket');
  return state;
}

export function cards(state: State, segment: number, left: Kind | null, right: Kind | null): void {
  state.notches[2 * segment] = left;
  state.notches[2 * segment + 1] = right;
}

/** A seat's discs lie on these beaches, the others in its pool. */
export function discs(state: State, seat: number, beaches: Record<number, number>): void {
  state.discs[seat] = [1, 2, 3, 4, 5].map((disc) => beaches[disc] ?? POOL);
}

/** The decks with one, two and three palms hold exactly this. */
export function decks(state: State, ...contents: Partial<Bag>[]): void {
  state.decks = [0, 1, 2].map((i) => ({ ...emptyBag(), ...contents[i] }));
}

const emptyBag = () => Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Bag;

export const may = (state: State, seat: number, action: Action): boolean => {
  try {
    return Boolean(lookUp(haleakala, state, seat, action));
  } catch {
    return false;
  }
};

/** Applies actions of one seat, each of which has to be legal. */
export function act(state: State, seat: number, ...actions: Action[]): void {
  for (const action of actions)
    haleakala.apply(state, seat, lookUp(haleakala, state, seat, action) as Action, fastRng(7));
}

/** The seats that may act now. */
export const acting = (state: State): number[] => [0, 1].filter((seat) => haleakala.legal(state, seat).length > 0);

/** Red sends the boat from segment 1 to segment 1 + disc. */
export const send = (state: State, disc = 1): void => act(state, RED, { type: 'place', disc, beach: 1 });

/** Statues on the board, out of the seat's supply. */
export function build(state: State, seat: number, terrain: Buildable, ...segments: number[]): void {
  for (const segment of segments) {
    state.statues[spaceOf(terrain, segment)] = seat;
    state.statuesLeft[seat]!--;
  }
}
