/** The rules of the turn and the rulings, one test each. */
import { describe, expect, it } from 'vitest';
import type { Tile } from '../../../src/games/hawaii/data.ts';
import { rules2 as hawaii } from '../../../src/games/hawaii/index.ts';
import { fits, kindsIn, villagesFor } from '../../../src/games/hawaii/realm.ts';
import { beginTurn } from '../../../src/games/hawaii/round.ts';
import { NONE, type State } from '../../../src/games/hawaii/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { act, kind, realm, table, token, types, village, walks } from './table.ts';

/** Slots of the boards of `table()`: A shell/foot, B spear/exchange, … H kahunas, I tikis, J gods. */
const at = (state: State, slot: string, ...tokens: string[]): State => {
  const i = 'ABCDEFGHIJ'.indexOf(slot);
  state.circles[i] = state.circles[i]!.map((_, n) => (tokens[n] === undefined ? NONE : token(tokens[n]!)));
  return state;
};

describe('set-up', () => {
  it.each([2, 3, 4, 5])('%s seats: 13 shells and 7 feet each, fruit by the place in the order', (seats) => {
    for (let seed = 1; seed <= 20; seed++) {
      const state = hawaii.setup({ openResources: false, begins: 'lot' }, seats, fastRng(seed));
      expect([...state.order].sort()).toEqual([...state.seats.keys()]);
      const stocks = state.order.map((seat) => state.seats[seat]!.stock);
      expect(stocks).toEqual([0, 2, 3, 4, 5].slice(0, seats).map((fruit) => ({ shells: 13, feet: 7, fruit })));
      expect([...state.boards].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(state.docks).toHaveLength(4);
      expect(state.stack.reduce((a, b) => a + b, 0)).toBe(6);
      expect(state.godTops.every((god) => god >= kind('ku'))).toBe(true);
      expect(state.active).toBe(state.order[0]);
      expect(hawaii.accounts(state)).toMatchObject({ tokens: 25, islands: 10, boards: 10, chiefs: seats });
    }
  });

  it('the order, if it is drawn by lot, and the boards differ from match to match', () => {
    const states = [1, 2, 3, 4, 5, 6].map((seed) =>
      hawaii.setup({ openResources: false, begins: 'lot' }, 5, fastRng(seed)),
    );
    expect(new Set(states.map(({ order }) => order.join())).size).toBeGreaterThan(1);
    expect(new Set(states.map(({ boards }) => boards.join())).size).toBeGreaterThan(1);
  });
});

describe('where tiles go', () => {
  const villages = (tile: Tile, rows: number[][]) => villagesFor(realm({ villages: rows }), kind(tile));

  it('the printed hut opens the first village: other tiles may follow it at once', () => {
    expect(villages('hula', [[]])).toEqual([0]);
  });

  it('only huts open the next village, from the top and without a gap, while others are unfinished', () => {
    expect(villages('longHut', [[]])).toEqual([0, 1]);
    expect(villages('longHut', [village('shellHut'), village('footHut')])).toEqual([0, 1, 2]);
    expect(villages('surfer', [village('shellHut'), village('footHut')])).toEqual([0, 1]);
    expect(villages('footHut', new Array(5).fill(village('longHut')))).toEqual([0, 1, 2, 3, 4]);
    expect(villages('longHut', new Array(5).fill(village('longHut')))).toEqual([]);
  });

  it('no two of a kind in a village, whatever their sides; four different fruits may share one', () => {
    expect(villages('taro', [village('taro II')])).toEqual([]);
    expect(villages('taro', [village('breadfruit', 'coconut', 'banana')])).toEqual([0]);
  });

  it('one god per village, each god once per realm', () => {
    expect(villages('ku', [village('lono'), village('shellHut')])).toEqual([1]);
    expect(villages('ku', [village('ku'), village('shellHut')])).toEqual([]);
    expect(villages('ku', [village('lono')])).toEqual([]);
  });

  it('R11: the printed hut is of no kind', () => {
    for (const hut of ['shellHut', 'footHut', 'spearHut', 'exchangeHut', 'longHut'] as const) {
      expect(villages(hut, [[]])).toContain(0);
    }
  });

  it('boats without limit, five kahunas, six tikis; kahunas before villages that are not begun', () => {
    const me = realm({ kahunas: 4, tikis: 5, boats: [1, 4, 4] });
    expect([1, 2].map((n) => fits(me, kindsIn(me), kind('kahuna'), n))).toEqual([true, false]);
    expect([1, 2].map((n) => fits(me, kindsIn(me), kind('tiki'), n))).toEqual([true, false]);
    expect(fits(me, kindsIn(me), kind('boat'), 1)).toBe(true);
  });
});

describe('buying', () => {
  it('kahunas: the bonus shells come after paying, for each space', () => {
    let state = at(table(), 'H', '4');
    state.seats[0]!.kahunas = 2;
    state.seats[0]!.stock = { shells: 8, feet: 3, fruit: 0 };
    state = act(state, 0, { type: 'walk', place: 'H' });
    state = act(state, 0, { type: 'buy', tile: 'kahuna', value: 4, spear: false, side: 2 });
    expect(state.seats[0]).toMatchObject({ kahunas: 4, stock: { shells: 2, feet: 0 } });
  });

  it('tikis: the bonus feet come after paying', () => {
    let state = at(table(), 'I', '2');
    state.seats[0]!.tikis = 3;
    state = act(state, 0, { type: 'walk', place: 'I' });
    state = act(state, 0, { type: 'buy', tile: 'tiki', value: 2, spear: false, side: 2 });
    expect(state.seats[0]).toMatchObject({ tikis: 5, stock: { shells: 9, feet: 7 - 4 + 1 + 2 } });
    expect(state.supply[kind('tiki')]).toBe(13);
  });

  it('R10: the bonus shells of a kahuna do not help to pay for it', () => {
    const state = at(table(), 'H', '4');
    state.seats[0]!.kahunas = 4;
    state.seats[0]!.stock = { shells: 3, feet: 3, fruit: 0 };
    expect(walks(state, 0)).toBe('');
  });

  it('R3: with one space or one tile left only a single kahuna or tiki', () => {
    for (const scarce of [(s: State) => (s.seats[0]!.tikis = 5), (s: State) => (s.supply[kind('tiki')] = 1)]) {
      let state = at(table(), 'I', '2', '3');
      scarce(state);
      state = act(state, 0, { type: 'walk', place: 'I' });
      expect(hawaii.legal(state, 0)).toEqual([
        { type: 'buy', tile: 'tiki', value: 2, spear: false, side: 1 },
        { type: 'buy', tile: 'tiki', value: 3, spear: false, side: 1 },
      ]);
    }
  });

  it('two equal tokens are one choice', () => {
    let state = at(table(), 'A', '6', '6');
    state.seats[0]!.stock.shells = 6;
    state = act(state, 0, { type: 'walk', place: 'A' });
    expect(hawaii.legal(state, 0)).toEqual([
      { type: 'buy', tile: 'shellHut', value: 6, spear: false, side: 1 },
      { type: 'buy', tile: 'footHut', value: 6, spear: false, side: 1 },
    ]);
  });

  it('R4: no mix of shells and fruit for a double price', () => {
    let state = at(table(), 'A', '3');
    state.seats[0]!.stock = { shells: 4, feet: 1, fruit: 4 };
    state = act(state, 0, { type: 'walk', place: 'A' });
    if (state.step === 'payWalk') state = act(state, 0, { type: 'pay', feet: 1, shells: 0, fruit: 0 });
    expect(hawaii.legal(state, 0).every((action) => action.type === 'buy' && action.side === 1)).toBe(true);
  });

  it('R12: a place where nothing fits is crossed, not stopped at', () => {
    const state = at(at(table(), 'D', '2'), 'G', '2');
    state.seats[0]!.villages = [village('irrigation')];
    expect(walks(state, 0)).toBe('G');
  });

  it('a place without tiles is not stopped at', () => {
    const state = at(table(), 'G', '2');
    state.supply[kind('boat')] = 0;
    expect(walks(state, 0)).toBe('');
  });

  it('gods: only the two on top; the next one is drawn when it shows', () => {
    let state = at(table(), 'J', '2', '3');
    state.godTops = [kind('ku'), kind('laka')];
    state = act(state, 0, { type: 'walk', place: 'J' });
    const tiles = new Set(hawaii.legal(state, 0).map((action) => action.type === 'buy' && action.tile));
    expect(tiles).toEqual(new Set(['ku', 'laka']));
    const shown = new Set<number>();
    for (let seed = 1; seed <= 60; seed++) {
      const after = act(state, 0, { type: 'buy', tile: 'ku', value: 2, spear: false, side: 1 }, fastRng(seed));
      expect(after.godTops[1]).toBe(kind('laka'));
      expect(after.godsBelow).toEqual([4, 5]);
      shown.add(after.godTops[0]!);
    }
    expect(shown.size).toBe(6);
  });

  it('gods: where both stacks show the same god, the higher one gives it', () => {
    let state = at(table(), 'J', '2', '3');
    state.godTops = [kind('ku'), kind('ku')];
    state.godsBelow = [1, 3];
    state.supply.fill(1, kind('kane'));
    state = act(state, 0, { type: 'walk', place: 'J' });
    state = act(state, 0, { type: 'buy', tile: 'ku', value: 2, spear: false, side: 1 });
    expect(state.godTops[0]).toBe(kind('ku'));
    expect(state.godsBelow).toEqual([1, 2]);
  });

  it('gods: an empty stack stays empty', () => {
    let state = at(table(), 'J', '2', '3');
    state.godTops = [kind('ku'), NONE];
    state.godsBelow = [0, 0];
    state.supply.fill(0, kind('ku'));
    state.supply[kind('ku')] = 1;
    state = act(state, 0, { type: 'walk', place: 'J' });
    state = act(state, 0, { type: 'buy', tile: 'ku', value: 2, spear: false, side: 1 });
    expect(state.godTops).toEqual([NONE, NONE]);
    state.seats[1]!.stock.feet = 9;
    expect(walks(state, 1)).not.toContain('J');
  });
});

describe('spears', () => {
  it('spear huts and Ku give points for each token with spears, added up; on the order track too', () => {
    let state = at(table(), 'G', '2s');
    state.seats[0]!.villages = [village('spearHut', 'ku II'), village('spearHut II')];
    state = act(state, 0, { type: 'walk', place: 'G' });
    state = act(state, 0, { type: 'buy', tile: 'boat', value: 2, spear: true, side: 1 });
    expect(state.seats[0]!.score).toBe(1 + 2 + 2);
    state.track[1] = token('4s');
    beginTurn(state, 0);
    expect(act(state, 0, { type: 'pass', space: 2 }).seats[0]!.score).toBe(10);
    expect(act(state, 0, { type: 'pass', space: 3 }).seats[0]!.score).toBe(5);
  });

  it('a spear hut or Ku bought with the token does not count yet', () => {
    let state = at(table(), 'B', '2s');
    state = act(state, 0, { type: 'walk', place: 'B' });
    state = act(state, 0, { type: 'buy', tile: 'spearHut', value: 2, spear: true, side: 2 });
    state = act(state, 0, { type: 'build', village: 1 });
    expect(state.seats[0]!.score).toBe(0);
  });

  it('fish tokens lie with their number down and have no spears', () => {
    let state = table();
    state.seats[0]!.villages = [village('spearHut II')];
    state.bay = [token('6s')];
    state = act(state, 0, { type: 'fish' });
    expect(state.seats[0]).toMatchObject({ score: 0, fish: [token('6s')] });
  });
});

describe('exchange huts', () => {
  const withHuts = (huts: string[], stock: { shells: number; feet: number; fruit: number }): State => {
    const state = at(table(), 'A', '3');
    state.seats[0]!.villages = huts.map((hut) => village(hut));
    state.seats[0]!.stock = stock;
    beginTurn(state, 0);
    return state;
  };

  it('R7: any resource for any other', () => {
    let state = withHuts(['exchangeHut'], { shells: 4, feet: 0, fruit: 0 });
    state = act(state, 0, { type: 'walk', place: 'A' });
    expect(state.seats[0]!.stock).toEqual({ shells: 3, feet: 0, fruit: 0 });
  });

  it('each once per turn: a hut used for the walk is not there for the tile', () => {
    expect(walks(withHuts(['exchangeHut'], { shells: 3, feet: 0, fruit: 1 }), 0)).toBe('A');
    expect(walks(withHuts(['exchangeHut'], { shells: 3, feet: 0, fruit: 0 }), 0)).toBe('');
    expect(walks(withHuts(['exchangeHut II'], { shells: 3, feet: 0, fruit: 0 }), 0)).toBe('');
    expect(walks(withHuts(['exchangeHut', 'exchangeHut'], { shells: 2, feet: 2, fruit: 0 }), 0)).toBe('A');
  });

  it('side II changes two units of one payment and is not divided between two', () => {
    const state = withHuts(['exchangeHut II'], { shells: 1, feet: 3, fruit: 0 });
    expect(walks(state, 0)).toBe('A');
    state.seats[0]!.stock = { shells: 3, feet: 0, fruit: 0 };
    expect(walks(state, 0)).toBe('');
    // Three feet to F and three shells there: each payment lacks one unit, so two huts are needed.
    at(at(state, 'A'), 'F', '3').seats[0]!.stock = { shells: 2, feet: 2, fruit: 2 };
    expect(walks(state, 0)).toBe('');
    const two = at(withHuts(['exchangeHut', 'exchangeHut'], { shells: 2, feet: 2, fruit: 2 }), 'A');
    expect(walks(at(two, 'F', '3'), 0)).toBe('F');
  });

  it('one bought in this turn is not used in it, and is ready in the next', () => {
    let state = at(table(2), 'B', '2');
    state = act(state, 0, { type: 'walk', place: 'B' });
    state = act(state, 0, { type: 'buy', tile: 'exchangeHut', value: 2, spear: false, side: 2 });
    expect(state.turn.huts).toEqual([0, 0]);
    state = act(state, 0, { type: 'build', village: 2 });
    state = act(state, 1, { type: 'pass', space: 2 });
    expect(state.active).toBe(0);
    expect(state.turn.huts).toEqual([0, 1]);
  });

  it('R6: they help to pay for boats too', () => {
    const state = withHuts(['exchangeHut'], { shells: 1, feet: 0, fruit: 0 });
    state.bay = [token('6')];
    expect(types(state, 0)).toContain('fish');
    const after = act(state, 0, { type: 'fish' });
    expect(after.seats[0]!.stock.shells).toBe(0);
  });

  it('a payment that would make the purchase impossible is not offered', () => {
    const state = withHuts(['exchangeHut', 'longHut'], { shells: 2, feet: 1, fruit: 1 });
    state.circles[0] = [token('2'), NONE];
    const after = act(state, 0, { type: 'walk', place: 'A' });
    expect(after.step).toBe('payWalk');
    expect(hawaii.legal(after, 0)).toEqual([
      { type: 'pay', feet: 1, shells: 0, fruit: 0 },
      { type: 'pay', feet: 0, shells: 0, fruit: 1 },
    ]);
  });
});

describe('Pele and Kane', () => {
  it('R8: Pele caps the walk at 2 or 1, and the capped cost is paid as ever', () => {
    const state = at(table(), 'J', '2');
    const walk = (god: string[], stock: { shells: number; feet: number; fruit: number }) => {
      state.seats[0]!.villages = [village(...god), village('longHut')];
      state.seats[0]!.stock = stock;
      return walks(state, 0);
    };
    expect(walk([], { shells: 9, feet: 3, fruit: 0 })).toBe('');
    expect(walk(['pele'], { shells: 9, feet: 2, fruit: 0 })).toBe('J');
    expect(walk(['pele'], { shells: 9, feet: 1, fruit: 0 })).toBe('');
    expect(walk(['pele II'], { shells: 9, feet: 0, fruit: 1 })).toBe('J');
    state.circles[0] = [token('2'), NONE];
    expect(walk(['pele'], { shells: 9, feet: 1, fruit: 0 })).toBe('A');
  });

  /** Seat 0 has just placed Kane. */
  function kane(change: (state: State) => void): State {
    let state = at(table(), 'J', '2');
    state.godTops = [kind('kane'), kind('ku')];
    state.seats[0]!.stock = { shells: 4, feet: 5, fruit: 1 };
    change(state);
    state = act(state, 0, { type: 'walk', place: 'J' });
    return act(state, 0, { type: 'buy', tile: 'kane', value: 2, spear: false, side: 1 });
  }

  it('Kane: any two resources, mixed or not, for one tiki', () => {
    const state = kane(() => {});
    expect(hawaii.legal(state, 0)).toEqual([
      { type: 'kane', feet: 1, shells: 1, fruit: 0 },
      { type: 'kane', feet: 1, shells: 0, fruit: 1 },
      { type: 'kane', feet: 0, shells: 2, fruit: 0 },
      { type: 'kane', feet: 0, shells: 1, fruit: 1 },
      { type: 'decline' },
    ]);
    const after = act(state, 0, { type: 'kane', feet: 0, shells: 1, fruit: 1 });
    expect(after.seats[0]).toMatchObject({ tikis: 1, stock: { shells: 1, feet: 1, fruit: 0 } });
    expect(act(state, 0, { type: 'decline' }).seats[0]!.tikis).toBe(0);
  });

  it('Kane: the tiki brings the feet of its space, after the two resources are paid', () => {
    const state = kane((state) => (state.seats[0]!.tikis = 4));
    const after = act(state, 0, { type: 'kane', feet: 1, shells: 1, fruit: 0 });
    expect(after.seats[0]).toMatchObject({ tikis: 5, stock: { shells: 1, feet: 0 + 2, fruit: 1 } });
  });

  it('R9: the offer lapses without tikis or without a space', () => {
    expect(kane((state) => (state.supply[kind('tiki')] = 0)).active).toBe(1);
    expect(kane((state) => (state.seats[0]!.tikis = 6)).active).toBe(1);
  });
});

describe('the turn', () => {
  it('R1: a chief on the beach cannot rest there', () => {
    const state = table();
    expect(types(state, 0)).not.toContain('rest');
    state.seats[0]!.chief = 3;
    expect(types(state, 0)).toContain('rest');
  });

  it('R15: passing is always possible, on any free space of as many as there are seats', () => {
    const state = table(3);
    state.seats[0]!.stock = { shells: 0, feet: 0, fruit: 0 };
    state.seats[2]!.space = 1;
    expect(hawaii.legal(state, 0)).toEqual([
      { type: 'pass', space: 1 },
      { type: 'pass', space: 3 },
    ]);
  });

  it('goes round the order track and skips those who have passed', () => {
    let state = table(3);
    state.order = [2, 0, 1];
    beginTurn(state, 2);
    for (const seat of state.seats) seat.chief = 0;
    state = act(state, 2, { type: 'rest' });
    expect(state.active).toBe(0);
    state = act(state, 0, { type: 'pass', space: 3 });
    expect(state.active).toBe(1);
    state = act(state, 1, { type: 'rest' });
    expect(state.active).toBe(2);
    state.seats[2]!.chief = 0;
    state = act(state, 2, { type: 'rest' });
    expect(state.active).toBe(1);
  });

  it('the last seat passes by itself when nothing else is possible', () => {
    let state = table(2);
    state = act(state, 0, { type: 'pass', space: 2 });
    expect(state.round).toBe(2);
    expect(state.order).toEqual([1, 0]);
  });
});
