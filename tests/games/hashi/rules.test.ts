import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/games/hashi/actions.ts';
import { BOARDS, CARDS } from '../../../src/games/hashi/data.ts';
import { hashi } from '../../../src/games/hashi/index.ts';
import { writable } from '../../../src/games/hashi/sheet.ts';
import type { State } from '../../../src/games/hashi/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { act, type Drawing, finished, noRng, offers, playRound, position, sheetOf, stacked } from './table.ts';
import { finishedSheet } from './witness.ts';

const writes = (state: State, seat = 0) =>
  hashi.legal(state, seat).flatMap((action) => (action.type === 'write' ? [action.island] : []));
const links = (state: State, seat = 0) =>
  hashi.legal(state, seat).flatMap((action) => (action.type === 'bridge' ? [action.link] : []));
const skip: Action = { type: 'skip' };
const write = (island: number): Action => ({ type: 'write', island });
const bridge = (link: number): Action => ({ type: 'bridge', link });
/** A second seat that keeps the round open. */
const other: Drawing = { numbers: { 10: 4 } };

describe('preset', () => {
  it('offers 3 and 4 on each of the 11 unflagged islands', () => {
    const state = hashi.setup({ side: 'A' }, 1, noRng);
    expect(hashi.legal(state, 0)).toHaveLength(22);
    for (const { id: island, flag } of BOARDS.A.islands) {
      for (const number of [3, 4] as const) {
        expect(offers(state, 0, { type: 'preset', island, number })).toBe(flag === null);
      }
    }
  });

  it('is open: the others see it at once (ruling R10), and no card is drawn before all have chosen', () => {
    const state = hashi.setup({ side: 'A' }, 3, noRng);
    act(state, 1, { type: 'preset', island: 5, number: 4 });
    expect(hashi.legal(state, 1)).toEqual([]);
    expect(hashi.view(state, 0).seats[1]!.islands[4]).toMatchObject({ number: 4 });
    expect(hashi.view(state, 0).seats[1]!.step).toBe('ready');
    expect(hashi.isSecret({ type: 'preset', island: 5, number: 4 })).toBe(false);
    expect(state.step).toBe('preset');
  });

  it.each([2, 3, 4])('passes the sheets to the left with %i seats, in whatever order they chose', (seats) => {
    const state = hashi.setup({ side: 'A' }, seats, noRng);
    const islands = [2, 3, 5, 7];
    for (let seat = seats - 1; seat >= 0; seat--) {
      act(state, seat, { type: 'preset', island: islands[seat]!, number: 3 }, stacked(state, [[5, 3]]));
    }
    expect(state.step).toBe('round');
    for (let seat = 0; seat < seats; seat++) {
      const { numbers } = state.seats[(seat + 1) % seats]!.sheet;
      expect(numbers.flatMap((number, island) => (number ? [[island, number]] : []))).toEqual([[islands[seat], 3]]);
    }
  });

  it('keeps the own sheet alone (ruling R7)', () => {
    const state = hashi.setup({ side: 'B' }, 1, noRng);
    act(state, 0, { type: 'preset', island: 9, number: 4 }, stacked(state, [[5, 3]]));
    expect(state.seats[0]!.sheet.numbers[9]).toBe(4);
    expect(state.seats[0]!.step).toBe('write');
  });
});

describe('worked example 1: the first round of the rulebook, on side A', () => {
  const begin = () => position({ card: [5, 3], sheets: [{ numbers: { 10: 4 } }, other] });

  it('rulebook example transferred to side A: 5 on island 3, one bridge from the 4 and two from the 5', () => {
    const state = begin();
    for (const action of [write(3), bridge(17), bridge(3), bridge(5)]) act(state, 0, action);
    const { step, sheet } = state.seats[0]!;
    expect(step).toBe('ready');
    expect(sheet).toEqual({ ...sheetOf('A', { numbers: { 10: 4, 3: 5 }, bridges: { 17: 1, 3: 1, 5: 1 } }) });
  });

  it('flag island in round 1: illegal', () => {
    const state = begin();
    expect(offers(state, 0, write(1))).toBe(false);
    expect(writes(state)).toEqual([2, 3, 5, 7, 8, 9, 11, 13, 16, 17]);
  });

  it('two of three bridges: illegal', () => {
    const state = begin();
    for (const action of [write(3), bridge(3), bridge(3)]) act(state, 0, action);
    expect(offers(state, 0, skip)).toBe(false);
    expect(state.seats[0]!.step).toBe('build');
  });

  it('no bridges at all is fine', () => {
    const state = begin();
    for (const action of [write(3), skip]) act(state, 0, action);
    expect(state.seats[0]!.step).toBe('ready');
    expect(state.seats[0]!.sheet.undrawn).toBe(3);
  });

  it('skipping the number although it could be written is allowed (ruling R4), and bridges still may follow', () => {
    const state = begin();
    act(state, 0, skip);
    expect(state.seats[0]!.step).toBe('build');
    for (const link of [17, 18, 15]) act(state, 0, bridge(link));
    expect(state.seats[0]!.step).toBe('ready');
    expect(state.seats[0]!.sheet.unwritten).toBe(1);
  });

  it('a number that can never be completed is legal', () => {
    const state = position({ card: [6, 1], sheets: [other] });
    expect(offers(state, 0, write(11))).toBe(true);
  });
});

