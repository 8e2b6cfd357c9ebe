import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/games/cacao/actions.ts';
import { cacao2 as cacao } from '../../../src/games/cacao/index.ts';
import { sizeOf } from '../../../src/games/cacao/state.ts';
import { rngFor } from '../../../src/games/rng.ts';
import { act, acting, labels, owns, place, position } from './position.ts';

const types = (actions: Action[]) => [...new Set(actions.map(({ type }) => type))];

describe('place', () => {
  it('lists each different tile of the hand once, with its distinct turns', () => {
    const state = position({ hands: [['1-1-1-1', '1-1-1-1', '3-1-0-0']] });
    const actions = cacao.legal(state, 0);
    expect(actions).toHaveLength(6 * (1 + 4));
    expect(labels(state, 0).slice(0, 2)).toEqual(['place 1-1-1-1 at (-1,0)', 'place 1-1-1-1 at (0,-1)']);
    expect(labels(state, 0).slice(-2)).toEqual([
      'place 3-1-0-0 at (2,1), triple side south',
      'place 3-1-0-0 at (2,1), triple side west',
    ]);
    expect(cacao.legal(state, 1)).toEqual([]);
  });

  it('needs a jungle tile beside it: a worker tile is not enough', () => {
    const state = act(position({ hands: [['1-1-1-1']] }), 0, place('1-1-1-1', -1, 0));
    const { open } = cacao.view(state, null);
    expect(open.map(({ row, col }) => `${row},${col}`)).toEqual(['0,-1', '0,1', '1,0', '1,2', '2,1']);
  });

  it('ends the turn with a worker tile drawn and the display topped up', () => {
    const state = position({ hands: [['1-1-1-1'], ['1-1-1-1']], display: ['water', 'water'] });
    state.villages[0]!.pile = [0, 2, 0, 0];
    state.pile = [0, 0, 0, 0, 0, 0, 0, 0, 0, 3];
    state.villages[1]!.pile = [0, 0, 0, 0];
    const second = act(state, 0, place('1-1-1-1', -1, 0));
    expect(second.villages[0]).toMatchObject({ hand: [0, 1, 0, 0], pile: [0, 1, 0, 0] });
    expect(second.active).toBe(1);
    const working = act(second, 1, place('1-1-1-1', 0, 1));
    expect(cacao.view(working, null).display).toEqual(['water']);
    const third = act(working, 1, { type: 'sell', row: 0, col: 1, side: 'S', count: 0 });
    expect(sizeOf(third.villages[1]!.hand)).toBe(0);
    expect(cacao.view(third, null)).toMatchObject({ display: ['water', 'temple'], pileSize: 2 });
  });
});

