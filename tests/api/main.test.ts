import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Atoll, connect as connectClient } from '../../packages/client/src/client.ts';
import { compiled } from '../support/compiled.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Process, runProcess, runServer, startProcess } from '../support/process.ts';
import { freePort } from '../support/programs.ts';
import { databaseProxy } from '../support/proxy.ts';

let database: FreshDatabase;
const started: Process[] = [];

beforeAll(async () => {
  database = await freshDatabase({ migrated: false });
});
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => database.drop());

function run(env: Record<string, string>): Process {
  const server = runServer(env);
  started.push(server);
  return server;
}

test('an invalid variable stops the start with an explanation', async () => {
  const server = run({ PORT: 'http' });
  expect(await server.exit).toBe(1);
  expect(server.output()).toBe('Atoll cannot start.\nPORT is "http", but must be a whole number from 0 to 65535.\n');
});

test('a database that refuses the connection stops the start with an explanation', async () => {
  const wrong = new URL(database.url);
  wrong.pathname = '/no_such_database';
  const server = run({ DATABASE_URL: wrong.href });
  expect(await server.exit).toBe(1);
  expect(server.output()).toBe(
    'Atoll cannot start.\nThe database of DATABASE_URL cannot be reached: database "no_such_database" does not exist.\n',
  );
});

test('the server waits for a database that is not available yet, and tells every caller so', async () => {
  const proxy = await databaseProxy(database.url);
  await proxy.cut();
  const port = await freePort();
  const server = run({ DATABASE_URL: proxy.url, PORT: String(port) });
  const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  await expect.poll(async () => (await at('/health/live'))?.status, { timeout: 40_000 }).toBe(200);
  const refused = await at('/v1/games');
  expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await refused?.json()).toMatchObject({ code: 'UNAVAILABLE' });
  expect(server.output()).toMatch(/^Atoll waits. The database of DATABASE_URL cannot be reached: .*ECONNREFUSED/);
  await proxy.restore();
  await expect.poll(async () => (await at('/health/ready'))?.status, { timeout: 40_000 }).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);
  await proxy.close();
});

