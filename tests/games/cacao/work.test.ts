import { describe, expect, it } from 'vitest';
import { CACAO_SPACES, JUNGLE_TILES, type JungleTileName } from '../../../src/games/cacao/data.ts';
import { cacao2 as cacao } from '../../../src/games/cacao/index.ts';
import type { Edge, State } from '../../../src/games/cacao/state.ts';
import { cellAt } from '../../../src/games/cacao/table.ts';
import { settle } from '../../../src/games/cacao/work.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { act, acting, kindOf, labels, owns, place, playOut, position, setUp } from './position.ts';

/** A state in which seat 0 has these activated edges: [tile, workers]. */
function working(stock: number, edges: [JungleTileName, number][]): State {
  const state = position({});
  const village = state.villages[0]!;
  village.cacao = stock;
  village.edges = edges.map(
    ([name, workers], i): Edge => ({ cell: cellAt(0, 2 * i + 1), side: 0, workers, kind: kindOf(name) }),
  );
  state.step = 'work';
  settle(village, 0);
  return state;
}

const actions = (state: State) =>
  cacao.legal(state, 0).map((action) => {
    if (action.type === 'harvest') return `harvest ${action.col}`;
    return action.type === 'sell' ? `sell ${action.count} at ${action.col}` : action.type;
  });

describe('what a seat is asked', () => {
  it.each<[string, number, [JungleTileName, number][], string[]]>([
    [
      'nothing without a market',
      3,
      [
        ['plantation_1', 3],
        ['plantation_2', 3],
      ],
      [],
    ],
    ['nothing at a market without cacao', 0, [['market_3', 3]], []],
    ['how many to sell', 2, [['market_3', 3]], ['sell 0 at 1', 'sell 1 at 1', 'sell 2 at 1']],
    [
      'how many to sell after a harvest that fits',
      1,
      [
        ['plantation_1', 2],
        ['market_3', 1],
      ],
      ['sell 0 at 3', 'sell 1 at 3'],
    ],
    [
      'the order where cacao could be lost',
      4,
      [
        ['plantation_1', 2],
        ['market_3', 1],
      ],
      ['harvest 1', 'sell 0 at 3', 'sell 1 at 3'],
    ],
    [
      'no order while only one harvest is possible',
      0,
      [
        ['plantation_2', 3],
        ['market_3', 1],
      ],
      ['sell 0 at 3', 'sell 1 at 3'],
    ],
    [
      'the order of two harvests before a market',
      0,
      [
        ['plantation_2', 3],
        ['market_3', 1],
        ['plantation_1', 1],
      ],
      ['harvest 1', 'harvest 5'],
    ],
    [
      'which market first',
      1,
      [
        ['market_2', 1],
        ['market_4', 1],
      ],
      ['sell 0 at 1', 'sell 1 at 1', 'sell 0 at 3', 'sell 1 at 3'],
    ],
  ])('%s', (_name, stock, edges, expected) => {
    expect(actions(working(stock, edges))).toEqual(expected);
  });

  it('nothing at mines, water, sun sites and temples: they are used at once', () => {
    const jungle: Parameters<typeof position>[0]['jungle'] = [
      [-1, 1, 'gold_mine_2'],
      [0, 2, 'sun_site'],
      [1, 1, 'water'],
      [0, 0, 'temple'],
    ];
    const state = act(position({ jungle, hands: [['2-1-0-1']] }), 0, place('2-1-0-1', 0, 1));
    expect(state.active).toBe(1);
    expect(owns(state, 0)).toEqual({ cacao: 0, gold: 4, sun: 1, water: 0 });
  });

  it('nothing of the seats that have no workers there', () => {
    const workers: Parameters<typeof position>[0]['workers'] = [[0, 1, 1, '3-0-0-1', 2]];
    const state = position({
      jungle: [[0, 0, 'temple']],
      workers,
      hands: [['1-1-1-1']],
      display: ['market_2', 'market_2'],
    });
    for (const village of state.villages) village.cacao = 5;
    const after = act(state, 0, place('1-1-1-1', -1, 0));
    expect(acting(after)).toEqual([0]);
    expect(labels(after, 0)).toEqual([
      'sell nothing at the market 2 east of (-1,0)',
      'sell 1 cacao for 2 gold at the market 2 east of (-1,0)',
    ]);
  });
});

/** Every (cacao, gold) that the rules allow: all orders of the edges, each finished before the next, all amounts sold. */
function outcomes(
  stock: number,
  gold: number,
  edges: [JungleTileName, number][],
  found = new Set<string>(),
): Set<string> {
  if (edges.length === 0) found.add(`${stock} cacao, ${gold} gold`);
  edges.forEach(([name, workers], i) => {
    const rest = edges.filter((_, j) => j !== i);
    const { use, value } = JUNGLE_TILES.find((tile) => tile.name === name)!;
    if (use === 'plantation') outcomes(Math.min(CACAO_SPACES, stock + workers * value), gold, rest, found);
    else for (let n = 0; n <= Math.min(workers, stock); n++) outcomes(stock - n, gold + n * value, rest, found);
  });
  return found;
}

