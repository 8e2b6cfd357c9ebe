import type { Result } from '../game.ts';
import { BONUS_POINTS, BONUSES, type Board, type Bonus, CHAIN_SIZE, POINTS_PER_ISLAND, RATINGS } from './data.ts';
import type { Tell } from './effects.ts';
import { finishedOn, longestChain } from './sheet.ts';
import { boardOf, roundOf, type SeatState, type Sheet, type State } from './state.ts';

/** Each seat earns each bonus once. It is decided when the round is over, so that the order of actions does not matter (ruling R2). */
export function awardBonuses(state: State, tell?: Tell): void {
  const board = boardOf(state);
  const worth = BONUSES.map((bonus) => worthNow(state, bonus));
  state.seats.forEach((seat, index) => {
    const finished = finishedOn(board, seat.sheet);
    BONUSES.forEach((bonus, i) => {
      if (seat.bonuses[bonus] || !earns(board, seat.sheet, finished, bonus)) return;
      seat.bonuses[bonus] = { round: roundOf(state), points: worth[i]! };
      tell?.({ type: 'bonus', seat: index, bonus, points: worth[i]! });
    });
  });
}

function earns(board: Board, sheet: Sheet, finished: readonly boolean[], bonus: Bonus): boolean {
  if (bonus === 'chain') return longestChain(board, sheet, finished) >= CHAIN_SIZE;
  return board.islands.every(({ id, flag }) => flag !== bonus || finished[id]);
}

/**
 * What a bonus brings at the end of this round: less in any round after the first in which it was earned (ruling R3)
 * or, with one seat, after its deadline.
 */
export function worthNow(state: State, bonus: Bonus): number {
  const { first, later, deadline } = BONUS_POINTS[bonus];
  const late = state.seats.length === 1 ? roundOf(state) > deadline : state.seats.some((seat) => seat.bonuses[bonus]);
  return late ? later : first;
}

export function scoreOf(board: Board, sheet: Sheet, bonuses: SeatState['bonuses']): number {
  let score = 0;
  for (const done of finishedOn(board, sheet)) if (done) score += POINTS_PER_ISLAND;
  for (const bonus of BONUSES) score += bonuses[bonus]?.points ?? 0;
  return score;
}

/** How the points of each seat come about. */
export function tellScores(state: State, tell: Tell): void {
  resultOf(state).scores.forEach((total, seat) => {
    const islands = finishedOn(boardOf(state), state.seats[seat]!.sheet).filter((done) => done).length;
    tell({ type: 'score', seat, islands, bonuses: total - islands * POINTS_PER_ISLAND, total });
  });
}

/** Ties are shared. */
export function resultOf(state: State): Result {
  const board = boardOf(state);
  const scores = state.seats.map(({ sheet, bonuses }) => scoreOf(board, sheet, bonuses));
  return { scores, ranks: scores.map((score) => 1 + scores.filter((other) => other > score).length) };
}

export const ratingOf = (score: number): string => RATINGS.find(({ max }) => score <= max)!.title;