describe('fill', () => {
  /** Seat 0 places a tile at (0,1) between the cells (-1,1), (0,2) and (1,1), of which each has one worker tile. */
  const threeCells = (
    display: Parameters<typeof position>[0]['display'],
    pile: Parameters<typeof position>[0]['pile'],
  ) => {
    const state = position({
      jungle: [
        [0, 0, 'temple'],
        [0, 4, 'temple'],
      ],
      workers: [
        [-1, 0, 1, '1-1-1-1', 0],
        [1, 0, 1, '1-1-1-1', 0],
        [0, 3, 1, '1-1-1-1', 0],
      ],
      hands: [['1-1-1-1'], ['1-1-1-1']],
      display: display ?? [],
      pile: pile ?? [],
    });
    return act(state, 0, place('1-1-1-1', 0, 1));
  };
  const fillLabels = (cells: string[], tiles: string[]) =>
    cells.flatMap((cell) => tiles.map((tile) => `fill (${cell}) with ${tile}`));

  it('three cells: the display goes out by choice, the last tile comes blind from the pile (R4)', () => {
    let state = threeCells(['water', 'sun_site'], ['gold_mine_2', 'gold_mine_2']);
    expect(labels(state, 0)).toEqual(fillLabels(['-1,1', '0,2', '1,1'], ['water', 'sun site']));
    state = act(state, 0, { type: 'fill', row: 0, col: 2, tile: 'sun_site' });
    expect(labels(state, 0)).toEqual(fillLabels(['-1,1', '1,1'], ['water']));
    const rng = rngFor(Buffer.alloc(32), 1);
    state = act(state, 0, { type: 'fill', row: 1, col: 1, tile: 'water' }, rng);
    expect(rng.used).toBe(true);
    expect(cacao.view(state, null).jungle.slice(2)).toEqual([
      { row: 0, col: 2, tile: 'sun_site' },
      { row: 1, col: 1, tile: 'water' },
      { row: -1, col: 1, tile: 'gold_mine_2' },
    ]);
    expect(owns(state, 0)).toEqual({ cacao: 0, gold: 2, sun: 1, water: 1 });
    expect(owns(state, 1)).toEqual({ cacao: 0, gold: 2, sun: 1, water: 1 });
  });

  it('three cells and two equal tiles: the cells are still a choice', () => {
    const state = threeCells(['water', 'water'], ['temple', 'temple']);
    expect(labels(state, 0)).toEqual(fillLabels(['-1,1', '0,2', '1,1'], ['water']));
  });

  it('too few tiles: the active seat chooses the cells, the others stay empty for ever (R3)', () => {
    let state = threeCells(['water', 'sun_site'], []);
    state = act(state, 0, { type: 'fill', row: 1, col: 1, tile: 'water' });
    expect(labels(state, 0)).toEqual(fillLabels(['-1,1', '0,2'], ['sun site']));
    state = act(state, 0, { type: 'fill', row: 0, col: 2, tile: 'sun_site' });
    expect(state.step).toBe('place');
    expect(cacao.view(state, null)).toMatchObject({ empty: [], display: [], pileSize: 0, active: 1 });
    // Another worker tile beside the cell left empty: there is nothing to fill it with.
    const after = act(state, 1, place('1-1-1-1', -1, 2));
    expect(after.step).toBe('place');
    expect(after.table.jungle.cells).toHaveLength(4);
  });

  it('one tile left for three cells', () => {
    const state = threeCells(['temple'], []);
    expect(labels(state, 0)).toEqual(fillLabels(['-1,1', '0,2', '1,1'], ['temple']));
    expect(act(state, 0, { type: 'fill', row: 0, col: 2, tile: 'temple' }).step).toBe('place');
  });

  it('no tile left: the step is skipped', () => {
    expect(threeCells([], []).step).toBe('place');
  });

  const twoCells = (display: Parameters<typeof position>[0]['display']) => {
    const workers: Parameters<typeof position>[0]['workers'] = [[-1, 0, 1, '1-1-1-1', 0]];
    const state = position({ workers, hands: [['3-1-0-0']], display: display ?? [], pile: ['temple', 'temple'] });
    return act(state, 0, place('3-1-0-0', 0, -1, 2));
  };

  it('one cell and two different tiles: a choice of the active seat alone', () => {
    const state = twoCells(['water', 'sun_site']);
    expect(acting(state)).toEqual([0]);
    expect(labels(state, 0)).toEqual(fillLabels(['-1,-1'], ['water', 'sun site']));
  });

  it('one cell and two equal tiles: no choice', () => {
    const state = twoCells(['water', 'water']);
    expect(state.step).not.toBe('fill');
    expect(cacao.view(state, null).filled).toEqual([{ row: -1, col: -1 }]);
  });

  it('two cells: any of the two tiles to any of them, then the rest follows', () => {
    const workers: Parameters<typeof position>[0]['workers'] = [
      [-1, 0, 1, '1-1-1-1', 0],
      [1, 0, 1, '1-1-1-1', 0],
    ];
    const start = position({
      jungle: [[0, 0, 'temple']],
      workers,
      hands: [['1-1-1-1']],
      display: ['water', 'sun_site'],
    });
    const state = act(start, 0, place('1-1-1-1', 0, 1));
    expect(labels(state, 0)).toEqual(fillLabels(['-1,1', '1,1'], ['water', 'sun site']));
    const filled = act(state, 0, { type: 'fill', row: -1, col: 1, tile: 'sun_site' });
    expect(cacao.view(filled, null).jungle.slice(1)).toEqual([
      { row: -1, col: 1, tile: 'sun_site' },
      { row: 1, col: 1, tile: 'water' },
    ]);
  });

  it('counts worker tiles on opposite sides of a cell', () => {
    const workers: Parameters<typeof position>[0]['workers'] = [[0, 3, 1, '1-1-1-1', 0]];
    const jungle: Parameters<typeof position>[0]['jungle'] = [
      [0, 0, 'temple'],
      [0, 4, 'temple'],
    ];
    const state = position({ jungle, workers, hands: [['1-1-1-1']], display: ['temple', 'temple'] });
    const { filled } = cacao.view(act(state, 0, place('1-1-1-1', 0, 1)), null);
    expect(filled).toEqual([{ row: 0, col: 2 }]);
  });
});

