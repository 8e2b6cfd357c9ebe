import type { Result, Rng, Seat } from '../games/game.ts';
import { fastRng } from '../games/rng.ts';
import { halving } from './halving.ts';
import { playOut, uniform } from './play-out.ts';
import { type Budget, type Meter, meter, type Question } from './question.ts';
import { type Reward, rewardFrom } from './reward.ts';
import { tree } from './tree.ts';

export const LEVELS = ['EASY', 'MEDIUM', 'HARD'] as const;
export type Level = (typeof LEVELS)[number];

/** The default cost of a decision. On a slow machine the time ends it, on a fast one the iterations. */
export const BUDGETS: Readonly<Record<Level, { iterations: number; ms: number }>> = {
  EASY: { iterations: 48, ms: 60 },
  MEDIUM: { iterations: 600, ms: 700 },
  HARD: { iterations: 20_000, ms: 2000 },
};

/** How many play-outs only find out which scores are usual in this position. */
const SAMPLES = 16;
const SAMPLES_PART = 1 / 8;
/** A candidate that cannot get this many play-outs is not worth comparing. */
const LEAST_VISITS: Record<Level, number> = { EASY: 3, MEDIUM: 4, HARD: 3 };

/**
 * The action that this level takes. The state in the question must be a guess, and every play-out guesses again from
 * it, so that a choice cannot depend on what the seat does not know. The same rng and iterations give the same choice.
 */
export function choose(question: Question, level: Level, rng: Rng, budget: Budget): object {
  const { game, state, seat } = question;
  const list = game.legal(state, seat);
  if (list.length < 2) return onlyOne(list, seat);
  const spent = meter(budget);
  const reward = calibrate(question, rng, spent, budget);
  const candidates = shortlist(list.length, Math.floor(spent.expected() / LEAST_VISITS[level]), rng);
  const salt = rng.int(2 ** 32);
  const search = level === 'HARD' ? tree(question, list, reward) : flat(question, list, reward);
  const best = halving(candidates, spent, (arm, sweep) => {
    spent.tick();
    return search.sample(arm, fastRng(salt + sweep));
  });
  return list[best] as object;
}

function onlyOne(list: readonly object[], seat: Seat): object {
  const [only] = list;
  if (!only) throw new Error(`seat ${seat} may not act now`);
  return only;
}

/** A few play-outs from the position as it is. */
function calibrate({ game, state, seats, seat }: Question, rng: Rng, spent: Meter, budget: Budget): Reward {
  const results: Result[] = [];
  const most = Math.max(2, Math.min(SAMPLES, budget.iterations * SAMPLES_PART));
  while (results.length < 2 || (results.length < most && spent.spent() < SAMPLES_PART)) {
    results.push(playOut(game, game.guess(state, seat, rng), seats, seat, rng, uniform));
    spent.tick();
  }
  return rewardFrom(results, seats);
}

/** The positions in a list that are compared: all of them, or as many at random as the budget can distinguish. */
function shortlist(length: number, most: number, rng: Rng): number[] {
  const all = Array.from({ length }, (_, i) => i);
  return length <= most ? all : rng.shuffle(all).slice(0, Math.max(2, most));
}

/** Random play-outs after each candidate. */
function flat({ game, state, seats, seat }: Question, list: readonly object[], reward: Reward) {
  return {
    sample(arm: number, rng: Rng): number {
      const guess = game.guess(state, seat, rng);
      game.apply(guess, seat, list[arm] as object, rng);
      return reward(playOut(game, guess, seats, seat, rng, uniform), seat);
    },
  };
}
