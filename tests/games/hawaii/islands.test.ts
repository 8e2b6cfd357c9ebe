/** Visiting islands, and the boats that carry what is paid for it. */
import { describe, expect, it } from 'vitest';
import { rules2 as hawaii } from '../../../src/games/hawaii/index.ts';
import { beginTurn } from '../../../src/games/hawaii/round.ts';
import { NONE, type State } from '../../../src/games/hawaii/state.ts';
import { act, kind, table, token, types, village } from './table.ts';

describe('islands', () => {
  const visit = (island: number, change: (state: State) => void = () => {}): State => {
    const state = table();
    state.seats[0]!.boats = [0, 1, 0];
    state.docks = [island, 0, 0, 0];
    change(state);
    return act(state, 0, { type: 'visit', dock: 1 });
  };

  it('5 points beside those of the dock', () => {
    expect(visit(0).seats[0]!.score).toBe(2 + 5);
  });

  it('2 kahunas, 2 tikis; one where only one has room or is left; none where none', () => {
    expect(visit(1).seats[0]!.kahunas).toBe(2);
    expect(visit(1, (s) => (s.seats[0]!.kahunas = 4)).seats[0]).toMatchObject({ kahunas: 5, score: 2 });
    expect(visit(7, (s) => (s.supply[kind('tiki')] = 1)).seats[0]!.tikis).toBe(1);
    expect(visit(7, (s) => (s.seats[0]!.tikis = 6)).seats[0]).toMatchObject({ tikis: 6, score: 2 });
  });

  it('2 kahunas bring the shells of their spaces, 2 tikis the feet', () => {
    const stock = { shells: 13, feet: 7 - 3, fruit: 0 };
    expect(visit(1, (s) => (s.seats[0]!.kahunas = 3)).seats[0]!.stock).toEqual({ ...stock, shells: 13 + 1 + 2 });
    expect(visit(7, (s) => (s.seats[0]!.tikis = 3)).seats[0]!.stock).toEqual({ ...stock, feet: 7 - 3 + 1 + 2 });
    expect(visit(7, (s) => (s.seats[0]!.tikis = 5)).seats[0]!.stock).toEqual({ ...stock, feet: 7 - 3 + 2 });
  });

  it('foot hut, shell hut, hula dancer and surfer come on side II, huts also into a new village', () => {
    for (const [island, tile] of [
      [2, 'footHut'],
      [3, 'shellHut'],
    ] as const) {
      const state = visit(island);
      expect(hawaii.legal(state, 0)).toEqual([
        { type: 'build', village: 1 },
        { type: 'build', village: 2 },
      ]);
      expect(act(state, 0, { type: 'build', village: 2 }).seats[0]!.villages[1]).toEqual(village(`${tile} II`));
    }
    expect(visit(4).seats[0]!.villages).toEqual([village('hula II')]);
    expect(visit(6).seats[0]!.villages).toEqual([village('surfer II')]);
  });

  it('what has no place, or is gone, is not taken: the points of the dock remain', () => {
    const state = visit(4, (s) => (s.seats[0]!.villages = [village('hula')]));
    expect(state.seats[0]).toMatchObject({ score: 2, villages: [village('hula')], stock: { feet: 4 } });
    expect(state.active).toBe(1);
    expect(visit(6, (s) => (s.supply[kind('surfer')] = 0)).seats[0]!.villages).toEqual([[]]);
  });

  it('any fruit: the kinds that are left and fit, then the village', () => {
    const state = visit(5, (s) => {
      s.seats[0]!.villages = [village('taro'), village('longHut')];
      s.supply[kind('banana')] = 0;
    });
    expect(hawaii.legal(state, 0)).toEqual([
      { type: 'gift', tile: 'breadfruit' },
      { type: 'gift', tile: 'taro' },
      { type: 'gift', tile: 'coconut' },
    ]);
    expect(act(state, 0, { type: 'gift', tile: 'taro' }).seats[0]!.villages[1]).toEqual(village('longHut', 'taro II'));
    expect(act(state, 0, { type: 'gift', tile: 'coconut' }).step).toBe('build');
    const full = village('breadfruit', 'taro', 'coconut', 'banana');
    expect(visit(5, (s) => (s.seats[0]!.villages = [full])).active).toBe(1);
  });

  it('needs boats that carry the feet, all fruit if not all feet, and an island at the dock', () => {
    const docks = (change: (state: State) => void) => {
      const state = table();
      state.docks = [0, 1, 2, NONE];
      change(state);
      return hawaii.legal(state, 0).flatMap((action) => (action.type === 'visit' ? [action.dock] : []));
    };
    expect(docks(() => {})).toEqual([]);
    expect(docks((s) => (s.seats[0]!.boats = [1, 1, 0]))).toEqual([1, 2, 3]);
    expect(docks((s) => (s.seats[0]!.boats = [1, 1, 1]))).toEqual([1, 2, 3]);
    expect(docks((s) => Object.assign(s.seats[0]!, { boats: [1, 1, 0], used: [1, 0, 0] }))).toEqual([1]);
    const poor = (feet: number, fruit: number) =>
      docks((s) => Object.assign(s.seats[0]!, { boats: [1, 2, 0], stock: { shells: 9, feet, fruit } }));
    expect(poor(2, 2)).toEqual([]);
    expect(poor(0, 4)).toEqual([1, 2]);
  });

  it('a face-up island that comes to the top turns the whole stack', () => {
    let state = table(2);
    state.docks = [0, NONE, NONE, NONE];
    state.stack = [1, 1, 0, 0, 0, 0, 0, 0, 0];
    state.visited = [0, 0, 1, 1, 1, 1, 1, 1, 1];
    state.seats[1]!.space = 1;
    state.seats[0]!.chief = 0;
    state = act(state, 0, { type: 'pass', space: 1 });
    expect(state.docks.slice(1, 3).sort()).toEqual([0, 1]);
    expect(state.docks[3]).toBeGreaterThan(1);
    expect(state.visited.every((n) => n === 0)).toBe(true);
    expect(state.stack.reduce((a, b) => a + b, 0)).toBe(6);
  });

  it('without a visit the docks stay as they are', () => {
    let state = table(2);
    const { docks } = state;
    state.seats[1]!.space = 1;
    state.seats[0]!.chief = 0;
    state = act(state, 0, { type: 'pass', space: 1 });
    expect(state.docks).toEqual(docks);
  });
});