test('two servers that start at once on an empty database both serve, and stop cleanly', async () => {
  const NODE_OPTIONS = '--require ./tests/support/loaded.cjs';
  const servers = await Promise.all([startProcess(database.url), startProcess(database.url, { NODE_OPTIONS })]);
  started.push(...servers);
  for (const { url } of servers) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  const [first, second] = servers;
  const closed = new Promise<{ code: number }>((resolve) => {
    const client = createClient({
      url: `${first.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      lazy: false,
      retryAttempts: 0,
      on: { connected: () => first.child.kill('SIGTERM'), closed: (event) => resolve(event as { code: number }) },
      onNonLazyError: () => {},
    });
    void client;
  });
  expect((await closed).code).toBe(1001);
  expect(await first.exit).toBe(0);
  second.child.kill('SIGINT');
  expect(await second.exit).toBe(0);
  const loaded = /^loaded: (.*)$/m.exec(second.output())?.[1]?.split(' ') ?? [];
  expect(loaded).toContain('fastify');
  expect(loaded.filter((name) => ON_FIRST_USE.test(name))).toEqual([]);
});

/** What neither a start nor a look at its health needs, but tracing, documents, signing in, agents or input. */
const ON_FIRST_USE =
  /^(@opentelemetry\/sdk-trace|@fastify\/(swagger|swagger-ui|ajv-compiler)|yaml|@node-oauth\/.*|@redis\/client|@simplewebauthn\/.*|@modelcontextprotocol\/.*)$/;

test('a server that npm started stops with the shell between them, to which npm passes its signal', async () => {
  const env = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: database.url, npm_lifecycle_event: 'start' };
  const shell = runProcess(['-c', '"$0" "$1"; exit $?', process.execPath, compiled('main')], env, 'sh');
  started.push(shell);
  await expect.poll(shell.output, { timeout: 80_000 }).toContain('Atoll is listening');
  const server = Number(/"pid":(\d+)/.exec(shell.output())?.[1]);
  shell.child.kill('SIGTERM');
  // The output is closed when both have ended.
  const haveEnded = await Promise.race([shell.exit.then(() => true), sleep(30_000, false)]);
  if (!haveEnded) process.kill(server, 'SIGKILL');
  expect(shell.output()).toContain('SIGTERM: finishing what is under way');
});

/** A request on a connection of its own, because connections are distributed among the workers. */
async function ask(url: string, path: string, token?: string, body?: object): Promise<string> {
  const headers = { connection: 'close', ...(token && { authorization: `Bearer ${token}` }) };
  const json = body && { method: 'POST', body: JSON.stringify(body) };
  const type = body && { 'content-type': 'application/json' };
  return (await fetch(url + path, { ...json, headers: { ...headers, ...type } })).text();
}

/** Ann and Ben at a table; `move` makes the next move of whoever is to move, and returns the version that it led to. */
async function openTable(url: string) {
  const post = async (path: string, token: string, body: object) => JSON.parse(await ask(url, path, token, body));
  const tokens: string[] = [];
  for (const name of ['Ann', 'Ben']) tokens.push((await post('/v1/players', '', { name })).token);
  const [ann, ben] = tokens as [string, string];
  const { id } = await post('/v1/matches', ann, { game: 'hashi', seats: 2 });
  await post(`/v1/matches/${id}/seats`, ben, {});
  return {
    id: String(id),
    async move(): Promise<number> {
      const { acting, version } = JSON.parse(await ask(url, `/v1/matches/${id}`));
      const token = tokens[acting[0]] as string;
      const { legalActions } = JSON.parse(await ask(url, `/v1/matches/${id}/legal-actions`, token));
      const actionId = `to ${version + 1}`;
      const { event } = await post(`/v1/matches/${id}/actions`, token, { action: legalActions[0].action, actionId });
      return event.version;
    },
  };
}

/** The versions that a spectator sees, who comes back whenever the connection ends. */
function watch(url: string, id: string): { seen: number[]; stop(): void } {
  const seen: number[] = [];
  const stopping = new AbortController();
  const headers = { accept: 'application/x-ndjson', connection: 'close' };
  const follow = async () => {
    const attempt = new AbortController();
    const signal = AbortSignal.any([stopping.signal, attempt.signal]);
    // A connection that was being handed to a worker when it was killed is never answered.
    const patience = setTimeout(() => attempt.abort(), 10_000);
    const { body } = await fetch(`${url}/v1/matches/${id}/events?after=${seen.length}`, { headers, signal });
    clearTimeout(patience);
    for await (const line of createInterface(Readable.fromWeb(body as never))) {
      if (line.trim() !== '') seen.push(JSON.parse(line).version);
    }
  };
  void (async () => {
    for (; !stopping.signal.aborted; await sleep(500)) await follow().catch(() => {});
  })();
  return { seen, stop: () => stopping.abort() };
}

test('several workers share a port and a match, are replaced when they end, lose nothing, and stop together', async () => {
  const server = await startProcess(database.url, { WORKERS: '2', PORT: '0' });
  started.push(server);
  /** The metrics of whichever worker answers. */
  const answer = async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.end('GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    // A connection that was being handed to a worker when it was killed is never answered.
    socket.setTimeout(10_000, () => socket.destroy());
    const metrics = await text(socket).catch(() => '');
    const value = (name: string) =>
      Number(new RegExp(`^${name}{.*worker="\\d+".*} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
    return { worker: /worker="(\d+)"/.exec(metrics)?.[1] ?? '', value };
  };
  type Answer = Awaited<ReturnType<typeof answer>>;
  const meet = async (workers: string[], test: (answer: Answer) => boolean = () => true) => {
    for (const left = new Set(workers); left.size > 0; await sleep(30)) {
      const met = await answer();
      if (test(met)) left.delete(met.worker);
    }
  };
  await meet(['1', '2'], ({ value }) => value('atoll_siblings') === 1);
  const children = /Processes +(.*)/.exec(server.output())?.[1]?.split(', ').map(Number) ?? [];
  expect(children).toHaveLength(2);

  const { id, move } = await openTable(server.url);
  const spectators = Array.from({ length: 4 }, () => watch(server.url, id));
  const haveSeen = (version: number) =>
    expect
      .poll(() => spectators.map(({ seen }) => seen.length), { timeout: 30_000 })
      .toEqual([version, version, version, version]);
  await meet(['1', '2'], ({ value }) => value('atoll_watchers') > 0);
  await haveSeen(await move());
  await haveSeen(await move());
  await meet(['1', '2'], ({ value }) => value('atoll_hints_total') > 0);

  process.kill(children[0] as number, 'SIGKILL');
  await expect.poll(server.output, { timeout: 20_000 }).toContain('has ended and is replaced');
  await meet(['3'], ({ value }) => value('atoll_siblings') === 1);
  await haveSeen(await move());
  const last = await move();
  await haveSeen(last);
  for (const { seen, stop } of spectators) {
    expect(seen).toEqual(Array.from({ length: last }, (_, i) => i + 1));
    stop();
  }
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);
  for (const pid of children) expect(() => process.kill(pid, 0)).toThrow();
});

test('players whose matches are at home at another worker play them to the end, although a worker is killed', async () => {
  const server = await startProcess(database.url, { WORKERS: '2', PORT: '0', QUOTAS: 'off' });
  started.push(server);
  const clients = Array.from({ length: 8 }, () => connectClient(server.url, { webSocket: WebSocket }));
  for (const [i, client] of clients.entries()) await client.signIn(`Player ${i}`);
  let moves = 0;
  /** Two clients play a match and follow it. Resolves to the versions that each has seen. */
  async function playOut(host: Atoll, guest: Atoll): Promise<number[][]> {
    const { id } = await host.createMatch({ game: 'hashi', seats: 2 });
    await guest.joinMatch(id);
    return Promise.all(
      [host, guest].map(async (client) => {
        const seen: number[] = [];
        const following = (async () => {
          for await (const { version } of client.events(id)) seen.push(version);
        })();
        await client.play(id, ({ legalActions }) => {
          moves++;
          return legalActions[0];
        });
        await following;
        return seen;
      }),
    );
  }
  const pairs = [0, 2, 4, 6].map((i) => playOut(clients[i] as Atoll, clients[i + 1] as Atoll));
  const handedOver = async () => {
    const metrics = await ask(server.url, '/metrics');
    return Number(/^atoll_hand_overs_total{direction="sent".*} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  };
  await expect.poll(handedOver, { timeout: 30_000 }).toBeGreaterThan(0);
  await expect.poll(() => moves, { timeout: 30_000 }).toBeGreaterThan(40);
  const [first] = /Processes +(.*)/.exec(server.output())?.[1]?.split(', ').map(Number) ?? [];
  process.kill(first as number, 'SIGKILL');
  for (const seen of (await Promise.all(pairs)).flat()) {
    expect(seen.length).toBeGreaterThan(20);
    expect(seen).toEqual(Array.from(seen, (_, i) => i + 1));
  }
  for (const client of clients) client.close();
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);
});

test('a worker that cannot start stops the start, and the reason is given once', async () => {
  const port = await freePort();
  const blocker = createServer().listen(port, '127.0.0.1');
  const server = run({ DATABASE_URL: database.url, WORKERS: '2', PORT: String(port) });
  expect(await server.exit).toBe(1);
  expect(server.output()).toMatch(/^Atoll cannot start: .*EADDRINUSE.*\n$/);
  blocker.close();
});
