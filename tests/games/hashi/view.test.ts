import { describe, expect, it } from 'vitest';
import { SIDES } from '../../../src/games/hashi/data.ts';
import { hashi } from '../../../src/games/hashi/index.ts';
import type { State } from '../../../src/games/hashi/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { act, noRng, playRound, position, stacked } from './table.ts';
import { finishedSheet } from './witness.ts';

const other = { numbers: { 10: 4 } };
const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]!);
const picture = (state: State, seat: number | null) => hashi.svg(hashi.view(state, seat));

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

describe('the picture', () => {
  it.each(SIDES.flatMap((side) => [1, 2, 3, 4].map((seats) => ({ side, seats }))))(
    'names every island on every sheet and stays small: side $side, $seats seats',
    ({ side, seats }) => {
      const rng = fastRng(11);
      const state = hashi.setup({ side }, seats, rng);
      for (;;) {
        for (const eyes of [0, null]) {
          const svg = picture(state, eyes);
          expect(svg.length).toBeLessThan(100_000);
          expect(texts(svg).filter((word) => word === '18')).toHaveLength(seats);
        }
        const seat = state.seats.findIndex((_, i) => hashi.legal(state, i).length > 0);
        if (seat < 0) break;
        hashi.apply(state, seat, rng.pick(hashi.legal(state, seat)), rng);
      }
    },
  );

  it('says what the seat decides', () => {
    const preset = hashi.setup({ side: 'A' }, 2, noRng);
    expect(texts(picture(preset, 0))).toContain('Write a 3 or 4 on an island without a flag');
    const state = position({ card: [5, 3], sheets: [other, other, other] });
    expect(texts(picture(state, 0))).toContain('Write the 5 on an island, or skip');
    act(state, 0, { type: 'write', island: 3 });
    expect(texts(picture(state, 0))).toContain('Draw 3 bridges, or skip');
    act(state, 0, { type: 'bridge', link: 3 });
    expect(texts(picture(state, 0))).toContain('Draw 2 more bridges');
    for (const link of [5, 17]) act(state, 0, { type: 'bridge', link });
    expect(texts(picture(state, 0))).toContain('Waiting for seats B and C');
    expect(texts(picture(state, null)).filter((word) => word === 'ready')).toHaveLength(1);
  });

  it('tells the end: winners, ties, and alone the title', () => {
    const state = position({ card: [1, 1], sheets: [other, other, other] });
    state.step = 'end';
    state.seats[1]!.sheet = finishedSheet();
    expect(texts(picture(state, null))).toContain('Seat B wins with 36 points');
    state.seats[2]!.sheet = finishedSheet();
    expect(texts(picture(state, null))).toContain('Seats B and C win with 36 points');
    const solo = position({ card: [1, 1], sheets: [other] });
    solo.step = 'end';
    solo.seats[0]!.sheet = finishedSheet();
    solo.seats[0]!.bonuses.red = { round: 12, points: 9 };
    expect(texts(picture(solo, 0))).toContain('45 points: bolt tightener');
  });
});
