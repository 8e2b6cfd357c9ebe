import { describe, expect, it } from 'vitest';
import { WATER_TRACK } from '../../../src/games/cacao/data.ts';
import { cacao2 as cacao } from '../../../src/games/cacao/index.ts';
import { scoresOf, templeGold, templesOf } from '../../../src/games/cacao/scoring.ts';
import type { State } from '../../../src/games/cacao/state.ts';
import { act, acting, labels, owns, place, position } from './position.ts';

describe('worked examples', () => {
  it('initial legal worker cells', () => {
    for (const seats of [2, 3, 4]) {
      const { open } = cacao.view(position({ seats }), null);
      expect(open.map(({ row, col }) => [row, col])).toEqual([
        [-1, 0],
        [0, -1],
        [0, 1],
        [1, 0],
        [1, 2],
        [2, 1],
      ]);
    }
  });

  it('1: rulebook running example', () => {
    const [red, yellow] = [0, 1];
    let state = position({ hands: [['2-1-0-1'], ['1-1-1-1']], display: ['market_3', 'water'] });
    state = act(state, red, place('2-1-0-1', 0, 1, 3));
    expect(cacao.view(state, red).workers[0]!.sides).toEqual({ N: 1, E: 0, S: 1, W: 2 });
    expect(owns(state, red)).toMatchObject({ cacao: 2, gold: 0 });
    state = act(state, red, { type: 'sell', row: 0, col: 1, side: 'S', count: 1 });
    expect(owns(state, red)).toMatchObject({ cacao: 1, gold: 2 });

    state = act(state, yellow, place('1-1-1-1', -1, 0));
    expect(labels(state, yellow)).toEqual(['fill (-1,1) with market 3', 'fill (-1,1) with water']);
    state = act(state, yellow, { type: 'fill', row: -1, col: 1, tile: 'market_3' });
    expect(acting(state)).toEqual([red, yellow]);
    expect(owns(state, yellow)).toMatchObject({ cacao: 1, gold: 0 });
    state = act(state, yellow, { type: 'sell', row: -1, col: 0, side: 'E', count: 1 });
    state = act(state, red, { type: 'sell', row: 0, col: 1, side: 'N', count: 1 });
    expect(owns(state, yellow)).toMatchObject({ cacao: 0, gold: 3 });
    expect(owns(state, red)).toMatchObject({ cacao: 0, gold: 5 });
  });

  it('2: overview overbuild example', () => {
    let state = position({
      jungle: [
        [-1, 1, 'plantation_2'],
        [0, 2, 'market_4'],
        [1, 1, 'water'],
        [0, 0, 'temple'],
      ],
      workers: [[0, 1, 0, '1-1-1-1', 0]],
      hands: [['2-1-0-1']],
      display: [],
      pile: [],
    });
    state.villages[0]!.sun = 1;
    expect(templesOf(state)[0]!.workers).toEqual([1, 0]);
    state = act(state, 0, { type: 'overbuild', tile: '2-1-0-1', row: 0, col: 1, turn: 1 });
    expect(cacao.view(state, null).workers[0]).toMatchObject({ sides: { N: 1, E: 2, S: 1, W: 0 }, covers: '1-1-1-1' });
    state = act(state, 0, { type: 'sell', row: 0, col: 1, side: 'E', count: 2 });
    expect(owns(state, 0)).toEqual({ cacao: 0, gold: 8, sun: 0, water: 1 });
    expect(templesOf(state)[0]!.workers).toEqual([0, 0]);
  });

  it('3: overview temple example', () => {
    const [yellow, red, purple] = [0, 1, 2];
    const state = position({
      seats: 3,
      jungle: [[0, 0, 'temple']],
      workers: [
        [-1, 0, yellow, '1-1-1-1', 0],
        [0, 1, yellow, '1-1-1-1', 0],
        [1, 0, red, '2-1-0-1', 0],
        [0, -1, purple, '1-1-1-1', 0],
      ],
    });
    expect(templesOf(state)).toMatchObject([{ workers: [2, 2, 1], gold: [3, 3, 0] }]);
  });

  it.each([
    ['overview temple example', [2, 2, 1], [3, 3, 0]],
    ['temple single', [1, 0, 0], [6, 0, 0]],
    ['temple tie for second of 2', [3, 1, 1], [6, 1, 1]],
    ['temple tie for second of 3', [3, 1, 1, 1], [6, 1, 1, 1]],
    ['temple tie for first of 3', [2, 2, 2], [2, 2, 2]],
    ['temple tie for first of 4', [1, 1, 1, 1], [1, 1, 1, 1]],
    ['temple tie for first of 2 leaves no second place', [2, 2, 1, 1], [3, 3, 0, 0]],
    ['temple tie for first of 3 leaves no second place', [2, 2, 2, 1], [2, 2, 2, 0]],
    ['temple with a third place', [3, 2, 1, 0], [6, 3, 0, 0]],
    ['temple that nobody visits', [0, 0], [0, 0]],
  ])('4: %s', (_name, workers, gold) => {
    expect(templeGold(workers)).toEqual(gold);
  });

  describe('5: edge order matters', () => {
    const start = (): State => {
      const state = position({
        jungle: [
          [0, 0, 'plantation_1'],
          [1, -1, 'market_3'],
        ],
        hands: [['2-1-0-1']],
      });
      state.villages[0]!.cacao = 4;
      return act(state, 0, place('2-1-0-1', 0, -1, 1));
    };

    it('E then S', () => {
      let state = act(start(), 0, { type: 'harvest', row: 0, col: -1, side: 'E' });
      expect(owns(state, 0)).toMatchObject({ cacao: 5, gold: 0 });
      state = act(state, 0, { type: 'sell', row: 0, col: -1, side: 'S', count: 1 });
      expect(owns(state, 0)).toMatchObject({ cacao: 4, gold: 3 });
    });

    it('S then E', () => {
      const state = act(start(), 0, { type: 'sell', row: 0, col: -1, side: 'S', count: 1 });
      expect(owns(state, 0)).toMatchObject({ cacao: 5, gold: 3 });
    });

    it('interleaving is illegal: a harvest takes all workers of its edge', () => {
      expect(labels(start(), 0)).toEqual([
        'harvest 1 of 2 cacao at the single plantation east of (0,-1)',
        'sell nothing at the market 3 south of (0,-1)',
        'sell 1 cacao for 3 gold at the market 3 south of (0,-1)',
      ]);
      const harvested = act(start(), 0, { type: 'harvest', row: 0, col: -1, side: 'E' });
      expect(cacao.legal(harvested, 0).map(({ type }) => type)).toEqual(['sell', 'sell']);
    });
  });

  describe('6: caps', () => {
    const withThreeWorkersAt = (tile: 'water' | 'sun_site', before: { water?: number; sun?: number }) => {
      const state = position({ jungle: [[0, 0, tile]], hands: [['3-0-0-1']] });
      Object.assign(state.villages[0]!, before);
      return owns(act(state, 0, place('3-0-0-1', 1, 0, 0)), 0);
    };

    it('water stops at 16', () => {
      const { water } = withThreeWorkersAt('water', { water: WATER_TRACK.indexOf(11) });
      expect([water, WATER_TRACK[water]]).toEqual([8, 16]);
      expect(withThreeWorkersAt('water', { water: 0 }).water).toBe(3);
    });

    it('sun cap', () => {
      expect(withThreeWorkersAt('sun_site', { sun: 2 }).sun).toBe(3);
      expect(withThreeWorkersAt('sun_site', { sun: 0 }).sun).toBe(3);
    });
  });

  it('7: own older tile: both facing sides fire, as two separate edges', () => {
    const [red, yellow] = [0, 1];
    let state = position({
      jungle: [[0, 0, 'water']],
      workers: [[0, 1, yellow, '2-1-0-1', 0]],
      hands: [[], ['1-1-1-1']],
      display: ['market_3', 'market_3'],
    });
    state.active = yellow;
    state.villages[yellow]!.cacao = 5;
    state = act(state, yellow, place('1-1-1-1', -1, 0));
    expect(acting(state)).toEqual([yellow]);
    expect(cacao.view(state, red).seats[yellow]!.edges).toEqual([
      { row: -1, col: 0, side: 'E', workers: 1, tile: 'market_3' },
      { row: 0, col: 1, side: 'N', workers: 2, tile: 'market_3' },
    ]);
    state = act(state, yellow, { type: 'sell', row: 0, col: 1, side: 'N', count: 2 });
    state = act(state, yellow, { type: 'sell', row: -1, col: 0, side: 'E', count: 1 });
    expect(owns(state, yellow)).toMatchObject({ cacao: 2, gold: 9 });
  });

  it('8: final score', () => {
    // Temples that bring seat 0 6 + 3 + 0 + 1 gold: alone; second to seat 1; nobody there; tied for second with seat 2.
    const state = position({
      seats: 3,
      jungle: [
        [0, 0, 'temple'],
        [0, 10, 'temple'],
        [0, 20, 'temple'],
        [10, 0, 'temple'],
      ],
      workers: [
        [1, 0, 0, '1-1-1-1', 0],
        [1, 10, 0, '1-1-1-1', 0],
        [-1, 10, 1, '2-1-0-1', 2],
        [11, 0, 0, '1-1-1-1', 0],
        [9, 0, 1, '3-0-0-1', 2],
        [10, 1, 2, '1-1-1-1', 0],
      ],
    });
    Object.assign(state.villages[0]!, { gold: 31, sun: 2, water: WATER_TRACK.indexOf(-4), cacao: 5 });
    expect(templesOf(state).map(({ gold }) => gold[0])).toEqual([6, 3, 0, 1]);
    expect(scoresOf(state)[0]).toEqual({ coins: 31, temples: 10, sun: 2, water: -4, total: 39 });
  });
});
