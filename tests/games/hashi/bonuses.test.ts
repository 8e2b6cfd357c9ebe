import { describe, expect, it } from 'vitest';
import { BOARDS } from '../../../src/games/hashi/data.ts';
import { hashi } from '../../../src/games/hashi/index.ts';
import { awardBonuses } from '../../../src/games/hashi/scoring.ts';
import { finishedOn, longestChain } from '../../../src/games/hashi/sheet.ts';
import { copySheet } from '../../../src/games/hashi/state.ts';
import { type Drawing, finished, playRound, position, sheetOf, stacked } from './table.ts';
import { finishedSheet } from './witness.ts';

/** A second seat that keeps the round open. */
const other: Drawing = { numbers: { 10: 4 } };

it('worked example 3, rulebook final score: 15 finished islands, red late, chain late: 39', () => {
  const state = position({ card: [1, 1], sheets: [other, other] });
  const seat = state.seats[0]!;
  seat.sheet = finishedSheet();
  for (const island of [2, 3, 7]) seat.sheet.numbers[island]!++;
  seat.bonuses.red = { round: 15, points: 5 };
  seat.bonuses.chain = { round: 14, points: 4 };
  state.step = 'end';
  expect(finished(state)).toHaveLength(15);
  expect(hashi.result(state)).toEqual({ scores: [39, 0], ranks: [1, 2] });
});

describe('worked example 4: the bonus race', () => {
  /** Three red islands finished; a 1 finishes the last one, 18. */
  const nearly: Drawing = {
    numbers: { 1: 1, 4: 1, 15: 1, 2: 4, 3: 4, 16: 4, 17: 4 },
    bridges: { 1: 1, 5: 1, 23: 1, 25: 1 },
  };
  const done = { write: 18, bridges: [] };
  const wait = { write: null, bridges: [] };

  it('two seats finish all reds in round 9: 9 each; another in round 11: 5; the last never: 0', () => {
    const state = position({ round: 9, card: [1, 1], sheets: [nearly, nearly, nearly, nearly] });
    const rng = stacked(state, [
      [1, 2],
      [1, 3],
      [2, 1],
    ]);
    const rounds = [
      [done, done, wait, wait],
      [wait, wait, wait, wait],
      [wait, wait, done, wait],
    ];
    for (const plans of rounds) for (const [seat, plan] of plans.entries()) playRound(state, seat, plan, rng);
    expect(state.seats.map(({ bonuses }) => bonuses.red)).toEqual([
      { round: 9, points: 9 },
      { round: 9, points: 9 },
      { round: 11, points: 5 },
      null,
    ]);
  });

  it('the order of submissions within the round does not matter (ruling R2)', () => {
    const state = position({ round: 9, card: [1, 1], sheets: [nearly, nearly] });
    const rng = stacked(state, [[1, 2]]);
    playRound(state, 1, done, rng);
    expect(state.seats[1]!.bonuses.red).toBeNull();
    playRound(state, 0, done, rng);
    expect(state.seats.map(({ bonuses }) => bonuses.red?.points)).toEqual([9, 9]);
  });

  it('is paid once, and later in any later round, not only in the following one (ruling R3)', () => {
    const state = position({ round: 2, card: [1, 1], sheets: [nearly, nearly] });
    state.seats[0]!.bonuses.red = { round: 1, points: 9 };
    state.seats[0]!.sheet = sheetOf('A', { numbers: { ...nearly.numbers, 18: 1 }, bridges: nearly.bridges! });
    const rng = stacked(state, [
      [2, 1],
      [2, 2],
      [2, 3],
      [1, 2],
      [1, 3],
    ]);
    for (const plan of [wait, wait, wait, wait]) for (const seat of [0, 1]) playRound(state, seat, plan, rng);
    playRound(state, 0, wait, rng);
    playRound(state, 1, done, rng);
    expect(state.seats.map(({ bonuses }) => bonuses.red)).toEqual([
      { round: 1, points: 9 },
      { round: 6, points: 5 },
    ]);
  });

  it.each([
    ['blue', { numbers: { 6: 1, 12: 1, 14: 1, 5: 4, 13: 4 }, bridges: { 8: 1, 20: 1, 21: 1 } }, 7, 3],
    ['red', { numbers: { ...nearly.numbers, 18: 1 }, bridges: nearly.bridges! }, 9, 5],
  ] as const)('%s: the first value, then the later one', (bonus, drawing, first, later) => {
    const state = position({ card: [1, 1], sheets: [drawing, other] });
    awardBonuses(state);
    expect(state.seats[0]!.bonuses).toEqual({
      red: null,
      blue: null,
      chain: null,
      [bonus]: { round: 1, points: first },
    });
    state.seats[1]!.sheet = copySheet(state.seats[0]!.sheet);
    awardBonuses(state);
    expect(state.seats.map(({ bonuses }) => bonuses[bonus]?.points)).toEqual([first, later]);
  });
});

describe('worked example 6: the chain', () => {
  const groups = (middle: number): Drawing => ({
    numbers: { 1: 1, 2: 2, 3: 2, 7: middle, 12: 1, 13: 3, 14: 1 },
    bridges: { 1: 1, 3: 1, 6: 1, 13: 1, 20: 1, 21: 1 },
  });

  it('two groups of 3 finished islands joined only through an unfinished island: no bonus', () => {
    const state = position({ card: [6, 1], sheets: [groups(3), other] });
    expect(finished(state)).toHaveLength(6);
    awardBonuses(state);
    expect(state.seats[0]!.bonuses.chain).toBeNull();
  });

  it('the same with that island finished: 8 points, and 4 for who is later', () => {
    const state = position({ card: [6, 1], sheets: [groups(2), other] });
    awardBonuses(state);
    expect(state.seats[0]!.bonuses.chain).toEqual({ round: 1, points: 8 });
    state.seats[1]!.sheet = sheetOf('A', groups(2));
    awardBonuses(state);
    expect(state.seats[1]!.bonuses.chain?.points).toBe(4);
  });

  it('needs six: five joined are not enough, six are, also around a loop and with double bridges', () => {
    const sheet = sheetOf('A', { numbers: { 1: 1, 2: 2, 3: 2, 7: 2, 13: 1 }, bridges: { 1: 1, 3: 1, 6: 1, 13: 1 } });
    expect(longestChain(BOARDS.A, sheet, finishedOn(BOARDS.A, sheet))).toBe(5);
    const loop = sheetOf('A', {
      numbers: { 2: 4, 3: 3, 5: 3, 6: 3, 7: 4, 1: 1 },
      bridges: { 1: 1, 3: 2, 4: 1, 6: 1, 8: 2, 10: 1, 12: 2 },
    });
    expect(longestChain(BOARDS.A, loop, finishedOn(BOARDS.A, loop))).toBe(6);
  });

  it('islands that are finished side by side without a bridge do not count as joined', () => {
    const sheet = sheetOf('A', { numbers: { 1: 1, 2: 1, 3: 1, 4: 1 }, bridges: { 1: 1, 5: 1 } });
    expect(longestChain(BOARDS.A, sheet, finishedOn(BOARDS.A, sheet))).toBe(2);
  });
});
