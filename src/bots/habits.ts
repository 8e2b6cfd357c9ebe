import type { Rng, Seat } from '../games/game.ts';
import type { Policy } from './play-out.ts';

/** How many random candidates a habit chooses among. */
const LOOKS = 3;
/** How often a play-out forgets its habits. */
const WHIM = 0.15;

interface Habit {
  visits: number;
  sum: number;
}

/** What was done in one play-out. */
export type Path = { seat: Seat; key: string }[];

/**
 * Actions that led to good results in earlier play-outs are preferred in later ones, wherever they are possible
 * (move-average sampling, Björnsson and Finnsson 2009). It needs to know nothing of the game but its actions' names.
 */
export interface Habits {
  policy(path: Path): Policy;
  learn(path: Path, reward: (seat: Seat) => number): void;
}

export const keyOf = (action: object): string => JSON.stringify(action);

export function habits(seats: number): Habits {
  const known = Array.from({ length: seats }, () => new Map<string, Habit>());
  /** What is not known yet is worth a try: better than the usual result, worse than a good one. */
  const value = (habit: Habit | undefined): number => (habit ? (habit.sum + 0.55) / (habit.visits + 1) : 0.55);

  function pick(seat: Seat, list: readonly object[], rng: Rng): { action: object; key: string } {
    let action = rng.pick(list);
    let key = keyOf(action);
    if (rng.int(1000) < WHIM * 1000) return { action, key };
    const map = known[seat] as Map<string, Habit>;
    let top = value(map.get(key));
    for (let i = 1; i < LOOKS; i++) {
      const other = rng.pick(list);
      if (other === action) continue;
      const otherKey = keyOf(other);
      const worth = value(map.get(otherKey));
      if (worth > top) [action, key, top] = [other, otherKey, worth];
    }
    return { action, key };
  }

  return {
    policy: (path) => (turn, rng) => {
      const { action, key } = pick(turn.seat, turn.list, rng);
      path.push({ seat: turn.seat, key });
      return action;
    },
    learn(path, reward) {
      const rewards = known.map((_, seat) => reward(seat));
      for (const { seat, key } of path) {
        const map = known[seat] as Map<string, Habit>;
        const habit = map.get(key);
        if (habit) {
          habit.visits++;
          habit.sum += rewards[seat] as number;
        } else map.set(key, { visits: 1, sum: rewards[seat] as number });
      }
    },
  };
}
