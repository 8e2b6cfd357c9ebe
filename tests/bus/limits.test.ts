/** Limits that several processes share through a real message bus. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cap, cap, rateLimit } from '../../src/api/http/limits/admission.ts';
import { type Bus, openBus } from '../../src/bus/bus.ts';
import { openShared, type Shared } from '../../src/bus/shared.ts';
import { hasRedis, noRedis, type Redis, startRedis } from '../support/redis.ts';

describe.skipIf(!hasRedis)(`limits of two processes with a message bus${noRedis}`, () => {
  let redis: Redis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  const opened: { bus: Bus; shared: Shared }[] = [];
  async function open(): Promise<Shared> {
    const bus = openBus({ url: redis.url, prefix: 'unit', warn: () => {}, inform: () => {} });
    const shared = openShared(bus, { flushMs: 20, confirmMs: 50, expireMs: 60_000, grantMs: 60_000 });
    await bus.open();
    opened.push({ bus, shared });
    return shared;
  }
  afterAll(async () => {
    await redis.kill();
    for (const { bus, shared } of opened) {
      shared.close();
      await bus.close();
    }
  });

  it('count requests of both processes together, until the minute is over', async () => {
    const [one, two] = [await open(), await open()].map((s) => rateLimit(5, undefined, s.counter('calls', 5)));
    for (let i = 0; i < 4; i++) one?.('ann');
    two?.('ann'); // this process does not know yet what the other has counted
    await expect.poll(() => two?.left('ann').remaining).toBe(0);
    expect(() => two?.('ann')).toThrow(/ 5 requests a minute.* in \d+ s/);
    expect(() => two?.('ben')).not.toThrow();
    await redis.ask('DEL', 'unit:rate:calls:ann'); // as if the minute were over
    one?.('ann'); // the last of its own
    await expect.poll(() => redis.ask('GET', 'unit:rate:calls:ann')).toBe('1');
    expect(Number(await redis.ask('PTTL', 'unit:rate:calls:ann'))).toBeGreaterThan(20_000);
  });

  it('count connections of both processes together, and free those of a process that died', async () => {
    const [one, two] = [await open(), await open()].map((s) => cap(3, s.places('seats', 3))) as [Cap, Cap];
    const held = [await one.taken('ann'), await one.taken('ann')];
    const asked = [two.take('ann'), two.take('ann')].map((release) => release?.granted);
    expect(await Promise.all(asked)).toEqual([true, false]); // the latest one is refused
    expect(await two.taken('ben')).toBeDefined();
    const seats = 'unit:held:seats:ann';
    const until = async () => (await redis.ask<string[]>('HVALS', seats)).map((place) => Number(place.split(' ')[1]));
    const last = Math.max(...(await until()));
    await expect.poll(async () => Math.min(...(await until()))).toBeGreaterThan(last); // both confirm what they hold
    expect(await two.taken('ann')).toBeUndefined();
    held[0]?.();
    await expect.poll(() => two.taken('ann')).toBeDefined();
    expect(await two.taken('ann')).toBeUndefined();
    const { bus, shared } = opened.at(-2) as (typeof opened)[number];
    shared.close(); // it is silent from now on, and has not given its places back
    await bus.close();
    expect(await two.taken('ann')).toBeUndefined();
    // As if the time had passed for which places last that are not confirmed; the living confirm theirs again.
    for (const holder of await redis.ask<string[]>('HKEYS', seats)) await redis.ask('HSET', seats, holder, '1 1');
    await expect.poll(() => two.taken('ann')).toBeDefined();
  });
});
