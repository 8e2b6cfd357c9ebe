import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { addressKey, cap, rateLimit } from '../../src/api/http/limits/admission.ts';
import { takeTurns } from '../../src/api/http/limits/turns.ts';
import { restTurns } from '../../src/api/rest/turns.ts';
import type { Services } from '../../src/services.ts';
import { timeLimit } from '../../src/time-limit.ts';

test('a place is taken and given back exactly once', () => {
  const places = cap(2);
  const release = places.take('a');
  places.take('a');
  expect(places.take('a')).toBeUndefined();
  expect(places.take('b')).toBeDefined();
  expect(places.size).toBe(3);
  release?.();
  release?.();
  expect(places.size).toBe(2);
  expect(places.take('a')).toBeDefined();
  expect(places.take('a')).toBeUndefined();
});

test('counts are forgotten after a minute', () => {
  let time = 0;
  const take = rateLimit(2, () => time);
  take('a');
  take('a');
  expect(() => take('a')).toThrow('Try again in 60 s');
  take('b');
  time = 59_999;
  expect(() => take('a')).toThrow('Try again in 1 s');
  time = 60_000;
  take('a');
});

test('reading what is left uses nothing up', () => {
  const take = rateLimit(1, () => 0);
  take.check('a');
  take.check('a');
  take('a');
  expect(() => take.check('a')).toThrow('Try again in 60 s');
  take.check('b');
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the address %s counts as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key);
});

/** Holds the event loop for longer than a slice of time. */
function work(): void {
  for (const until = performance.now() + 9; performance.now() < until; );
}

test('addresses take turns, however many requests each of them sends at once', async () => {
  const app = Fastify();
  takeTurns(app, { MAX_EVENT_LOOP_DELAY_MS: 0 });
  const served: string[] = [];
  app.get('/', async ({ ip }) => {
    served.push(ip);
    work();
  });
  await app.ready();
  const from = (remoteAddress: string) => app.inject({ url: '/', remoteAddress });
  await Promise.all([...Array.from({ length: 10 }, () => from('203.0.113.1')), from('203.0.113.2')]);
  expect(served).toHaveLength(11);
  expect(served.indexOf('203.0.113.2')).toBeLessThan(4);
  await app.close();
});

test('a request that has waited for its turn too long is refused', async () => {
  const app = Fastify();
  takeTurns(app, { MAX_EVENT_LOOP_DELAY_MS: 5 });
  app.get('/', async () => work());
  await app.ready();
  const answers = await Promise.all(Array.from({ length: 5 }, () => app.inject('/')));
  expect(answers[0]?.statusCode).toBe(200);
  expect(answers.at(-1)?.json()).toMatchObject({ message: expect.stringContaining('too many requests') });
  await app.close();
});

test('a player has at most two exports of all matches at a time', async () => {
  let finish: (page: object) => void = () => {};
  const listed = new Promise<object>((resolve) => {
    finish = resolve;
  });
  const app = Fastify();
  app.decorateRequest('viewer', undefined);
  app.addHook('onRequest', async (request) => {
    request.viewer = { id: String(request.headers.player) } as typeof request.viewer;
  });
  const services = { matches: { list: () => listed }, players: {}, limits: {} } as unknown as Services;
  await app.register(async (routes) => {
    for (const $id of ['Match', 'Problem', 'Turns']) routes.addSchema({ $id });
    await routes.register(restTurns, { services, subscriptions: cap(10), connections: {} as never });
  });
  const exported = async (player: string) => app.inject({ url: '/me/matches/export', headers: { player } });
  const [one, two, three] = [exported('ann'), exported('ann'), exported('ann')];
  expect((await three).statusCode).toBe(429);
  const other = exported('ben');
  finish({ matches: [], more: false });
  expect((await Promise.all([one, two, other])).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect((await exported('ann')).statusCode).toBe(200);
  await app.close();
});

test('a time limit ends by itself even if nobody keeps it, and together with another signal', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const other = new AbortController();
  const aborted = new Promise((resolve) => {
    timeLimit(30, other.signal).signal.addEventListener('abort', resolve, { once: true });
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  collect();
  await aborted;
  const limit = timeLimit(60_000, other.signal);
  other.abort();
  expect([limit.signal.aborted, limit.isOver]).toEqual([true, false]);
  expect(timeLimit(60_000, other.signal).signal.aborted).toBe(true);
});
