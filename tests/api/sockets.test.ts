import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startServer, type TestServer } from '../support/server.ts';
import { type TestApi, testApi } from '../support/test-api.ts';

let server: TestServer;
let api: TestApi;
let url: string;

beforeAll(async () => {
  api = testApi();
  const env = {
    MAX_SOCKETS_PER_PLAYER: '3',
    MAX_SOCKETS_PER_ADDRESS: '6',
    MAX_SUBSCRIPTIONS_PER_PLAYER: '4',
    BODY_LIMIT_BYTES: '20000',
  };
  server = await startServer(api, env, { recheckMs: 100, keepAliveMs: 1000 });
  url = server.url.replace('http', 'ws').concat('/graphql');
});
beforeEach(async () => {
  api.tokens.add('tui').add('kea');
  await quiet();
});
afterAll(() => server.stop());

/** Nothing of earlier tests is left: no socket, no subscription, no generator. */
async function quiet() {
  await expect.poll(() => [server.app.websocketServer.clients.size, api.watching]).toEqual([0, 0]);
  const metrics = async () => await (await fetch(`${server.url}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^atoll_live_connections 0$/m);
  await expect.poll(metrics).toMatch(/^atoll_subscriptions 0$/m);
}

interface Raw {
  socket: WebSocket;
  messages: { type: string; id?: string; payload?: unknown }[];
  send(message: object | string): void;
  /** Resolves to a message of this type, past or to come. */
  got(type: string, id?: string): Promise<{ payload?: unknown }>;
  closed: Promise<number>;
}

async function open(protocol: string | string[] = 'graphql-transport-ws', headers = {}): Promise<Raw> {
  const socket = new WebSocket(url, protocol, { headers });
  const messages: Raw['messages'] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    socket,
    messages,
    closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    got: (type, id) =>
      expect
        .poll(() => messages.find((m) => m.type === type && (id === undefined || m.id === id)))
        .toBeDefined()
        .then(
          () => messages.find((m) => m.type === type && (id === undefined || m.id === id)) as { payload?: unknown },
        ),
  };
}

async function connected(payload?: object, headers = {}): Promise<Raw> {
  const raw = await open('graphql-transport-ws', headers);
  raw.send({ type: 'connection_init', payload });
  await raw.got('connection_ack');
  return raw;
}

const subscribe = (id: string, query: string, variables?: object) => ({
  type: 'subscribe',
  id,
  payload: { query, variables },
});

test.each([
  ['4400 for what is no message', ['nonsense'], 4400],
  ['4400 for a message of no known type', [{ type: 'hello' }], 4400],
  [
    '4400 for a subscription without a query',
    [{ type: 'connection_init' }, { type: 'subscribe', id: '1', payload: {} }],
    4400,
  ],
  ['4400 for a message without a bottom', [`{"type":"ping","payload":${'['.repeat(5000)}${']'.repeat(5000)}}`], 4400],
  ['4401 for a subscription before the acknowledgement', [subscribe('1', '{ hello }')], 4401],
  ['4403 for a wrong token', [{ type: 'connection_init', payload: { token: 'nobody' } }], 4403],
  ['4408 for silence', [], 4408],
  ['4429 for a second beginning', [{ type: 'connection_init' }, { type: 'connection_init' }], 4429],
])('%s', async (_, messages, code) => {
  const raw = await open();
  for (const message of messages) raw.send(message);
  expect(await raw.closed).toBe(code);
});

test('4406 for another protocol', async () => {
  const raw = await open([]);
  expect(await raw.closed).toBe(4406);
});

test('4409 for an id that is in use', async () => {
  const raw = await connected();
  raw.send(subscribe('1', 'subscription { forever }'));
  await raw.got('next', '1');
  raw.send(subscribe('1', 'subscription { forever }'));
  expect(await raw.closed).toBe(4409);
});

test('1009 for a message that is too long', async () => {
  const raw = await connected();
  raw.send('x'.repeat(30_000));
  expect(await raw.closed).toBe(1009);
});

test.each([
  ['token', { token: 'tui' }, {}],
  ['authorization', { authorization: 'Bearer tui' }, {}],
  ['header', undefined, { authorization: 'Bearer tui' }],
])('the player is known by %s', async (_, payload, headers) => {
  const raw = await connected(payload, headers);
  raw.send(subscribe('1', '{ viewer nodes(first: 2) { owner } }'));
  expect((await raw.got('next', '1')).payload).toMatchObject({
    data: { viewer: 'tui', nodes: [{ owner: '2:n0' }, { owner: '2:n1' }] },
  });
  await raw.got('complete', '1');
  raw.socket.close();
});

test('a client of the protocol gets every event, in order', async () => {
  const client = createClient({ url, webSocketImpl: WebSocket, connectionParams: { token: 'tui' } });
  const seen: unknown[] = [];
  for await (const { data } of client.iterate({ query: 'subscription { count(to: 50) }' })) seen.push(data?.count);
  expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  await client.dispose();
});

test.each([
  ['an unknown field', 'subscription { nothing }', 'error', 'BAD_INPUT'],
  ['two root fields', 'subscription { forever count(to: 1) }', 'error', 'BAD_INPUT'],
  ['a wrong variable', 'subscription ($n: Int!) { count(to: $n) }', 'next', 'BAD_INPUT'],
  ['too much', `{ node { ${'next { '.repeat(20)} id ${'} '.repeat(20)} } }`, 'error', 'BAD_INPUT'],
  ['what is not for you', 'subscription { refused }', 'next', 'FORBIDDEN'],
  ['what ends in an error', 'subscription { breaks(how: "atoll") }', 'error', 'MATCH_OVER'],
  ['what ends in a bug', 'subscription { breaks(how: "bug") }', 'error', 'INTERNAL'],
])('an operation is refused with its code: %s', async (_, query, type, code) => {
  const raw = await connected();
  raw.send(subscribe('1', query));
  const text = () => JSON.stringify(raw.messages.filter((m) => m.type === type));
  await expect.poll(text).toContain(`"code":"${code}"`);
  expect(text()).not.toContain('secret');
  raw.socket.close();
});

test('a player may have only so many sockets, and closing one makes room for another', async () => {
  const sockets = [
    await connected({ token: 'tui' }),
    await connected({ token: 'tui' }),
    await connected({ token: 'tui' }),
  ];
  const fourth = await open();
  fourth.send({ type: 'connection_init', payload: { token: 'tui' } });
  expect(await fourth.closed).toBe(4429);
  const other = await connected({ token: 'kea' });
  sockets[0]?.socket.close();
  await sockets[0]?.closed;
  const again = await connected({ token: 'tui' });
  for (const { socket } of [...sockets, other, again]) socket.close();
});

test('an address may have only so many sockets without a player', async () => {
  const sockets = await Promise.all(Array.from({ length: 6 }, () => connected()));
  expect(await (await open()).closed).toBe(4429);
  for (const { socket } of sockets) socket.close();
});

test('a player may have only so many subscriptions, over all sockets', async () => {
  const [a, b] = [await connected({ token: 'tui' }), await connected({ token: 'tui' })];
  for (const id of ['1', '2']) for (const raw of [a, b]) raw.send(subscribe(id, 'subscription { forever }'));
  for (const id of ['1', '2']) for (const raw of [a, b]) await raw.got('next', id);
  a.send(subscribe('3', 'subscription { forever }'));
  expect(JSON.stringify(await a.got('next', '3'))).toContain('"code":"RATE_LIMITED"');
  b.send({ type: 'complete', id: '1' });
  await expect.poll(() => api.watching).toBe(3);
  a.send(subscribe('4', 'subscription { forever }'));
  expect((await a.got('next', '4')).payload).toEqual({ data: { forever: 1 } });
  for (const { socket } of [a, b]) socket.close();
});

test('a revoked token ends its sockets, and only those', async () => {
  const [tui, kea] = [await connected({ token: 'tui' }), await connected({ token: 'kea' })];
  tui.send(subscribe('1', 'subscription { forever }'));
  await tui.got('next', '1');
  api.tokens.delete('tui');
  expect(await tui.closed).toBe(4403);
  expect(kea.socket.readyState).toBe(WebSocket.OPEN);
  kea.socket.close();
});

test.each(['close', 'terminate'] as const)('everything is freed when a client leaves by %s', async (how) => {
  const raw = await connected();
  for (const id of ['1', '2', '3']) raw.send(subscribe(id, 'subscription { forever }'));
  for (const id of ['1', '2', '3']) await raw.got('next', id);
  expect(api.watching).toBe(3);
  raw.socket[how]();
  await quiet();
});

test('everything is freed when a client leaves before its subscription has begun', async () => {
  const raw = await connected();
  raw.send(subscribe('1', 'subscription { late }'));
  await raw.got('connection_ack');
  raw.socket.terminate();
  await sleep(400);
  await quiet();
});

test('1013 while the database does not answer', async () => {
  const raw = await open();
  raw.send({ type: 'connection_init', payload: { token: 'down' } });
  expect(await raw.closed).toBe(1013);
});

test('a client that does not read pauses its subscription, then is disconnected', async () => {
  const raw = await connected();
  raw.socket.pause();
  const before = api.flooded;
  raw.send(subscribe('1', 'subscription { flood }'));
  await expect.poll(() => api.flooded).toBeGreaterThan(before);
  await quiet(); // it does not answer pings
  expect(api.flooded - before).toBeLessThan(200);
  raw.socket.terminate();
});
