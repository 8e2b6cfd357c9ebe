import { createHash } from 'node:crypto';
import type { Game, Rng, Seat } from '../src/games/game.ts';
import { acting, lookUp, type Move, optionsFor, type Played, play, seatsFor, start } from '../src/games/play.ts';
import { fastRng } from '../src/games/rng.ts';

/** Everything needed to play a match again: what failure files hold and `npm run replay` reads. */
export interface Recorded {
  game: string;
  rules: number;
  options: object;
  seats: number;
  seed: number;
  moves: Move[];
}

/** One step of a match. `state` is the state in which the seat was asked, `next` the one after its action. */
export interface Step extends Move, Omit<Played, 'state'> {
  /** The number of the action, from 1. Its random stream has the same number. */
  version: number;
  state: object;
  next: object;
}

function stepOf(game: Game, state: object, move: Move, seed: number): Step {
  const { state: next, ...played } = play(game, state, move, seedBytes(seed));
  return { ...move, ...played, version: move.stream, state, next };
}

/** No game needs nearly as many: a match that gets here does not end. */
export const MAX_ACTIONS = 20_000;

/** The 32-byte seed that the tools use for a seed number that a person typed. */
export const seedBytes = (seed: number): Uint8Array => createHash('sha256').update(`atoll/tools/${seed}`).digest();

/** The set-up draws from stream 0, action n from stream n. */
export const setUp = (game: Game, options: object, seats: number, seed: number): object =>
  start(game, optionsFor(game, options), seatsFor(game, seats), seedBytes(seed), 0);

/** A match of players who choose uniformly among their legal actions. States are never changed after they are yielded. */
export function* randomMatch(game: Game, options: object, seats: number, seed: number): Generator<Step, object> {
  const chance = fastRng(seed);
  let state = setUp(game, options, seats, seed);
  for (let version = 1; ; version++) {
    const seat = pickSeat(acting(game, state, seats), chance);
    if (seat === undefined) return state;
    if (version > MAX_ACTIONS) throw new Error(`not over after ${MAX_ACTIONS} actions`);
    const action = chance.pick(game.legal(state, seat));
    const step = stepOf(game, state, { stream: version, seat, action }, seed);
    yield step;
    state = step.next;
  }
}

const pickSeat = (seats: Seat[], chance: Rng): Seat | undefined => (seats.length > 0 ? chance.pick(seats) : undefined);

/** The states of a recorded match, step by step; the actions are validated again. */
export function* replayed(game: Game, { options, seats, seed, moves }: Recorded): Generator<Step, object> {
  let state = setUp(game, options, seats, seed);
  for (const { stream, seat, action } of moves) {
    const step = stepOf(game, state, { stream, seat, action: lookUp(game, state, seat, action) }, seed);
    yield step;
    state = step.next;
  }
  return state;
}