describe('boats', () => {
  it('R13: fishing again in a later turn with boats still unused', () => {
    let state = table();
    state.seats[0]!.boats = [1, 1, 0];
    state.bay = [token('2'), token('4')];
    state = act(state, 0, { type: 'fish' });
    state = act(state, 0, { type: 'catch', fish: [2], boats: ['I'] });
    beginTurn(state, 0);
    expect(types(state, 0)).toContain('fish');
    state = act(state, 0, { type: 'fish' });
    expect(state.seats[0]).toMatchObject({ used: [1, 1, 0], stock: { feet: 5 } });
    state.bay = [token('2')];
    beginTurn(state, 0);
    expect(types(state, 0)).not.toContain('fish');
  });

  it('the printed foot of a boat II goes with fruit as well, but one unit must be paid', () => {
    let state = table();
    state.seats[0]!.boats = [0, 0, 1];
    state.seats[0]!.stock = { shells: 0, feet: 0, fruit: 2 };
    state.docks = [0, NONE, NONE, NONE];
    state.bay = [token('6')];
    expect(act(state, 0, { type: 'visit', dock: 1 }).seats[0]!.stock.fruit).toBe(0);
    state = act(state, 0, { type: 'fish' });
    expect(state.seats[0]).toMatchObject({ stock: { fruit: 1 }, used: [0, 0, 1] });
  });

  it('two boats II for a price that one could carry save a foot: neither is idle', () => {
    let state = table();
    state.seats[0]!.boats = [1, 0, 2];
    state.docks = [NONE, 0, NONE, NONE];
    state = act(state, 0, { type: 'visit', dock: 2 });
    expect(hawaii.legal(state, 0)).toEqual([
      { type: 'load', boats: ['II'] },
      { type: 'load', boats: ['II', 'II'] },
    ]);
    expect(act(state, 0, { type: 'load', boats: ['II', 'II'] }).seats[0]!.stock.feet).toBe(5);
    expect(act(state, 0, { type: 'load', boats: ['II'] }).seats[0]!.stock.feet).toBe(4);
  });
});
