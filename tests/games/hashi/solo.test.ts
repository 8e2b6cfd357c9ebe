import { describe, expect, it } from 'vitest';
import { hashi } from '../../../src/games/hashi/index.ts';
import { awardBonuses } from '../../../src/games/hashi/scoring.ts';
import { act, type Drawing, finished, noRng, playRound, position, sheetOf, stacked } from './table.ts';
import { WITNESS } from './witness.ts';

describe('worked example 7: a complete 60-point solo match on side A', () => {
  const state = hashi.setup({ side: 'A' }, 1, noRng);
  const rng = stacked(
    state,
    WITNESS.rounds.map(({ card }) => card),
  );
  act(state, 0, { type: 'preset', island: 9, number: 3 }, rng);

  const drawn: Record<number, number> = {};
  const numbers: Record<number, number> = { 9: 3 };
  let before: number[] = [];

  it.each(WITNESS.rounds.map((round, i) => ({ ...round, round: i + 1 })))('round $round: $card', (plan) => {
    const [number, bridges] = plan.card;
    expect(hashi.view(state, 0)).toMatchObject({ round: plan.round, card: { number, bridges } });
    playRound(state, 0, plan, rng);
    numbers[plan.write] = number!;
    for (const link of plan.bridges) drawn[link] = (drawn[link] ?? 0) + 1;
    const { sheet, bonuses } = state.seats[0]!;
    expect(sheet).toMatchObject({
      numbers: sheetOf('A', { numbers }).numbers,
      bridges: sheetOf('A', { bridges: drawn }).bridges,
    });
    expect(finished(state).filter((island) => !before.includes(island))).toEqual(plan.finished);
    before = finished(state);
    for (const [bonus, earned] of Object.entries(WITNESS.bonuses)) {
      expect(bonuses[bonus as keyof typeof bonuses]).toEqual(plan.round >= earned.round ? earned : null);
    }
  });

  it('ends with 60 points, 32 bridges, all islands finished, and the highest title', () => {
    expect(hashi.result(state)).toEqual({ scores: [60], ranks: [1] });
    expect(state.seats[0]!.sheet.bridges.reduce((sum, count) => sum + count, 0)).toBe(WITNESS.bridges);
    expect(finished(state)).toHaveLength(18);
    expect(hashi.view(state, 0).solo).toEqual({
      piles: [
        { cards: 7, left: 0 },
        { cards: 5, left: 0 },
        { cards: 5, left: 0 },
      ],
      rating: 'island god',
    });
    expect(hashi.legal(state, 0)).toEqual([]);
  });
});

describe('solo deadlines', () => {
  const blue: Drawing = { numbers: { 6: 1, 12: 1, 14: 1, 5: 4, 13: 4 }, bridges: { 8: 1, 20: 1, 21: 1 } };
  const red: Drawing = {
    numbers: { 1: 1, 4: 1, 15: 1, 18: 1, 2: 4, 3: 4, 16: 4, 17: 4 },
    bridges: { 1: 1, 5: 1, 23: 1, 25: 1 },
  };
  const chain: Drawing = {
    numbers: { 1: 1, 2: 2, 3: 2, 7: 2, 13: 2, 12: 1 },
    bridges: { 1: 1, 3: 1, 6: 1, 13: 1, 20: 1 },
  };

  it.each([
    ['blue', blue, 7, 7],
    ['blue', blue, 8, 3],
    ['red', red, 12, 9],
    ['red', red, 13, 5],
    ['chain', chain, 12, 8],
    ['chain', chain, 13, 4],
  ] as const)('%s at the end of card', (bonus, drawing, round, points) => {
    const state = position({ round, card: [1, 1], sheets: [drawing] });
    expect(hashi.view(state, 0).bonuses.find((entry) => entry.bonus === bonus)).toMatchObject({ now: points });
    awardBonuses(state);
    expect(state.seats[0]!.bonuses[bonus]).toEqual({ round, points });
  });

  it('stand in the view, and not with more seats', () => {
    const deadlines = (seats: number) =>
      hashi.view(hashi.setup({ side: 'A' }, seats, noRng), 0).bonuses.map(({ deadline }) => deadline);
    expect(deadlines(1)).toEqual([12, 7, 12]);
    expect(deadlines(2)).toEqual([null, null, null]);
    expect(hashi.view(hashi.setup({ side: 'A' }, 2, noRng), 0).solo).toBeNull();
  });

  it.each([
    [0, [7, 5, 5]],
    [1, [6, 5, 5]],
    [7, [0, 5, 5]],
    [8, [0, 4, 5]],
    [13, [0, 0, 4]],
    [17, [0, 0, 0]],
  ])('the piles after %i cards', (round, left) => {
    const start = hashi.setup({ side: 'A' }, 1, noRng);
    const state = round === 0 ? start : position({ round, card: [1, 1], sheets: [{ numbers: { 10: 4 } }] });
    expect(hashi.view(state, 0).solo!.piles.map((pile) => pile.left)).toEqual(left);
    expect(hashi.view(state, 0).solo!.rating).toBeNull();
  });
});
