import { describe, expect, it } from 'vitest';
import { cacao2 as cacao } from '../../../src/games/cacao/index.ts';
import type { State } from '../../../src/games/cacao/state.ts';
import { canonical } from '../../../src/games/canonical.ts';
import type { Game } from '../../../src/games/game.ts';
import { randomMatch } from '../../../tools/random-match.ts';

import { act, place, position } from './position.ts';

const game = cacao as Game;
const orders = cacao.orders as NonNullable<typeof cacao.orders>;

/** Every decision of workers that random matches come to, with the state it is taken in. */
function* workDecisions(matches: number) {
  for (let seed = 1; seed <= matches; seed++) {
    for (const { state, seat } of randomMatch(game, {}, 2 + (seed % 3), seed)) {
      const typed = state as Parameters<typeof cacao.legal>[0];
      if (typed.step === 'work') yield { state: typed, seat };
    }
  }
}

describe('the standing order', () => {
  it('"sell" takes a listed action off turn, and none on the own turn', () => {
    let decided = 0;
    for (const { state, seat } of workDecisions(60)) {
      const action = orders.action(state, seat, { work: 'sell' });
      expect(action === null).toBe(seat === state.active);
      if (!action) continue;
      decided++;
      expect(cacao.legal(state, seat).map(canonical)).toContain(canonical(action));
    }
    expect(decided).toBeGreaterThan(20);
  });

  it('"sell" never sells nothing where something could be sold', () => {
    for (const { state, seat } of workDecisions(60)) {
      const action = orders.action(state, seat, { work: 'sell' });
      if (action?.type === 'sell') expect(action.count).toBeGreaterThan(0);
    }
  });

  /** Follows the order to its end; says what seat 1 has earned and what it did. */
  function earned(state: State): [number, string[]] {
    const labels: string[] = [];
    for (let now = state; ; ) {
      const action = now.step === 'work' ? orders.action(now, 1, { work: 'sell' }) : null;
      if (!action) return [now.villages[1]!.gold - state.villages[1]!.gold, labels];
      labels.push(cacao.label(action, cacao.view(now, 1)));
      now = act(now, 1, action);
    }
  }

  it('"sell" takes the better price first, although the other market takes more', () => {
    const start = position({
      jungle: [[0, 0, 'temple']],
      workers: [
        [-1, 0, 1, '1-1-1-1', 0],
        [1, 0, 1, '3-0-0-1', 1],
      ],
      hands: [['1-1-1-1'], ['1-1-1-1']],
      display: ['market_4', 'market_3'],
    });
    start.villages[1]!.cacao = 2;
    const laid = act(start, 0, place('1-1-1-1', 0, 1));
    expect(earned(act(laid, 0, { type: 'fill', row: -1, col: 1, tile: 'market_4' }))).toEqual([
      7,
      [
        'sell 1 cacao for 4 gold at the market 4 east of (-1,0)',
        'sell 1 cacao for 3 gold at the market 3 east of (1,0)',
      ],
    ]);
  });

  it('"sell" makes room before it harvests', () => {
    const start = position({
      jungle: [
        [0, 0, 'temple'],
        [-2, 0, 'temple'],
        [-2, 2, 'temple'],
      ],
      workers: [
        [-1, 0, 1, '3-0-0-1', 1],
        [-2, 1, 1, '3-1-0-0', 2],
        [1, 0, 1, '1-1-1-1', 0],
      ],
      hands: [['1-1-1-1'], ['1-1-1-1']],
      display: ['market_3', 'plantation_2'],
    });
    start.villages[1]!.cacao = 4;
    const laid = act(start, 0, place('1-1-1-1', 0, 1));
    const [gold] = earned(act(laid, 0, { type: 'fill', row: -1, col: 1, tile: 'market_3' }));
    expect(gold).toBe(18); // harvest first and one fruit is lost: 15
  });

  it('"ask" never decides', () => {
    for (const { state, seat } of workDecisions(10)) expect(orders.action(state, seat, { work: 'ask' })).toBeNull();
  });
});
