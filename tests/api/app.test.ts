import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { buildSchema, parse, validate } from 'graphql';
import { createClient } from 'graphql-ws';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readSchema } from '../../src/api/graphql/schema.ts';
import { createMetrics } from '../../src/metrics.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { testApi } from '../support/test-api.ts';

let database: FreshDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await freshDatabase();
});
afterEach(() => server?.stop());
afterAll(() => database.drop());

async function start(env: Record<string, string> = {}) {
  server = await startServer(testApi(), env, { databaseUrl: database.url });
  return server;
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });

test('it is ready when the database answers and has every migration', async () => {
  await start();
  expect(await (await get('/health/live')).json()).toEqual({ status: 'ok' });
  expect(await (await get('/health/ready')).json()).toEqual({ status: 'ok' });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('UPDATE _prisma_migrations SET rolled_back_at = now()');
  const lacking = await get('/health/ready');
  await client.query('UPDATE _prisma_migrations SET rolled_back_at = NULL');
  const applied = (name: string) =>
    client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1, '', $1, now())`,
      [name],
    );
  await applied('90000000000000_newer');
  const newer = await get('/health/ready');
  await applied('90000000000001_newer_breaking');
  const lockedOut = await get('/health/ready');
  await client.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '9%'");
  await client.end();
  expect(lacking.status).toBe(503);
  expect(await lacking.json()).toMatchObject({ code: 'UNAVAILABLE', detail: expect.stringContaining('_init') });
  expect(newer.status).toBe(200);
  expect(lockedOut.status).toBe(503);
  expect(await lockedOut.json()).toMatchObject({ detail: expect.stringContaining('run the newer version') });
});

test('it is alive but not ready without a database', async () => {
  server = await startServer(testApi());
  expect((await get('/health/live')).status).toBe(200);
  const response = await get('/health/ready');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE' });
});

test('too many requests are told when to come back', async () => {
  await start({ RATE_LIMIT_PER_ADDRESS: '5', RATE_LIMIT_PER_PLAYER: '8' });
  const statuses = async (n: number, headers = {}) =>
    Promise.all(Array.from({ length: n }, async () => (await get('/v1/things/1', headers)).status));
  expect((await statuses(7)).filter((s) => s === 429)).toHaveLength(2);
  expect((await statuses(10, { authorization: 'Bearer tui' })).filter((s) => s === 429)).toHaveLength(2);
  expect((await statuses(1, { authorization: 'Bearer kea' }))[0]).toBe(200);
  const refused = await get('/graphql?query={hello}');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    errors: [{ extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }],
  });
  expect((await get('/health/live')).status).toBe(200);
  expect((await statuses(1, { authorization: 'Bearer wrong' }))[0]).toBe(429);
});

test('operations on a socket count too', async () => {
  await start({ RATE_LIMIT_PER_PLAYER: '2' });
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { token: 'tui' },
  });
  const ask = async () => {
    for await (const result of client.iterate({ query: '{ hello }' })) return result.data;
  };
  expect(await ask()).toEqual({ hello: 'hello' });
  expect(await ask()).toEqual({ hello: 'hello' });
  await expect(ask()).rejects.toMatchObject([{ extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }]);
  await client.dispose();
});

test('overload is reported early, and only for requests that cost something', async () => {
  await start({ MAX_EVENT_LOOP_DELAY_MS: '20' });
  let [refused, alive] = [new Response(), new Response()];
  const block = async () => {
    const until = performance.now() + 300;
    while (performance.now() < until);
    [refused, alive] = await Promise.all([get('/v1/things/1'), get('/health/live')]);
    return refused.status;
  };
  await expect.poll(block).toBe(503);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' });
  expect(alive.status).toBe(200);
});

test('headers of a proxy are used only if it is trusted', async () => {
  const viaProxy = (ip: string) => get('/v1/things/1', { 'x-forwarded-for': ip });
  await start({ RATE_LIMIT_PER_ADDRESS: '1' });
  expect([(await viaProxy('203.0.113.1')).status, (await viaProxy('203.0.113.2')).status]).toEqual([200, 429]);
  await server.stop();
  await start({ RATE_LIMIT_PER_ADDRESS: '1', TRUST_PROXY: 'loopback' });
  expect([(await viaProxy('203.0.113.1')).status, (await viaProxy('203.0.113.2')).status]).toEqual([200, 200]);
});

test('pages of every origin may call with a token, but never with cookies', async () => {
  await start();
  const origin = 'https://a.example';
  const { headers } = await get('/v1/things/1', { origin });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(
    expect.arrayContaining(['etag', 'location', 'retry-after', 'ratelimit', 'ratelimit-policy']),
  );
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  for (const path of ['/v1/things', '/graphql']) {
    const preflight = await fetch(server.url + path, { method: 'OPTIONS', headers: asked });
    expect([path, preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      path,
      204,
      'authorization',
    ]);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  }
});

test('if origins are configured, only those may call', async () => {
  const allowed = async (origin: string) =>
    (await get('/v1/things/1', { origin })).headers.get('access-control-allow-origin');
  await start({ CORS_ORIGINS: 'https://a.example' });
  expect(await allowed('https://a.example')).toBe('https://a.example');
  expect(await allowed('https://b.example')).toBeNull();
  for (const [origin, own] of [
    ['https://a.example', 'https://a.example'],
    ['https://b.example', null],
  ] as const) {
    const asked = { origin, 'access-control-request-method': 'POST' };
    const preflight = await fetch(`${server.url}/v1/things`, { method: 'OPTIONS', headers: asked });
    for (const { headers } of [preflight, await get('/v1/nothing', { origin })]) {
      expect(headers.get('access-control-allow-origin')).toBe(own);
      expect(headers.get('vary')).toContain('Origin'); // a shared cache must not give one origin's answer to another
    }
  }
  await server.stop();
  await start({ CORS_ORIGINS: 'none' });
  expect(await allowed('https://a.example')).toBeNull();
});

test('outcomes are counted once, however often the metrics are read', async () => {
  const { registry, submissions } = createMetrics();
  submissions.inc('ok');
  submissions.inc('ok');
  submissions.inc('STALE');
  await registry.metrics();
  const text = await registry.metrics();
  expect(text).toContain('atoll_submissions_total{outcome="ok"} 2');
  expect(text).toContain('atoll_submissions_total{outcome="STALE"} 1');
});

test('requests are counted by how long they took, for each method, route and status', async () => {
  const { registry, requests } = createMetrics(3);
  for (const seconds of [0.0005, 0.02, 0.021, 7]) requests.observe('GET', '/a', 200, seconds);
  requests.observe('GET', '/a', 404, 0.1);
  requests.observe('POST', '/a', 200, 0.1);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('atoll_http_request_seconds'));
  const of = (method: string, status: number) =>
    lines
      .filter((line) => line.includes(`method="${method}",route="/a",status="${status}"`))
      .map((line) => line.split(' ')[1]);
  expect(of('GET', 200)).toEqual(['1', '1', '2', '3', '3', '3', '4', '7.0415', '4']);
  expect(of('GET', 404)).toEqual(['0', '0', '0', '1', '1', '1', '1', '0.1', '1']);
  expect(of('POST', 200)).toEqual(of('GET', 404));
  expect(lines[1]).toBe(
    'atoll_http_request_seconds_bucket{le="0.005",method="GET",route="/a",status="200",worker="3"} 1',
  );
});

test('requests are counted by route and caller', async () => {
  await start();
  await get('/v1/things/1');
  const text = await (await get('/metrics')).text();
  expect(text).toContain('atoll_http_request_seconds_count{method="GET",route="/v1/things/:id",status="200"} 1');
  expect(text).toContain('process_cpu_seconds_total');
  await server.stop();
  await start({ METRICS: 'false' });
  expect((await get('/metrics')).status).toBe(404);
});

test('tokens and query strings stay out of the log', async () => {
  await start({ LOG_LEVEL: 'trace' });
  await get('/v1/things/1?at=3', { authorization: 'Bearer tui' });
  await get('/v1/bug?invite=hush', { authorization: 'Bearer tui' });
  const log = server.log.join('');
  expect(log).toContain('/v1/things/1');
  expect(log).not.toMatch(/Bearer|at=3|hush/);
});

test('the root is a page for people and JSON for programs', async () => {
  await start();
  const page = await get('/', { accept: 'text/html,*/*' });
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const { links } = (await (await get('/')).json()) as { links: Record<string, string> };
  const html = await page.text();
  for (const path of ['/graphiql', '/docs', '/openapi.json', '/schema.graphql', '/health/ready']) {
    expect(html).toContain(`href="${path}"`);
    expect(Object.values(links)).toContain(path);
    const response = await get(path);
    await response.text();
    expect(response.status, path).toBe(200);
  }
  expect((await get('/docs/nothing')).status).toBe(404);
  expect((await get('/docs/static/index.html')).url).toMatch(/\/docs\/$/);
});

test('pages load nothing from elsewhere, and say so', async () => {
  await start();
  for (const path of ['/graphiql', '/docs/', '/']) {
    const page = await get(path, { accept: 'text/html' });
    expect(page.headers.get('content-security-policy'), path).toMatch(/default-src '(none|self)'/);
    const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
      (m) => new URL(m[1] ?? '', page.url),
    );
    for (const file of files) {
      const response = await fetch(file);
      await response.arrayBuffer();
      expect([file.origin, response.status], file.href).toEqual([server.url, 200]);
    }
  }
  const again = await get('/graphiql', { 'if-none-match': (await get('/graphiql')).headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
});

test('answers of the API may load nothing, and browsers may not guess their type', async () => {
  await start();
  const { headers } = await get('/v1/things/1');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('OpenAPI 3.1 has the routes that others registered', async () => {
  await start();
  const document = (await (await get('/openapi.json')).json()) as { openapi: string; paths: object };
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/health/ready', '/v1/things', '/v1/things/{id}']),
  );
  expect(Object.keys(document.paths)).not.toContain('/graphql');
});

test.runIf(existsSync('schema/match.graphql'))('the example in GraphiQL is valid', () => {
  const example = parse(readFileSync('assets/graphiql/example.graphql', 'utf8'));
  expect(validate(buildSchema(readSchema()), example)).toEqual([]);
});

test('a stop does not wait for ever for requests that do not finish', async () => {
  await start({ SHUTDOWN_SECONDS: '1' });
  const { port } = new URL(server.url);
  const arrived = once(server.app.server, 'request');
  const socket = net.connect(Number(port), '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  socket.write('POST /v1/things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{');
  await arrived;
  const begun = performance.now();
  await server.stop();
  expect(performance.now() - begun).toBeGreaterThan(700);
  await closed;
});

test('a stop finishes requests under way and ends streams', async () => {
  await start({ SHUTDOWN_SECONDS: '100' });
  const stream = await fetch(`${server.url}/graphql?query=subscription{forever}`, {
    headers: { accept: 'text/event-stream' },
  });
  const agent = new http.Agent({ keepAlive: true });
  const arrived = once(server.app.server, 'request');
  const slow = new Promise<string>((resolve, reject) => {
    http
      .get(`${server.url}/v1/slow`, { agent }, (response) => response.on('data', (data) => resolve(String(data))))
      .on('error', reject);
  });
  await arrived;
  const begun = performance.now();
  await server.stop();
  expect(performance.now() - begun).toBeLessThan(50_000); // half of what it would wait
  expect(await slow).toBe('{"slow":true}');
  expect(await stream.text()).toContain('"forever":1');
  agent.destroy();
});
