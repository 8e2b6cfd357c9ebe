/** The worked examples of the rulebook, each by its name. */
import { describe, expect, it } from 'vitest';
import { TOKENS } from '../../../src/games/hawaii/data.ts';
import { rules2 as hawaii } from '../../../src/games/hawaii/index.ts';
import { layOutBoard, layOutPrices, restockDocks } from '../../../src/games/hawaii/round.ts';
import { finalScoring, finalTotal, roundPoints, tokenSum } from '../../../src/games/hawaii/scoring.ts';
import { NONE, type State } from '../../../src/games/hawaii/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { act, drawing, kind, realm, table, token, types, village, walks } from './table.ts';

const LONG_HUTS = 2;
const FRUIT = 5;
const TIKIS = 8;

describe('laying out prices', () => {
  const layOut = (board: number, tokens: string[]) => {
    const bag = TOKENS.map(({ count }) => count);
    const bay: number[] = [];
    const circles = layOutBoard(board, bag, bay, drawing(bag, tokens.map(token)));
    return { circles, bay };
  };

  it('3 circles: 3 + 5 + 3 is below 12, so the token lies on the printed circle', () => {
    expect(layOut(FRUIT, ['3', '5', '3s'])).toEqual({ circles: ['3', '5', '3s'].map(token), bay: [] });
  });

  it('3 circles: 3 + 5 + 6 is above 12, so the last token goes to the bay', () => {
    expect(layOut(FRUIT, ['3', '5', '6'])).toEqual({ circles: [token('3'), token('5'), NONE], bay: [token('6')] });
  });

  it('2 circles: 4 + 5 is above 6', () => {
    expect(layOut(TIKIS, ['4', '5'])).toEqual({ circles: [token('4'), NONE], bay: [token('5')] });
  });

  it('1 circle: a 5 stays on the 5, a 6 goes to the bay', () => {
    expect(layOut(LONG_HUTS, ['5'])).toEqual({ circles: [token('5')], bay: [] });
    expect(layOut(LONG_HUTS, ['6s'])).toEqual({ circles: [NONE], bay: [token('6s')] });
  });

  it('a sum equal to the printed number is allowed', () => {
    expect(layOut(FRUIT, ['3', '5', '4'])).toEqual({ circles: ['3', '5', '4'].map(token), bay: [] });
  });

  it('when the blank circles reach the number alone, a token is drawn for the bay all the same', () => {
    expect(layOut(FRUIT, ['6', '6', '2'])).toEqual({ circles: [token('6'), token('6'), NONE], bay: [token('2')] });
    expect(layOut(TIKIS, ['6', '2'])).toEqual({ circles: [token('6'), NONE], bay: [token('2')] });
  });

  it('the order track: one token less than seats, the lowest on space 2, spears rank higher on equal numbers', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const state = table(5);
      layOutPrices(state, fastRng(seed));
      expect(state.track).toHaveLength(5);
      expect(state.track[0]).toBe(NONE);
      expect(state.track).toEqual([...state.track].sort((a, b) => a - b));
      // With five seats and 21 circles all 25 tokens are out.
      expect(state.bag.every((count) => count === 0)).toBe(true);
    }
  });
});

