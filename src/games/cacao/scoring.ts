import type { Result, Seat } from '../game.ts';
import { JUNGLE_TILES, MOST_WORKERS, SECOND_MOST_WORKERS, WATER_TRACK } from './data.ts';
import type { State } from './state.ts';
import { type Cell, NEIGHBOURS, opposite, sidesOf } from './table.ts';

export interface Temple {
  cell: Cell;
  /** For each seat, the workers on the sides of uncovered tiles that face the temple. */
  workers: number[];
  /** For each seat, what these workers bring at the end. */
  gold: number[];
}

export interface Score {
  coins: number;
  temples: number;
  sun: number;
  water: number;
  total: number;
}

export function templesOf({ table: { jungle, workers }, villages }: State): Temple[] {
  const temples: Temple[] = [];
  jungle.cells.forEach((cell, i) => {
    if (JUNGLE_TILES[jungle.kinds[i]!]!.use !== 'temple') return;
    const bySeat = villages.map(() => 0);
    NEIGHBOURS.forEach((step, side) => {
      const at = workers.cells.indexOf(cell + step);
      if (at >= 0) bySeat[workers.seats[at]!]! += sidesOf(workers.faces[at]!)[opposite(side)]!;
    });
    temples.push({ cell, workers: bySeat, gold: templeGold(bySeat) });
  });
  return temples;
}

/**
 * The most workers get 6 gold and the second most 3. Ties share and round down, and a tie for the most leaves no second
 * place.
 */
export function templeGold(workers: readonly number[]): number[] {
  const most = Math.max(...workers);
  const second = Math.max(...workers.filter((count) => count < most));
  const tied = (count: number) => workers.filter((other) => other === count).length;
  return workers.map((count) => {
    if (count === 0) return 0;
    if (count === most) return Math.floor(MOST_WORKERS / tied(most));
    return count === second && tied(most) === 1 ? Math.floor(SECOND_MOST_WORKERS / tied(second)) : 0;
  });
}

/** For each seat, the gold of each part, as if the match ended now. */
export function scoresOf(state: State): Score[] {
  const temples = templesOf(state);
  return state.villages.map((village, seat) => {
    const fromTemples = temples.reduce((sum, { gold }) => sum + gold[seat]!, 0);
    const water = WATER_TRACK[village.water]!;
    const { gold: coins, sun } = village;
    return { coins, temples: fromTemples, sun, water, total: coins + fromTemples + sun + water };
  });
}

/** The most gold wins. A tie goes to the seat with more cacao left; seats that are still tied share the rank. */
export function resultOf(state: State): Result {
  const scores = scoresOf(state).map(({ total }) => total);
  const isAhead = (a: Seat, b: Seat) =>
    scores[a]! > scores[b]! || (scores[a] === scores[b] && state.villages[a]!.cacao > state.villages[b]!.cacao);
  const seats = scores.map((_, seat) => seat);
  return { scores, ranks: seats.map((seat) => 1 + seats.filter((other) => isAhead(other, seat)).length) };
}
