/** Round end, income, and the end of the match. */
import { describe, expect, it } from 'vitest';
import { rules2 as hawaii } from '../../../src/games/hawaii/index.ts';
import { finalScoring, neededLength, roundPoints, thresholdOf } from '../../../src/games/hawaii/scoring.ts';
import { NONE, type State } from '../../../src/games/hawaii/state.ts';
import { act, realm, table, token, village } from './table.ts';

/** Seat 0 is the last to pass, on space 1, and has a choice, so that it does not pass by itself. */
function lastPass(seats = 2, round = 1): State {
  const state = table(seats);
  state.round = round;
  state.track.fill(NONE);
  state.seats.forEach((seat, i) => {
    seat.stock = { shells: 0, feet: 0, fruit: 0 };
    if (i > 0) seat.space = i;
  });
  state.seats[0]!.chief = 0;
  return state;
}
const end = (state: State): State => act(state, 0, { type: 'pass', space: 1 });

describe('round end', () => {
  it('surfers lower the own threshold, side II twice as much, and add up', () => {
    expect(thresholdOf(realm({ villages: [village('surfer'), village('longHut', 'surfer II')] }), 3)).toBe(13 - 6);
  });

  it('R2: only those who reach their own threshold are ranked', () => {
    expect(roundPoints(2, [10, 9, 8], [11, 9, 7])).toEqual([0, 10, 6]);
    expect(roundPoints(2, [10, 10, 9], [11, 9, 7])).toEqual([0, 10, 6]);
  });

  it('nobody gets points below the threshold', () => {
    expect(roundPoints(1, [8, 7], [9, 9])).toEqual([0, 0]);
  });

  it('Lono gives 2 or 4 points to a sum that reaches the own threshold, whatever its rank', () => {
    const state = lastPass(4);
    const tokens = [
      ['5', '4'],
      ['6', '6'],
      ['5', '5'],
      ['4', '4'],
    ];
    tokens.forEach((names, i) => {
      state.seats[i]!.tokens = names.map(token);
    });
    state.seats[0]!.villages = [village('lono II')];
    state.seats[1]!.villages = [village('lono')];
    state.seats[3]!.villages = [village('lono')];
    expect(end(state).seats.map(({ score }) => score)).toEqual([2 + 4, 8 + 2, 5, 0]);
    state.seats[3]!.villages = [village('lono', 'surfer')];
    expect(end(state).seats.map(({ score }) => score)).toEqual([2 + 4, 8 + 2, 5, 2 + 2]);
  });

  it('supplies and the income of tiles: sides add up, Ku gives 1 foot on either side', () => {
    const state = lastPass(2, 3);
    state.seats[0]!.villages = [
      village('shellHut', 'footHut II', 'ku II', 'taro', 'banana II'),
      village('shellHut II', 'kane II', 'taro II'),
    ];
    expect(end(state).seats.map(({ stock }) => stock)).toEqual([
      { shells: 4 + 1 + 2 + 2, feet: 4 + 2 + 1, fruit: 1 + 2 + 2 },
      { shells: 4, feet: 4, fruit: 0 },
    ]);
  });

  it('starts the next round: tokens in the bag, chiefs on the beach, boats upright, leftovers kept', () => {
    const state = lastPass(3);
    state.seats[0]!.stock.shells = 2;
    state.seats[1]!.used = [1, 0, 0];
    state.seats[1]!.tokens = [token('2')];
    state.seats[1]!.fish = [token('6')];
    const after = end(state);
    expect(after.round).toBe(2);
    expect(after.seats[0]!.stock).toEqual({ shells: 12, feet: 6, fruit: 0 });
    for (const seat of after.seats)
      expect(seat).toMatchObject({ chief: -1, space: -1, used: [0, 0, 0], tokens: [], fish: [] });
    expect(hawaii.accounts(after).tokens).toBe(25);
  });
});

describe('irrigation II', () => {
  function choosing(): State {
    const state = lastPass(3);
    state.seats[0]!.villages = [village('irrigation II'), village('longHut', 'irrigation II')];
    state.seats[1]!.villages = [village('irrigation')];
    state.seats[2]!.villages = [village('irrigation II')];
    return end(state);
  }

  it('every owner chooses at the same time, once per tile; side I has no choice', () => {
    const state = choosing();
    expect(state.step).toBe('income');
    expect([0, 1, 2].map((seat) => hawaii.legal(state, seat).length)).toEqual([3, 0, 3]);
    let after = act(state, 2, { type: 'income', resource: 'fruit' });
    expect([0, 1, 2].map((seat) => hawaii.legal(after, seat).length)).toEqual([3, 0, 0]);
    after = act(after, 0, { type: 'income', resource: 'shells' });
    after = act(after, 0, { type: 'income', resource: 'feet' });
    expect(after.step).toBe('turn');
    expect(after.seats.map(({ stock }) => stock)).toEqual([
      { shells: 11, feet: 7, fruit: 0 },
      { shells: 10, feet: 6, fruit: 0 },
      { shells: 10, feet: 6, fruit: 1 },
    ]);
  });

  it('a choice is secret until all have chosen, even with open resources', () => {
    const state = choosing();
    state.openResources = true;
    const one = act(state, 2, { type: 'income', resource: 'fruit' });
    const two = act(state, 2, { type: 'income', resource: 'feet' });
    expect(hawaii.isSecret({ type: 'income', resource: 'feet' })).toBe(true);
    expect(hawaii.view(one, 0)).toEqual(hawaii.view(two, 0));
    expect(hawaii.view(one, 2)).not.toEqual(hawaii.view(two, 2));
    expect(hawaii.epoch(one)).toBe(hawaii.epoch(state));
    let after = act(one, 0, { type: 'income', resource: 'feet' });
    after = act(after, 0, { type: 'income', resource: 'feet' });
    expect(hawaii.epoch(after)).toBeGreaterThan(hawaii.epoch(state));
    expect(hawaii.view(after, 0).seats[2]!.resources).toEqual({ shells: 10, feet: 6, fruit: 1 });
  });

  it('gives nothing after the last round, nor does any tile or indicator', () => {
    const state = lastPass(2, 5);
    state.seats[0]!.villages = [village('irrigation II', 'shellHut')];
    const after = end(state);
    expect(after.step).toBe('over');
    expect(after.seats[0]!.stock).toEqual({ shells: 0, feet: 0, fruit: 0 });
  });
});

