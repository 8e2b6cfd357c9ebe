import { describe, expect, it } from 'vitest';
import { cacao } from '../../../src/games/cacao/index.ts';
import type { Game } from '../../../src/games/game.ts';
import { canonical } from '../../../src/games/play.ts';
import { randomMatch } from '../../../tools/random-match.ts';

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

  it('"ask" never decides', () => {
    for (const { state, seat } of workDecisions(10)) expect(orders.action(state, seat, { work: 'ask' })).toBeNull();
  });
});
