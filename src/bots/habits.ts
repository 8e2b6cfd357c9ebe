import type { Rng, Seat } from '../games/game.ts';

/** How many random candidates a habit chooses among. */
const LOOKS = 3;
/** How often a play-out forgets its habits, in percent. */
const WHIM = 15;
/** The assumed value of an unknown action: better than the usual result, worse than a good one. */
const HOPE = 0.55;

interface Habit {
  visits: number;
  sum: number;
}

/** An action with its name: equal actions of different lists have equal names. */
export interface Named {
  action: object;
  key: string;
}

/** What was done in one play-out. */
export type Path = { seat: Seat; key: string }[];

/**
 * Prefers actions that led to good results in earlier play-outs, wherever they are possible (move-average sampling,
 * Björnsson and Finnsson 2009). It needs to know nothing about the game but the names of its actions.
 */
export interface Habits {
  pick(seat: Seat, list: readonly object[], rng: Rng): Named;
  learn(path: Path, rewards: readonly number[]): void;
}

/** A game builds its actions of one type with their fields in one order, so no sorting is needed to compare them. */
export const keyOf = (action: object): string => JSON.stringify(action);

const worth = (habit: Habit | undefined): number => (habit ? (habit.sum + HOPE) / (habit.visits + 1) : HOPE);

export function habits(seats: number): Habits {
  const known = Array.from({ length: seats }, () => new Map<string, Habit>());
  return {
    pick(seat, list, rng) {
      const map = known[seat] as Map<string, Habit>;
      const looks = rng.int(100) < WHIM ? 1 : LOOKS;
      let best: Named | undefined;
      let top = 0;
      for (let i = 0; i < looks; i++) {
        const action = rng.pick(list);
        if (action === best?.action) continue;
        const key = keyOf(action);
        const value = worth(map.get(key));
        if (best && value <= top) continue;
        best = { action, key };
        top = value;
      }
      return best as Named;
    },
    learn(path, rewards) {
      for (const { seat, key } of path) {
        const map = known[seat] as Map<string, Habit>;
        const habit = map.get(key) ?? { visits: 0, sum: 0 };
        habit.visits++;
        habit.sum += rewards[seat] as number;
        map.set(key, habit);
      }
    },
  };
}
