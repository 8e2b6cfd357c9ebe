/** Two servers with a message bus between them, seen from outside. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { bearer, type LegalJson } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { hasRedis, noRedis, type Redis, startRedis } from '../support/redis.ts';
import { byRest } from '../support/streams.ts';
import { type Member, newMember, type Pair, startPair } from '../support/world.ts';

describe.skipIf(!hasRedis)(`two servers with a message bus${noRedis}`, () => {
  let redis: Redis;
  let pair: Pair;
  let ann: Member;
  const env = {
    RATE_LIMIT_PER_PLAYER: '40',
    RATE_LIMIT_PER_ADDRESS: '30',
    RATE_LIMIT_REGISTRATIONS: '6',
    MAX_SOCKETS_PER_PLAYER: '2',
    MAX_SUBSCRIPTIONS_PER_PLAYER: '2',
  };
  beforeAll(async () => {
    redis = await startRedis();
    pair = await startPair({ env: { ...env, BUS_URL: redis.url }, shared: { grantMs: 60_000 } });
    ann = await newMember(rest, [pair.urls[0]], 'Ann');
  });
  afterAll(async () => {
    await pair.stop();
    await redis.kill();
  });

  const statusOf = async (url: string, token?: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const headers = { ...bearer(token), ...(body && { 'content-type': 'application/json' }) };
    return (await fetch(url, { ...init, headers })).status;
  };

  /** How often the second server answers something else before it refuses, when the first has refused already. */
  async function lenience(ask: (url: string, n: number) => Promise<number>): Promise<number> {
    const [first, second] = pair.urls;
    for (let n = 0; (await ask(first, n)) !== 429; n++) expect(n).toBeLessThan(100);
    for (let n = 0; ; n++) {
      if ((await ask(second, 1000 + n)) === 429) return n;
      expect(n).toBeLessThan(100);
      await sleep(30);
    }
  }

  it('tell each other of moves by the bus, and send nothing through the database', async () => {
    const [first, second] = pair.instances;
    const ear = new pg.Client({ connectionString: pair.database.url });
    await ear.connect();
    const notified: string[] = [];
    ear.on('notification', ({ payload }) => notified.push(String(payload)));
    await ear.query('LISTEN atoll_2');
    const { id } = await ann.createMatch({ game: 'hashi', seats: 1 });
    const unheard = await ann.createMatch({ game: 'hashi', seats: 1 });
    const stream = byRest(second.url, { id });
    await expect.poll(() => redis.ask('PUBSUB', 'NUMSUB', `atoll:match:${id}`)).toEqual([`atoll:match:${id}`, 1]);
    const act = async (match: string) => {
      const [legal] = (await ann.legalActions(match)) as [LegalJson];
      return (await ann.submit(match, { action: legal.action })).version;
    };
    await act(unheard.id);
    const version = await act(id);
    await expect.poll(() => stream.seen.at(-1)?.version).toBe(version);
    expect(await second.metric('atoll_hints_total{way="bus",direction="received"}')).toBe(1);
    expect(await first.metric('atoll_hints_total{way="bus",direction="sent"}')).toBeGreaterThanOrEqual(4);
    stream.cut();
    await expect.poll(() => redis.ask('PUBSUB', 'CHANNELS')).toEqual([]);
    await ear.end();
    expect(notified.filter((payload) => payload.includes(':'))).toEqual([]);
  });

  it('count sockets together, and free them when they are closed', async () => {
    const sockets: WebSocket[] = [];
    const open = (url: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
        sockets.push(socket);
        socket.on('open', () =>
          socket.send(JSON.stringify({ type: 'connection_init', payload: { token: ann.token } })),
        );
        socket.on('message', (text) => resolve(JSON.parse(String(text)).type));
        socket.on('close', (code) => resolve(`closed ${code}`));
      });
    const [first, second] = pair.urls;
    expect([await open(first), await open(first)]).toEqual(['connection_ack', 'connection_ack']);
    expect(await open(second)).toBe('closed 4429');
    sockets[0]?.close();
    await expect.poll(() => open(second)).toBe('connection_ack');
    for (const socket of sockets) socket.close();
  });

  it('count streams together', async () => {
    const stop = new AbortController();
    const open = async (url: string) => {
      const headers = { accept: 'text/event-stream', ...bearer(ann.token) };
      return (await fetch(`${url}/v1/turns`, { headers, signal: stop.signal })).status;
    };
    const [first, second] = pair.urls;
    expect([await open(first), await open(first), await open(second)]).toEqual([200, 200, 429]);
    stop.abort();
  });

  it.each([
    ['registrations', 6, (url: string, n: number) => statusOf(`${url}/v1/players`, undefined, { name: `P${n}` })],
    ['wrong tokens', 30, (url: string) => statusOf(`${url}/v1/me`, 'atoll_wrong')],
    ['requests of a player', 40, (url: string) => statusOf(`${url}/v1/me`, ann.token)],
  ] as const)('%s are counted together', async (_, limit, ask) => {
    expect(await lenience(ask)).toBeLessThan(limit / 2);
  });

  it('answer everything while the bus is away, and each of them applies limits by itself', async () => {
    await redis.kill();
    const [first, second] = pair.instances;
    await expect.poll(() => second.metric('atoll_bus_connected')).toBe(0);
    await expect.poll(() => second.busLog).toHaveLength(1);
    expect(await statusOf(`${second.url}/health/ready`)).toBe(200);
    expect(await statusOf(`${second.url}/v1/me`, ann.token)).toBe(200); // much is left of this server's own limit
    await redis.start();
    await expect.poll(() => first.metric('atoll_bus_connected')).toBe(1);
    expect(await first.metric('atoll_bus_losses')).toBe(1);
  });
});