describe('overbuild', () => {
  const built = (display: Parameters<typeof position>[0]['display'] = []) =>
    position({
      jungle: [[0, 0, 'water']],
      workers: [
        [0, 1, 0, '1-1-1-1', 0],
        [0, -1, 1, '1-1-1-1', 0],
      ],
      hands: [['3-0-0-1'], ['1-1-1-1']],
      display,
      pile: [],
    });

  it('is open once display and pile are empty, to a seat with a sun token, on its own tiles', () => {
    const state = built();
    expect(types(cacao.legal(state, 0))).toEqual(['place']);
    state.villages[0]!.sun = 1;
    expect(labels(state, 0).slice(-4)).toEqual([
      'overbuild (0,1) with 3-0-0-1, triple side north',
      'overbuild (0,1) with 3-0-0-1, triple side east',
      'overbuild (0,1) with 3-0-0-1, triple side south',
      'overbuild (0,1) with 3-0-0-1, triple side west',
    ]);
    expect(cacao.legal(state, 0).filter(({ type }) => type === 'overbuild')).toHaveLength(4);
  });

  it.each([
    ['the display', ['temple'] as const, 0],
    ['the pile', [] as const, 1],
  ])('is closed while %s has a tile', (_where, display, temples) => {
    const state = built([...display]);
    state.villages[0]!.sun = 3;
    state.pile[9] = temples;
    expect(types(cacao.legal(state, 0))).toEqual(['place']);
  });

  it('activates all sides again and never covers a stack (R1)', () => {
    let state = built();
    state.villages[0]!.sun = 2;
    state = act(state, 0, { type: 'overbuild', tile: '3-0-0-1', row: 0, col: 1, turn: 3 });
    expect(owns(state, 0)).toEqual({ cacao: 0, gold: 0, sun: 1, water: 3 });
    expect(state.table.workers.cells).toHaveLength(2);
    state = act(state, 1, place('1-1-1-1', 1, 0));
    expect(state.active).toBe(0);
    expect(types(cacao.legal(state, 0))).toEqual(['place']);
  });

  it('cannot be paid with a token of the same turn', () => {
    const state = built();
    state.table.jungle.kinds = [8];
    const after = act(state, 0, place('3-0-0-1', 1, 0, 0));
    expect(owns(after, 0).sun).toBe(3);
    expect(after.active).toBe(1);
  });
});

describe('the end', () => {
  it('comes after the last worker tile, with the parts of every score in the view', () => {
    let state = position({ hands: [[], ['1-1-1-1']] });
    for (const village of state.villages) village.pile = [0, 0, 0, 0];
    state.active = 1;
    state = act(state, 1, place('1-1-1-1', -1, 0));
    expect(state.step).toBe('over');
    expect(acting(state)).toEqual([]);
    expect(cacao.view(state, null).seats[1]).toMatchObject({
      score: { coins: 0, temples: 0, sun: 0, water: -10, total: -10 },
      rank: 1,
    });
    expect(cacao.result(state)).toEqual({ scores: [-10, -10], ranks: [2, 1] });
  });

  it.each([
    ['gold', [3, 9, 5, 1], [0, 0, 0, 0], [3, 1, 2, 4]],
    ['then cacao left over', [5, 5, 5, 1], [1, 2, 0, 5], [2, 1, 3, 4]],
    ['then shared', [5, 5, 7, 5], [2, 2, 0, 1], [2, 2, 1, 4]],
    ['all shared', [0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]],
  ])('ranks by %s', (_name, gold, fruits, ranks) => {
    const state = position({ seats: 4 });
    state.step = 'over';
    state.villages.forEach((village, seat) => {
      Object.assign(village, { gold: gold[seat], cacao: fruits[seat] });
    });
    expect(cacao.result(state)).toEqual({ scores: gold.map((coins) => coins - 10), ranks });
  });
});