/** Every (cacao, gold) that the listed actions lead to. */
function reached(state: State, found = new Set<string>()): Set<string> {
  const { cacao: stock, gold } = state.villages[0]!;
  if (state.step !== 'work' || state.villages[0]!.edges.length === 0) return found.add(`${stock} cacao, ${gold} gold`);
  for (const action of cacao.legal(state, 0)) {
    const next = clone(state);
    cacao.apply(next, 0, action, fastRng(1));
    reached(next, found);
  }
  return found;
}

describe('no outcome is lost or added by what the engine decides itself', () => {
  it('for random edges and every stock', () => {
    const rng = fastRng(5);
    const names: JungleTileName[] = ['plantation_1', 'plantation_2', 'market_2', 'market_3', 'market_4'];
    for (let i = 0; i < 1500; i++) {
      const stock = rng.int(6);
      const edges = Array.from({ length: 1 + rng.int(4) }, (): [JungleTileName, number] => [
        rng.pick(names),
        1 + rng.int(3),
      ]);
      const expected = [...outcomes(stock, 0, edges)].sort();
      expect([...reached(working(stock, edges))].sort(), JSON.stringify({ stock, edges })).toEqual(expected);
    }
  });
});

describe('seats that work at the same time', () => {
  it('come to the same state in whatever order they act', () => {
    let compared = 0;
    for (let seed = 0; seed < 60; seed++) {
      playOut(setUp(2 + (seed % 3), fastRng(seed)), fastRng(seed), (state) => {
        if (state.step !== 'work' || acting(state).length < 2) return;
        const forward = workOn(state, (seats) => seats[0]!);
        expect(workOn(state, (seats) => seats.at(-1)!)).toEqual(forward);
        const rng = fastRng(seed);
        expect(workOn(state, (seats) => rng.pick(seats))).toEqual(forward);
        compared++;
      });
    }
    expect(compared).toBeGreaterThan(50);
  });

  /** Finishes the step; each seat always takes the last of its actions, and only the last action of all draws tiles. */
  function workOn(start: State, choose: (seats: number[]) => number): State {
    const state = clone(start);
    while (state.step === 'work') {
      const seat = choose(acting(state));
      cacao.apply(state, seat, cacao.legal(state, seat).at(-1)!, fastRng(7));
    }
    return state;
  }
});

describe('every worker works once', () => {
  /** Each side with workers that faces a jungle tile, found anew from the view. */
  const facing = (state: State) => {
    const view = cacao.view(state, null);
    const edges = new Map<string, { seat: number; workers: number; tile: JungleTileName }>();
    for (const { row, col, seat, sides, covers } of view.workers) {
      for (const [side, r, c] of [
        ['N', -1, 0],
        ['E', 0, 1],
        ['S', 1, 0],
        ['W', 0, -1],
      ] as const) {
        const found = view.jungle.find((tile) => tile.row === row + r && tile.col === col + c);
        if (found) edges.set(`${row},${col},${side},${covers}`, { seat, workers: sides[side], tile: found.tile });
      }
    }
    return edges;
  };

  it.each([2, 3, 4])('with %i seats: gold, sun and water are what a naive count of the edges says', (seats) => {
    for (let seed = 0; seed < 40; seed++) {
      const state = setUp(seats, fastRng(seed));
      const expected = Array.from({ length: seats }, () => ({ gold: 0, sun: 0, water: 0 }));
      const done = new Set<string>();
      const catchUp = () => {
        for (const [key, { seat, workers, tile }] of facing(state)) {
          if (done.has(key)) continue;
          done.add(key);
          const owner = expected[seat]!;
          if (tile === 'gold_mine_1') owner.gold += workers;
          if (tile === 'gold_mine_2') owner.gold += 2 * workers;
          if (tile === 'sun_site') owner.sun = Math.min(3, owner.sun + workers);
          if (tile === 'water') owner.water = Math.min(8, owner.water + workers);
        }
      };
      const end = playOut(state, fastRng(seed), (now, seat, action) => {
        if (now.step !== 'fill') catchUp();
        const village = now.villages[seat]!;
        if (now.step !== 'fill')
          expect({ ...expected[seat] }).toEqual({ gold: village.gold, sun: village.sun, water: village.water });
        if (action.type === 'overbuild') expected[seat]!.sun--;
        if (action.type !== 'sell') return;
        const side = now.villages[seat]!.edges.find(
          (edge) => edge.cell === cellAt(action.row, action.col) && 'NESW'[edge.side] === action.side,
        )!;
        expected[seat]!.gold += action.count * JUNGLE_TILES[side.kind]!.value;
      });
      catchUp();
      expect(end.villages.map(({ gold, sun, water }) => ({ gold, sun, water }))).toEqual(expected);
    }
  });
});