describe('walking', () => {
  /** Red stands at A, next to the long hut at B; spear and exchange huts lie behind it at E. */
  function position(): State {
    const state = table();
    [state.boards[1], state.boards[2], state.boards[4]] = [2, 4, 1];
    state.circles[1] = [NONE];
    state.circles[4] = [token('3'), NONE];
    state.seats[0]!.chief = 0;
    return state;
  }

  it('the red chief must not stop at the long huts, where no token is left', () => {
    expect(walks(position(), 0)).toBe('E');
  });

  it('the red chief may cross the long huts to the spear and exchange huts', () => {
    const before = position();
    before.seats[1]!.chief = 1;
    const after = act(before, 0, { type: 'walk', place: 'E' });
    expect(after.seats[0]!.chief).toBe(4);
    expect(after.seats[0]!.stock.feet).toBe(7 - 2);
  });

  it('to stay costs 1 foot and needs a token', () => {
    const state = position();
    state.circles[0] = [token('2'), token('2')];
    expect(walks(state, 0)).toBe('AE');
    const after = act(state, 0, { type: 'walk', place: 'A' });
    expect(after.seats[0]!.stock.feet).toBe(6);
  });

  it('a diagonal step costs 1 foot', () => {
    const state = position();
    state.seats[0]!.chief = 4;
    expect(act(state, 0, { type: 'walk', place: 'E' }).seats[0]!.stock.feet).toBe(6);
    state.circles[6] = [token('2'), NONE];
    expect(act(state, 0, { type: 'walk', place: 'G' }).seats[0]!.stock.feet).toBe(6);
  });

  it('the way back to the beach is free', () => {
    const after = act(position(), 0, { type: 'rest' });
    expect(after.seats[0]!.stock).toEqual({ shells: 13, feet: 7, fruit: 0 });
    expect(after.active).toBe(1);
  });

  it('an exchange hut costs 3 shells on side I, 6 on side II, and the token is kept at 3', () => {
    for (const side of [1, 2] as const) {
      let state = act(position(), 0, { type: 'walk', place: 'E' });
      state = act(state, 0, { type: 'buy', tile: 'exchangeHut', value: 3, spear: false, side });
      state = act(state, 0, { type: 'build', village: 1 });
      expect(state.seats[0]!.stock.shells).toBe(13 - 3 * side);
      expect(state.seats[0]!.villages).toEqual([village(side === 2 ? 'exchangeHut II' : 'exchangeHut')]);
      expect(tokenSum(state.seats[0]!)).toBe(3);
      expect(state.circles[4]).toEqual([NONE, NONE]);
    }
  });
});

describe('the beach', () => {
  it('fishing: red takes the 3 fish, pays 1 foot and turns its boat; the other token would have cost 1 more', () => {
    const state = table();
    state.bay = [token('2'), token('6')];
    const fishing = act(state, 0, { type: 'fish' });
    expect(hawaii.legal(fishing, 0)).toEqual([
      { type: 'catch', fish: [3, 1], boats: ['fishing'] },
      { type: 'catch', fish: [3], boats: ['fishing'] },
      { type: 'catch', fish: [1], boats: ['fishing'] },
    ]);
    const one = act(fishing, 0, { type: 'catch', fish: [3], boats: ['fishing'] });
    expect(one.seats[0]).toMatchObject({ used: [1, 0, 0], stock: { feet: 6 }, fish: [token('6')], tokens: [] });
    expect(tokenSum(one.seats[0]!)).toBe(3);
    expect(one.bay).toEqual([token('2')]);
    const two = act(fishing, 0, { type: 'catch', fish: [3, 1], boats: ['fishing'] });
    expect(two.seats[0]!.stock.feet).toBe(5);
    expect(tokenSum(two.seats[0]!)).toBe(4);
  });

  it('dock 2: 3 points, a hula dancer II, 4 feet carried by a fishing boat and a boat (2 + 3)', () => {
    const state = table();
    const red = state.seats[0]!;
    red.boats = [1, 1, 0];
    state.docks = [0, 4, 6, 7];
    const after = act(state, 0, { type: 'visit', dock: 2 });
    expect(after.seats[0]).toMatchObject({
      score: 3,
      stock: { feet: 3 },
      used: [1, 1, 0],
      villages: [village('hula II')],
    });
    expect(after.supply[kind('hula')]).toBe(9);
    expect(after.docks).toEqual([0, NONE, 6, 7]);
    expect(after.visited[4]).toBe(1);
    expect(after.active).toBe(1);
    expect(after.seats[0]!.tokens).toEqual([]);
  });

  it('dock 4 with a fishing boat and a boat II costs 5', () => {
    const state = table();
    state.seats[0]!.boats = [1, 0, 1];
    state.docks = [4, 5, 6, 0];
    const after = act(state, 0, { type: 'visit', dock: 4 });
    expect(after.seats[0]).toMatchObject({ score: 9 + 5, stock: { feet: 2 }, used: [1, 0, 1] });
  });

  it('a boat II takes two fish tokens for 1 foot', () => {
    const state = table();
    state.seats[0]!.boats = [1, 0, 1];
    state.bay = [token('2'), token('6')];
    const after = act(act(state, 0, { type: 'fish' }), 0, { type: 'catch', fish: [3, 1], boats: ['II'] });
    expect(after.seats[0]!.stock.feet).toBe(6);
  });

  it('passing: red goes under space 2, takes its token and is second in the next round', () => {
    const start = table(2);
    start.bay = [token('2')];
    let state = act(start, 0, { type: 'pass', space: 2 });
    expect(state.seats[0]!.tokens).toEqual([token('3')]);
    expect(state.track).toEqual([NONE, NONE]);
    expect(types(state, 0)).toEqual([]);
    state = act(state, 1, { type: 'pass', space: 1 });
    expect(state.round).toBe(2);
    expect(state.order).toEqual([1, 0]);
    expect(state.active).toBe(1);
  });

  it('docks are filled anew: the island of the third slides to the second, the stack fills the rest', () => {
    const state = table();
    state.docks = [2, NONE, 5, NONE];
    state.stack = [2, 1, 0, 1, 1, 0, 1, 1, 0];
    state.visited = [0, 0, 0, 0, 0, 0, 0, 0, 1];
    restockDocks(state, drawing(state.stack, [7, 0]));
    expect(state.docks).toEqual([2, 5, 7, 0]);
  });
});

