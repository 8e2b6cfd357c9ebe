import { afterEach, describe, expect, it } from 'vitest';
import { LEVELS } from '../../src/bots/choose.ts';
import { type Ask, openThinker, type Thinker, type ThinkerOptions } from '../../src/bots/thinker.ts';
import { canonical } from '../../src/games/canonical.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { setUp } from '../../tools/random-match.ts';

const game = registry.game('cacao');
const start = setUp(game, {}, 2, 1);
const seat = game.legal(start, 0).length > 0 ? 0 : 1;
const list = game.legal(start, seat).map(canonical);

const ask = (seed: number, level: Ask['level'] = 'EASY'): Ask => ({
  game: game.id,
  rules: game.rules,
  state: game.guess(start, seat, fastRng(seed)),
  seats: 2,
  seat,
  level,
  seed,
});

let thinker: Thinker | undefined;
const failures: string[] = [];
const open = (options: ThinkerOptions) => {
  failures.length = 0;
  thinker = openThinker({ onFailure: (reason) => failures.push(reason), ...options });
  return thinker;
};
const openBroken = (options: ThinkerOptions) =>
  open({ module: new URL('./broken-worker.ts', import.meta.url), threads: 1, limitMs: 2000, ...options });
afterEach(() => thinker?.close());

describe('thinker', () => {
  it('answers every level with a legal action without blocking the event loop', async () => {
    const small = { iterations: 1e6, ms: 150 };
    const { decide } = open({ threads: 2, budgets: { EASY: small, MEDIUM: small, HARD: small } });
    await Promise.all([decide(ask(1)), decide(ask(2))]);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const begun = performance.now();
    const actions = await Promise.all(LEVELS.flatMap((level) => [decide(ask(4, level)), decide(ask(5, level))]));
    clearInterval(timer);
    for (const action of actions) expect(list).toContain(canonical(action));
    expect(failures).toEqual([]);
    // Six searches of 150 ms on two threads, on a machine that may be very busy: none ran through its iterations.
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(ticks).toBeGreaterThan(3);
  });

  it('replaces a thread that hangs, crashes or exits, and decides at random in its place', async () => {
    const { decide } = openBroken({});
    for (const seed of [1, 2, 3]) expect(list).toContain(canonical(await decide(ask(seed))));
    expect(failures).toEqual(['no answer within 2000 ms', 'a thread died: out of ideas', 'a thread ended with code 3']);
    expect(await decide(ask(4))).toEqual({ from: 'thread' });
  });

  it('continues with the queue after a thread was replaced', async () => {
    const { decide } = openBroken({});
    const [stuck, next, last] = await Promise.all([decide(ask(1)), decide(ask(4)), decide(ask(5))]);
    expect(list).toContain(canonical(stuck));
    expect([next, last]).toEqual([{ from: 'thread' }, { from: 'thread' }]);
  });

  it('takes short decisions before long ones that wait', async () => {
    const { decide } = openBroken({});
    const order: string[] = [];
    const decided = (name: string, level: Ask['level']) => decide(ask(4, level)).then(() => order.push(name));
    await Promise.all([decided('first', 'HARD'), decided('long', 'HARD'), decided('short', 'EASY')]);
    expect(order).toEqual(['first', 'short', 'long']);
  });

  it('keeps a thread for short decisions while long ones are taken', async () => {
    const { decide } = openBroken({ threads: 2, limitMs: 60_000 });
    const long = [1, 1, 1].map((seed) => expect(decide(ask(seed, 'HARD'))).rejects.toThrow('closed'));
    expect(await decide(ask(4, 'MEDIUM'))).toEqual({ from: 'thread' });
    await thinker?.close();
    await Promise.all(long);
  });

  it('gives each less time the more of them wait', async () => {
    const { decide } = openBroken({ budgets: { MEDIUM: { iterations: 100, ms: 600 } } });
    const times = await Promise.all([1, 2, 3, 4].map(() => decide(ask(10, 'MEDIUM'))));
    expect(times).toEqual([{ ms: 600 }, { ms: 200 }, { ms: 300 }, { ms: 600 }]);
    const crowd = await Promise.all(Array.from({ length: 100 }, () => decide(ask(10, 'MEDIUM'))));
    expect(Math.min(...crowd.map((answer) => (answer as { ms: number }).ms))).toBe(30);
  });

  it('decides at random when too many wait', async () => {
    const { decide } = openBroken({ queue: 1 });
    const actions = await Promise.all([decide(ask(4)), decide(ask(5)), decide(ask(6))]);
    expect(actions.slice(0, 2)).toEqual([{ from: 'thread' }, { from: 'thread' }]);
    expect(list).toContain(canonical(actions[2]));
    expect(failures).toEqual(['1 decisions are waiting already']);
  });

  it('can be closed while a thread is busy: waiting and later questions are rejected', async () => {
    const { decide, close } = openBroken({ limitMs: 60_000 });
    await decide(ask(4));
    const pending = [decide(ask(1)), decide(ask(5))].map((promise) => expect(promise).rejects.toThrow('closed'));
    await close();
    await Promise.all(pending);
    await expect(decide(ask(4))).rejects.toThrow('closed');
  });

  it('refuses a seat that may not act and a game that does not exist', async () => {
    const { decide } = openBroken({});
    await expect(decide({ ...ask(4), seat: 1 - seat })).rejects.toThrow('may not act');
    await expect(decide({ ...ask(4), game: 'chess' })).rejects.toThrow('no game');
  });
});
