import { describe, expect, it } from 'vitest';
import { hashi } from '../../../src/games/hashi/index.ts';
import { act, playRound, position, stacked } from './table.ts';

const other = { numbers: { 10: 4 } };

describe('the view', () => {
  it('shows which cards came in which round, and the one of this round', () => {
    const state = position({ card: [5, 3], sheets: [other, other] });
    for (const seat of [0, 1]) playRound(state, seat, { write: 3, bridges: [] }, stacked(state, [[2, 1]]));
    const view = hashi.view(state, 0);
    expect(view).toMatchObject({ step: 'round', round: 2, rounds: 17, card: { number: 2, bridges: 1 } });
    expect(view.cards.filter(({ round }) => round !== null)).toEqual([
      { number: 2, bridges: 1, round: 2 },
      { number: 5, bridges: 3, round: 1 },
    ]);
    expect(view.cards).toHaveLength(18);
  });

  it('shows the own round on top of what the others see', () => {
    const state = position({ card: [5, 3], sheets: [other, other] });
    for (const action of [{ type: 'write', island: 3 } as const, { type: 'bridge', link: 3 } as const])
      act(state, 0, action);
    const [own, theirs] = [hashi.view(state, 0), hashi.view(state, 1)].map((view) => view.seats[0]!);
    expect(own).toMatchObject({ step: 'build', thisRound: { written: 3, bridges: [3], left: 2 } });
    expect(own!.islands[2]).toEqual({ id: 3, number: 5, bridges: 1, finished: false });
    expect(theirs).toMatchObject({ step: 'acting', thisRound: null });
    expect(theirs!.islands[2]).toEqual({ id: 3, number: null, bridges: 0, finished: false });
  });

  it('tells what a bonus is worth now', () => {
    const state = position({ card: [5, 3], sheets: [other, other] });
    state.seats[1]!.bonuses.blue = { round: 1, points: 7 };
    expect(hashi.view(state, 0).bonuses.map(({ bonus, now }) => [bonus, now])).toEqual([
      ['red', 9],
      ['blue', 3],
      ['chain', 8],
    ]);
  });

  it('shares nothing with the state', () => {
    const state = position({ card: [5, 3], sheets: [other] });
    const before = JSON.stringify(state);
    const view = hashi.view(state, 0);
    view.seats[0]!.islands[0]!.number = 6;
    view.board.links[8]!.crosses.push(99);
    expect(JSON.stringify(state)).toBe(before);
    expect(hashi.view(state, 0).board.links[8]!.crosses).toEqual([15]);
  });
});