describe('the first round is counted', () => {
  const nine = [9, 9, 9, 9];
  it('14, 11, 9 and 8 give 8, 5, 2 and 0', () => {
    expect(roundPoints(1, [14, 11, 9, 8], nine)).toEqual([8, 5, 2, 0]);
  });

  it('11, 11, 10 and 9 give 8, 8, 2 and 2 (the 3 of one edition is a misprint)', () => {
    expect(roundPoints(1, [11, 11, 10, 9], nine)).toEqual([8, 8, 2, 2]);
  });

  it('several second sums get the second points each', () => {
    expect(roundPoints(1, [14, 11, 11, 9], nine)).toEqual([8, 5, 5, 2]);
  });

  it('the tokens of both examples, through the end of a round', () => {
    const taken = [
      [
        ['3', '3', '5', '3'],
        ['3', '4', '4'],
        ['2', '3', '4'],
        ['6', '2'],
      ],
      [
        ['2', '4', '5'],
        ['5', '6'],
        ['2', '3', '5'],
        ['5', '4'],
      ],
    ];
    const scores = taken.map((seats) => {
      const state = table();
      state.track.fill(NONE);
      seats.forEach((tokens, i) => {
        state.seats[i]!.tokens = tokens.map(token);
        if (i > 0) state.seats[i]!.space = i;
      });
      state.bay = [token('2')];
      return act(state, 0, { type: 'pass', space: 1 }).seats.map(({ score }) => score);
    });
    expect(scores).toEqual([
      [8, 5, 2, 0],
      [8, 8, 2, 2],
    ]);
  });
});

it("income: 10 shells and 6 feet for both, 2 more shells for red's shell hut and Kane, 2 fruit for blue's fruit tile", () => {
  const state = table(2);
  const [red, blue] = state.seats;
  red!.villages = [village('shellHut', 'kane')];
  blue!.villages = [village('banana II')];
  for (const seat of state.seats) seat.stock = { shells: 0, feet: 0, fruit: 0 };
  blue!.space = 1;
  red!.chief = 0;
  const after = act(state, 0, { type: 'pass', space: 1 });
  expect(after.seats.map(({ stock }) => stock)).toEqual([
    { shells: 12, feet: 6, fruit: 0 },
    { shells: 10, feet: 6, fruit: 2 },
  ]);
});