describe('worked example 2: finishing', () => {
  it('3 written and 3 bridges: finished and closed for further bridges', () => {
    const state = position({
      card: [6, 1],
      sheets: [{ numbers: { 5: 3, 2: 4 }, bridges: { 4: 1, 8: 2 } }, other],
    });
    expect(finished(state)).toEqual([5]);
    act(state, 0, skip);
    expect(links(state)).toEqual([1, 3]);
  });

  it('stays finished when a neighbour grows', () => {
    const state = position({ card: [6, 1], sheets: [{ numbers: { 5: 1, 2: 4 }, bridges: { 4: 1 } }, other] });
    act(state, 0, skip);
    act(state, 0, bridge(1));
    expect(finished(state)).toEqual([5]);
  });
});

describe('worked example 5: blank island with 3 bridges', () => {
  /** Three bridges reach the blank island 5. */
  const reached: Drawing = { numbers: { 2: 4, 6: 4 }, bridges: { 4: 1, 8: 2 } };

  it.each([1, 2])('%i is forbidden', (number) => {
    expect(writable(BOARDS.A, sheetOf('A', reached), number)).not.toContain(5);
  });

  it('3 finishes at once', () => {
    const state = position({ card: [3, 1], sheets: [reached, other] });
    act(state, 0, write(5));
    expect(finished(state)).toEqual([5]);
    expect(links(state)).not.toContain(4);
  });

  it('5 leaves 2 open', () => {
    const state = position({ card: [5, 1], sheets: [reached, other] });
    act(state, 0, write(5));
    expect(finished(state)).toEqual([]);
    expect(hashi.view(state, 0).seats[0]!.islands[4]).toEqual({ id: 5, number: 5, bridges: 3, finished: false });
  });

  it('with 6 bridges it is closed and only a 6 fits', () => {
    const full: Drawing = { numbers: { 3: 6, 6: 6, 8: 6 }, bridges: { 6: 2, 10: 2, 12: 2 } };
    const sheet = sheetOf('A', full);
    expect([1, 2, 3, 4, 5, 6].filter((number) => writable(BOARDS.A, sheet, number).includes(7))).toEqual([6]);
    const state = position({ card: [1, 1], sheets: [{ ...full, numbers: { ...full.numbers, 13: 6 } }, other] });
    act(state, 0, skip);
    expect(links(state)).not.toContain(13);
    expect(links(state)).toContain(20);
  });
});

describe('writing', () => {
  it('takes a flagged island only after a bridge of an earlier round: this round comes too late', () => {
    const state = position({ card: [1, 1], sheets: [{ numbers: { 2: 4 } }, other] });
    expect(writes(state)).not.toContain(1);
    act(state, 0, skip);
    act(state, 0, bridge(1));
    expect(hashi.legal(state, 0)).toEqual([]);
    playRound(state, 1, { write: null, bridges: [] }, stacked(state, [[2, 1]]));
    expect(writes(state)).toContain(1);
  });

  it('never changes a number', () => {
    expect(writes(position({ card: [1, 1], sheets: [other] }))).not.toContain(10);
  });

  it('is skipped by the engine where no island takes the number', () => {
    // Every unflagged island is numbered, no flagged one is reached.
    const numbers = Object.fromEntries(BOARDS.A.islands.filter(({ flag }) => !flag).map(({ id }) => [id, 6]));
    const state = position({ card: [1, 1], sheets: [{ numbers }] });
    expect(state.seats[0]!.step).toBe('build');
    expect(state.seats[0]!.sheet.unwritten).toBe(1);
    // Link 22 joins two blank islands.
    expect(links(state)).toEqual(BOARDS.A.links.map(({ id }) => id).filter((id) => id !== 22));
  });
});

