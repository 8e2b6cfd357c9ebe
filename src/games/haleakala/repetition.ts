/** An option of rules 2: a position that stands for the third time ends the match (R22). */

/** The part of a state that can return. */
interface Position {
  turn: number;
  boat: number;
  discs: number[][];
  summons: number[];
  shamans: number[];
  positions?: string[];
}

/** How many times a position must occur to end the match. */
export const REPEATS = 3;

/** One character for each place, from the box (-2) to the last beach as a space (23). */
const placed = (place: number): string => (place + 2).toString(36);

/** Everything that can change without a card or lava: whose turn it is, boat, discs, summon discs, shamans. */
const positionOf = ({ turn, boat, discs, summons, shamans }: Position): string =>
  [turn, boat, ...discs.flat(), ...summons, ...shamans].map(placed).join('');

/** Notes the position at the beginning of a turn. */
export function notePosition(state: Position): void {
  state.positions?.push(positionOf(state));
}

/** How many times the last noted position has occurred; null if the match is played without this option. */
export function timesStood({ positions }: Position): number | null {
  if (!positions) return null;
  const last = positions.at(-1);
  return positions.filter((position) => position === last).length;
}

/** A card that was taken and lava that was summoned never come back, so no earlier position can recur. */
export function forgetPositions(state: Position): void {
  if (state.positions) state.positions = [];
}