it("red's first round: 12 of 13 shells, 4 of 7 feet, a sum of 13", () => {
  // Long huts at A, shell and foot huts at C, gods at E: 1, 1 and 2 feet.
  let state = table();
  [state.boards[0], state.boards[2], state.boards[4], state.boards[9]] = [2, 0, 9, 4];
  state.circles[0] = [token('2')];
  state.circles[2] = [token('3'), token('4')];
  state.circles[4] = [token('5'), NONE];
  state.godTops = [kind('kane'), kind('pele')];
  const others = () => {
    for (const seat of [1, 2, 3]) {
      state.seats[seat]!.chief = 0;
      state = act(state, seat, { type: 'rest' });
    }
  };
  state = act(state, 0, { type: 'walk', place: 'A' });
  state = act(state, 0, { type: 'buy', tile: 'longHut', value: 2, spear: false, side: 2 });
  state = act(state, 0, { type: 'build', village: 1 });
  expect(state.seats[0]!.stock).toEqual({ shells: 9, feet: 6, fruit: 0 });
  others();
  state = act(state, 0, { type: 'walk', place: 'C' });
  state = act(state, 0, { type: 'buy', tile: 'shellHut', value: 3, spear: false, side: 1 });
  state = act(state, 0, { type: 'build', village: 2 });
  expect(state.seats[0]!.stock).toEqual({ shells: 6, feet: 5, fruit: 0 });
  others();
  state = act(state, 0, { type: 'walk', place: 'E' });
  state = act(state, 0, { type: 'buy', tile: 'kane', value: 5, spear: false, side: 1 });
  state = act(state, 0, { type: 'build', village: 1 });
  state = act(state, 0, { type: 'decline' });
  others();
  state = act(state, 0, { type: 'pass', space: 2 });
  const red = state.seats[0]!;
  expect(red.stock).toEqual({ shells: 13 - 12, feet: 7 - 4, fruit: 0 });
  expect(tokenSum(red)).toBe(13);
  expect(red.villages).toEqual([village('longHut II', 'kane'), village('shellHut')]);
  expect(red.space).toBe(1);
});

it('fruit: 4 fruit instead of 4 shells, 2 fruit instead of 2 feet, never 2 shells and 2 fruit', () => {
  let state = table();
  state.circles[2] = [token('4')];
  state.seats[0]!.stock = { shells: 4, feet: 2, fruit: 6 };
  state.seats[0]!.chief = 9;
  [state.boards[2], state.boards[4]] = [2, 4];
  state = act(state, 0, { type: 'walk', place: 'C' });
  expect(hawaii.legal(state, 0)).toEqual([
    { type: 'pay', feet: 2, shells: 0, fruit: 0 },
    { type: 'pay', feet: 0, shells: 0, fruit: 2 },
  ]);
  state = act(state, 0, { type: 'pay', feet: 0, shells: 0, fruit: 2 });
  expect(hawaii.legal(state, 0)).toEqual([
    { type: 'pay', feet: 0, shells: 4, fruit: 0 },
    { type: 'pay', feet: 0, shells: 0, fruit: 4 },
  ]);
});

describe('final scoring', () => {
  it('example 1: 15 + 8 + 8 + 7 + 6 = 44; villages 1 and 4 and their kahunas are dropped', () => {
    const final = finalScoring(
      realm({
        villages: [
          village('longHut II', 'breadfruit', 'surfer'),
          village('shellHut', 'hula', 'irrigation', 'taro', 'coconut', 'banana II', 'laka II'),
          village('longHut', 'footHut', 'surfer II', 'kanaloa', 'spearHut'),
          village('footHut'),
        ],
        kahunas: 4,
        tikis: 3,
        boats: [1, 1, 1],
      }),
    );
    expect(final).toEqual({ kahunas: 15, kanaloa: 8, laka: 8, hula: 7, irrigation: 6, longHuts: 0 });
    expect(finalTotal(final)).toBe(44);
  });

  it('example 2: 10 + 4 + 10 + 8 + 10 = 42; village 3, its kahuna and its Kanaloa are dropped', () => {
    const final = finalScoring(
      realm({
        villages: [
          village('shellHut', 'hula II', 'surfer', 'longHut'),
          village('footHut', 'breadfruit', 'taro', 'coconut', 'banana', 'irrigation', 'hula', 'laka'),
          village('spearHut', 'kanaloa II'),
        ],
        kahunas: 3,
        tikis: 3,
      }),
    );
    expect(final).toEqual({ kahunas: 10, laka: 4, hula: 18, irrigation: 10, kanaloa: 0, longHuts: 0 });
    expect(finalTotal(final)).toBe(42);
  });
});
