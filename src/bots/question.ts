import type { Game, Seat } from '../games/game.ts';

/** What a bot is asked. The state must be a guess: what this seat cannot know is redrawn in it. */
export interface Question {
  game: Game;
  state: object;
  /** How many seats the match has: no game's state says so through the contract. */
  seats: number;
  seat: Seat;
}

/** How long a search may go on: whichever ends first. Without a clock the same rng gives the same choice. */
export interface Budget {
  /** Play-outs. */
  iterations: number;
  clock?: { ms: number; now(): number };
}

/** How much of a budget is spent: 0 at the start, 1 or more at the end. */
export interface Meter {
  /** Counts one iteration. */
  tick(): void;
  spent(): number;
  /** How many iterations the whole budget is likely to hold, judged from those so far. */
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
