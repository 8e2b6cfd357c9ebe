import { describe, expect, it } from 'vitest';
import { JUNGLE_TILES, WATER_TRACK, WORKER_TILES } from '../../../src/games/cacao/data.ts';
import { cacao2 as cacao } from '../../../src/games/cacao/index.ts';
import { cellAt, colOf, faceOf, rowOf, sidesOf, tileOf, turnOf } from '../../../src/games/cacao/table.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { position, setUp } from './position.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

describe('the box', () => {
  it('has 28 jungle tiles', () => {
    expect(Object.fromEntries(JUNGLE_TILES.map(({ name, box }) => [name, box]))).toEqual({
      plantation_1: 6,
      plantation_2: 2,
      market_2: 2,
      market_3: 4,
      market_4: 1,
      gold_mine_1: 2,
      gold_mine_2: 1,
      water: 3,
      sun_site: 2,
      temple: 5,
    });
    expect(sum(JUNGLE_TILES.map(({ box }) => box))).toBe(28);
  });

  it('has four workers on every worker tile', () => {
    for (const { name, sides } of WORKER_TILES) {
      expect(sides.join('-')).toBe(name);
      expect(sum(sides)).toBe(4);
    }
  });

  it('has a water track of 9 fields', () => {
    expect(WATER_TRACK).toEqual([-10, -4, -1, 0, 2, 4, 7, 11, 16]);
  });
});

describe('the set-up', () => {
  it.each([
    [2, [4, 5, 1, 1], 11],
    [3, [3, 5, 1, 1], 10],
    [4, [3, 4, 1, 1], 9],
  ])('deals the worker tiles of %i seats', (seats, copies, total) => {
    const view = cacao.view(position({ seats }), null);
    expect(view.rounds).toBe(total);
    for (const village of view.seats) {
      expect(village.unlaid.map(({ count }) => count)).toEqual(copies);
      expect(village).toMatchObject({ handSize: 3, pileSize: total - 3, cacao: 0, gold: 0, sun: 0, water: -10 });
    }
  });

  it.each([
    [2, 21, 17, { plantation_1: 4, market_3: 3, gold_mine_1: 1, gold_mine_2: 1, water: 2, sun_site: 1, temple: 4 }],
    [3, 28, 24, { plantation_1: 6, market_3: 4, gold_mine_1: 2, gold_mine_2: 1, water: 3, sun_site: 2, temple: 5 }],
    [4, 28, 24, { plantation_1: 6, market_3: 4, gold_mine_1: 2, gold_mine_2: 1, water: 3, sun_site: 2, temple: 5 }],
  ])('takes the jungle tiles of %i seats: %i, of which %i stay in the pile', (seats, used, inPile, some) => {
    const state = position({ seats });
    const accounts = cacao.accounts(state);
    expect(accounts).toMatchObject({ ...some, plantation_2: 2, market_2: 2, market_4: 1 });
    expect(sum(JUNGLE_TILES.map(({ name }) => accounts[name]!))).toBe(used);
    const view = cacao.view(state, null);
    expect(view.pileSize).toBe(inPile);
    expect(view.display).toHaveLength(2);
    expect(view.jungle).toEqual([
      { row: 0, col: 0, tile: 'plantation_1' },
      { row: 1, col: 1, tile: 'market_2' },
    ]);
  });

  it('draws hands and display by chance', () => {
    const texts = Array.from({ length: 20 }, (_, seed) => JSON.stringify(setUp(3, fastRng(seed))));
    expect(new Set(texts).size).toBe(20);
  });
});

describe('numbers for cells and faces', () => {
  it('keep rows and columns apart, far beyond what a match can reach', () => {
    const cells = new Set<number>();
    for (let row = -30; row <= 30; row++) {
      for (let col = -30; col <= 30; col++) {
        const cell = cellAt(row, col);
        expect([rowOf(cell), colOf(cell)]).toEqual([row, col]);
        cells.add(cell);
      }
    }
    expect(cells.size).toBe(61 * 61);
  });

  it('keep tile and turn, and turn clockwise', () => {
    for (let tile = 0; tile < 4; tile++) {
      for (let turn = 0; turn < 4; turn++) {
        const face = faceOf(tile, turn);
        expect([tileOf(face), turnOf(face)]).toEqual([tile, turn]);
        expect(sidesOf(face)[turn]).toBe(WORKER_TILES[tile]!.sides[0]);
        expect(sidesOf(face)[(turn + 1) % 4]).toBe(WORKER_TILES[tile]!.sides[1]);
      }
    }
  });

  it('tell the mirror images apart: the single worker is left of the triple side on 3-0-0-1, right of it on 3-1-0-0', () => {
    expect(sidesOf(faceOf(2, 1))).toEqual([1, 3, 0, 0]);
    expect(sidesOf(faceOf(3, 1))).toEqual([0, 3, 1, 0]);
  });

  it('have as many turns as look different', () => {
    for (const [tile, { turns }] of WORKER_TILES.entries()) {
      const looks = [0, 1, 2, 3].map((turn) => sidesOf(faceOf(tile, turn)).join());
      expect(new Set(looks).size).toBe(turns);
    }
  });
});
