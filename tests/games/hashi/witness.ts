import type { Sheet } from '../../../src/games/hashi/state.ts';
import { sheetOf } from './table.ts';

/** A complete solo match on side A that reaches all 60 points; the card 2/2 never comes. */
export const WITNESS = {
  preset: { island: 9, number: 3 },
  bonuses: { blue: { round: 7, points: 7 }, chain: { round: 11, points: 8 }, red: { round: 12, points: 9 } },
  bridges: 32,
  rounds: [
    { card: [5, 2], write: 5, bridges: [8, 8], finished: [] },
    { card: [4, 1], write: 8, bridges: [14], finished: [] },
    { card: [3, 2], write: 14, bridges: [9, 22], finished: [] },
    { card: [2, 1], write: 18, bridges: [14], finished: [14] },
    { card: [4, 2], write: 10, bridges: [7, 11], finished: [] },
    { card: [1, 1], write: 12, bridges: [4], finished: [12] },
    { card: [6, 3], write: 6, bridges: [10, 10, 11], finished: [6] },
    { card: [1, 2], write: 4, bridges: [2, 16], finished: [4] },
    { card: [3, 3], write: 1, bridges: [4, 16, 25], finished: [5, 9, 18] },
    { card: [6, 1], write: 2, bridges: [1], finished: [] },
    { card: [2, 3], write: 11, bridges: [1, 3, 3], finished: [1, 2] },
    { card: [3, 1], write: 15, bridges: [23], finished: [15] },
    { card: [4, 3], write: 3, bridges: [6, 19, 19], finished: [11] },
    { card: [1, 3], write: 13, bridges: [12, 13, 18], finished: [8, 13] },
    { card: [5, 1], write: 16, bridges: [18], finished: [10] },
    { card: [6, 2], write: 7, bridges: [], finished: [] },
    { card: [5, 3], write: 17, bridges: [6, 24, 24], finished: [3, 7, 16, 17] },
  ],
};

/** Its sheet at the end: all islands finished. */
export function finishedSheet(): Sheet {
  const numbers: Record<number, number> = { [WITNESS.preset.island]: WITNESS.preset.number };
  const bridges: Record<number, number> = {};
  for (const round of WITNESS.rounds) {
    numbers[round.write] = round.card[0]!;
    for (const link of round.bridges) bridges[link] = (bridges[link] ?? 0) + 1;
  }
  return sheetOf('A', { numbers, bridges });
}
