import type { Game, Seat } from '../games/game.ts';

/** What a bot is asked. The state must be a guess, in which everything that this seat cannot know is redrawn. */
export interface Question {
  game: Game;
  state: object;
  /** The number of seats in the match, which the contract does not make available in a state. */
  seats: number;
  seat: Seat;
}

/**
 * How long a search may last: it ends at whichever limit comes first. Without a time limit, the same rng gives the same
 * choice.
 */
export interface Budget {
  /** The number of play-outs. */
  iterations: number;
  clock?: { ms: number; now(): number };
}

/** How much of a budget is spent: 0 at the start, 1 or more at the end. */
export interface Meter {
  /** Counts one iteration. */
  tick(): void;
  spent(): number;
  /** How many iterations the whole budget is likely to allow, judged from those so far. */
  expected(): number;
}

export function meter({ iterations, clock }: Budget): Meter {
  const start = clock?.now() ?? 0;
  let done = 0;
  const elapsed = () => (clock ? (clock.now() - start) / clock.ms : 0);
  return {
    tick: () => {
      done++;
    },
    spent: () => Math.max(done / iterations, elapsed()),
    expected: () => Math.min(iterations, Math.round(done / Math.max(elapsed(), 1e-9))),
  };
}
