import type { Result } from '../../src/games/game.ts';
import type { State } from './state.ts';

/** The numbers on the pebbles of each seat. */
export const scoresOf = ({ taken }: Pick<State, 'taken'>): number[] =>
  taken.map((pebbles) => pebbles.reduce((sum, pebble) => sum + pebble, 0));

export function resultOf(state: State): Result {
  const scores = scoresOf(state);
  return { scores, ranks: scores.map((score) => 1 + scores.filter((other) => other > score).length) };
}