describe('building', () => {
  it('bridge between two blank islands: illegal', () => {
    const state = position({ card: [1, 1], sheets: [{ numbers: { 10: 4 } }] });
    act(state, 0, skip);
    expect(offers(state, 0, bridge(25))).toBe(false);
    expect(links(state)).toEqual([11, 15, 17, 18]);
  });

  it('the number written this round counts', () => {
    const state = position({ card: [1, 1], sheets: [other] });
    act(state, 0, write(17));
    expect(links(state)).toEqual([11, 15, 17, 18, 19, 24, 25]);
  });

  it('a bridge may lead to a blank flagged island (ruling R6)', () => {
    const state = position({ card: [1, 1], sheets: [other] });
    act(state, 0, write(17));
    expect(BOARDS.A.islands[17]!.flag).toBe('red');
    expect(offers(state, 0, bridge(25))).toBe(true);
  });

  it('crossing: a link whose crossing link has a bridge is closed, in both directions', () => {
    for (const [used, closed] of [
      [9, 15],
      [15, 9],
    ] as const) {
      const state = position({ card: [1, 1], sheets: [{ numbers: { 5: 4, 9: 4 }, bridges: { [used]: 1 } }] });
      act(state, 0, skip);
      expect(links(state)).not.toContain(closed);
      expect(links(state)).toContain(used);
    }
  });

  it('crossing within the same round: the second of two crossing links is no longer offered', () => {
    const state = position({ card: [6, 2], sheets: [{ numbers: { 5: 4, 9: 4 } }, other] });
    act(state, 0, skip);
    expect(links(state)).toEqual(expect.arrayContaining([9, 15]));
    act(state, 0, bridge(9));
    expect(links(state)).not.toContain(15);
  });

  it('two parallel bridges at most, in one round or in several', () => {
    const state = position({ card: [6, 3], sheets: [{ numbers: { 2: 6 }, bridges: { 1: 1 } }, other] });
    act(state, 0, skip);
    act(state, 0, bridge(1));
    expect(links(state)).toEqual([3, 4]);
    act(state, 0, bridge(3));
    act(state, 0, bridge(3));
    expect(state.seats[0]!.sheet.bridges.slice(1, 5)).toEqual([2, 0, 2, 0]);
  });

  it('is offered only if the full number can be drawn, else skipped by the engine (ruling R5)', () => {
    // Only the 1 on island 11 is numbered: one bridge fits, two do not.
    const state = position({ card: [6, 2], sheets: [{ numbers: { 11: 1 } }, other] });
    act(state, 0, skip);
    expect(state.seats[0]!.step).toBe('ready');
    expect(state.seats[0]!.sheet.undrawn).toBe(2);
  });

  it('does not offer a bridge that would leave no room for the rest', () => {
    // 12 and 13 take one bridge each: link 20 between them would use up both.
    const state = position({ card: [6, 2], sheets: [{ numbers: { 12: 1, 13: 1 } }, other] });
    act(state, 0, skip);
    expect(links(state)).toEqual([9, 13, 21]);
    expect(offers(state, 0, bridge(20))).toBe(false);
  });

  it('draws what is left when there is only one link for it', () => {
    // 12 and 13 take one each: after 5-12 only 7-13 and 13-14 are left, after 13-14 only 5-12.
    const state = position({ card: [6, 2], sheets: [{ numbers: { 12: 1, 13: 1 } }, other] });
    act(state, 0, skip);
    act(state, 0, bridge(21));
    expect(state.seats[0]!.step).toBe('ready');
    expect(state.seats[0]!.sheet.bridges[9]).toBe(1);
    expect(finished(state)).toEqual([12, 13]);
  });

  it('keeps numbered ends within their number', () => {
    const state = position({ card: [6, 1], sheets: [{ numbers: { 2: 2, 1: 1 }, bridges: { 3: 1 } }, other] });
    act(state, 0, skip);
    act(state, 0, bridge(1));
    expect(finished(state)).toEqual([1, 2]);
  });
});

describe('the round', () => {
  it('lasts until every seat is done; only then the next card appears', () => {
    const state = position({ card: [5, 3], sheets: [other, other] });
    playRound(state, 1, { write: 3, bridges: [] });
    expect(hashi.legal(state, 1)).toEqual([]);
    expect(state.drawn).toHaveLength(1);
    playRound(state, 0, { write: 3, bridges: [] }, stacked(state, [[2, 2]]));
    expect(state.drawn.map((card) => CARDS[card])).toEqual([
      { number: 5, bridges: 3 },
      { number: 2, bridges: 2 },
    ]);
    expect([0, 1].map((seat) => hashi.legal(state, seat).length)).toEqual([10, 10]);
  });

  it('is over without a decision for a seat that can do nothing', () => {
    const all = finishedSheet();
    const state = position({ card: [5, 3], sheets: [other, other] });
    state.seats[1]!.sheet = all;
    playRound(state, 1, { write: null, bridges: [] });
    playRound(state, 0, { write: 3, bridges: [] }, stacked(state, [[2, 2]]));
    expect(state.drawn).toHaveLength(2);
    expect(state.seats.map(({ step }) => step)).toEqual(['write', 'ready']);
  });

  it('there are 17, and one card never comes', () => {
    const rng = fastRng(3);
    const state = hashi.setup({ side: 'B' }, 2, rng);
    while (!hashi.result(state)) {
      const seat = hashi.legal(state, 0).length > 0 ? 0 : 1;
      hashi.apply(state, seat, rng.pick(hashi.legal(state, seat)), rng);
    }
    expect(new Set(state.drawn).size).toBe(17);
    expect(state.bag).toHaveLength(1);
    expect(hashi.view(state, null)).toMatchObject({ step: 'end', round: 17, card: null });
  });

  it('shares ties', () => {
    const state = position({ card: [1, 1], sheets: [other, other, other] });
    state.step = 'end';
    state.seats[1]!.sheet = finishedSheet();
    state.seats[2]!.sheet = finishedSheet();
    expect(hashi.result(state)).toEqual({ scores: [0, 36, 36], ranks: [3, 1, 1] });
  });
});