describe('the end', () => {
  it('space 1 is worth 2 points after round 5, and only then', () => {
    expect(end(lastPass(2, 5)).seats.map(({ score }) => score)).toEqual([2, 0]);
    expect(end(lastPass(2, 4)).seats.map(({ score }) => score)).toEqual([0, 0]);
  });

  it('tikis: each one lets shorter villages score; without a tiki none does', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((tikis) => neededLength(realm({ tikis })))).toEqual([
      Number.POSITIVE_INFINITY,
      7,
      6,
      5,
      4,
      3,
      2,
    ]);
    const villages = [village('hula', 'longHut II'), village('longHut', 'hula')];
    expect(finalScoring(realm({ villages, kahunas: 5 }))).toMatchObject({ kahunas: 0, hula: 0, longHuts: 0 });
    // The printed hut counts for the length of the first village.
    expect(finalScoring(realm({ villages, kahunas: 5, tikis: 5 }))).toMatchObject({ kahunas: 5, hula: 3, longHuts: 5 });
    expect(finalScoring(realm({ villages, kahunas: 5, tikis: 6 }))).toMatchObject({ kahunas: 10, hula: 5 });
  });

  it('a lone hut never scores, and a kahuna before a village that is not begun neither', () => {
    expect(
      finalScoring(realm({ villages: [village('longHut'), village('longHut II')], kahunas: 5, tikis: 6 })),
    ).toEqual({
      kahunas: 5,
      longHuts: 0,
      hula: 0,
      irrigation: 0,
      laka: 0,
      kanaloa: 0,
    });
  });

  it('irrigation: 0, 1, 3, 6, 10 points for fruit tiles, not fruit, in its village', () => {
    const fruit = ['breadfruit II', 'taro II', 'coconut', 'banana'];
    const points = [0, 1, 2, 3, 4].map(
      (n) => finalScoring(realm({ villages: [village('irrigation', ...fruit.slice(0, n))], tikis: 6 })).irrigation,
    );
    expect(points).toEqual([0, 1, 3, 6, 10]);
  });

  it('irrigation II scores at the end like side I', () => {
    const rows = [village('irrigation II', 'taro', 'banana II'), village('longHut', 'irrigation II', 'coconut')];
    expect(finalScoring(realm({ villages: rows, tikis: 5 })).irrigation).toBe(3 + 1);
  });

  it('Laka counts fruit shown in all villages that score; Kanaloa every boat, the fishing boat too, and surfers that score', () => {
    const villages = [
      village('laka II', 'taro II', 'surfer'),
      village('longHut', 'kanaloa II', 'taro'),
      village('longHut'),
    ];
    const final = finalScoring(realm({ villages, tikis: 5, boats: [1, 1, 1] }));
    expect(final).toMatchObject({ laka: 2 * 3, kanaloa: 4 * 4 });
    const dropped = finalScoring(realm({ villages: [...villages.slice(0, 2), village('surfer', 'taro')], tikis: 5 }));
    expect(dropped).toMatchObject({ laka: 2 * 3, kanaloa: 4 * 2 });
  });

  it('final scoring is added to the scores when the match ends', () => {
    const state = lastPass(2, 5);
    state.seats[1]!.villages = [village('hula II', 'longHut II')];
    state.seats[1]!.tikis = 6;
    state.seats[1]!.kahunas = 1;
    const after = end(state);
    expect(hawaii.result(after)).toEqual({ scores: [2, 5 + 6 + 5], ranks: [2, 1] });
  });

  it('ties go to the most resources left, then the rank is shared', () => {
    const state = lastPass(4, 5);
    state.step = 'over';
    state.active = NONE;
    const left = [
      [1, 1, 1],
      [0, 0, 4],
      [3, 0, 0],
      [9, 9, 9],
    ];
    state.seats.forEach((seat, i) => {
      const [shells, feet, fruit] = left[i] as [number, number, number];
      seat.stock = { shells, feet, fruit };
      seat.score = i === 3 ? 10 : 20;
    });
    expect(hawaii.result(state)).toEqual({ scores: [20, 20, 20, 10], ranks: [2, 1, 2, 4] });
  });
});
