import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type LocalPostgres, startLocalPostgres } from '../../src/database/embedded/postgres.ts';

const base = resolve('.data', `cluster-${randomBytes(4).toString('hex')}`);
const started: LocalPostgres[] = [];

beforeAll(() => {
  mkdirSync(base, { recursive: true, mode: 0o755 });
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Most tests share one cluster, because creating it takes longer than everything else. */
async function start(dir = join(base, 'pg')): Promise<LocalPostgres> {
  const server = await startLocalPostgres(dir);
  started.push(server);
  return server;
}

async function ask(server: LocalPostgres, sql: string, database = 'postgres'): Promise<unknown> {
  const client = new pg.Client({ connectionString: server.url(database) });
  client.on('error', () => {});
  await client.connect();
  try {
    return Object.values((await client.query(sql)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

const postmaster = (server: LocalPostgres) =>
  Number(readFileSync(join(server.dir, 'postmaster.pid'), 'utf8').split('\n')[0]);
const runs = (server: LocalPostgres) => existsSync(join(server.dir, 'postmaster.pid'));

test('stored data is there after a stop and a start', async () => {
  const first = await start();
  await first.createDatabase('atoll');
  await first.createDatabase('atoll');
  await ask(first, 'CREATE TABLE t AS SELECT 42 AS n', 'atoll');
  await first.stop();
  expect(runs(first)).toBe(false);
  expect(await ask(await start(), 'SELECT n FROM t', 'atoll')).toBe(42);
});

test('a long server log is put aside while the server runs', async () => {
  const server = await startLocalPostgres(join(base, 'pg'), undefined, 20);
  started.push(server);
  const log = join(server.dir, 'server.log');
  truncateSync(log, 10_000_001);
  await expect.poll(() => statSync(log).size).toBeLessThan(10_000_000);
  expect(statSync(`${log}.old`).size).toBeGreaterThan(10_000_000);
  expect(statSync(`${log}.old`).uid).toBe(statSync(log).uid);
  await expect(ask(server, 'SELECT 1 / 0')).rejects.toThrow('division by zero');
  await expect.poll(() => readFileSync(log, 'utf8')).toMatch(/^[^\0]*division by zero/);
});

test('it runs in UTC and listens on no port', async () => {
  const server = await start();
  expect(await ask(server, 'SHOW TimeZone')).toBe('UTC');
  expect(await ask(server, 'SHOW listen_addresses')).toBe('');
});

test('two starters on a fresh directory share one server, and the last to leave stops it', async () => {
  const [a, b] = await Promise.all([start(join(base, 'two')), start(join(base, 'two'))]);
  await Promise.all([a.createDatabase('atoll'), b.createDatabase('atoll')]);
  expect(postmaster(a)).toBe(postmaster(b));
  await a.stop();
  expect(await ask(b, 'SELECT 1')).toBe(1);
  await b.stop();
  expect(runs(b)).toBe(false);
});

test('of two processes that leave at once, exactly one stops the server', async () => {
  const [a, b] = await Promise.all([start(), start()]);
  await Promise.all([a.stop(), b.stop()]);
  expect(runs(a)).toBe(false);
});

test('the server keeps running while another program is connected', async () => {
  const server = await start();
  const guest = new pg.Client({ connectionString: server.url('postgres') });
  await guest.connect();
  await server.stop();
  expect((await guest.query('SELECT 1 AS n')).rows[0]).toEqual({ n: 1 });
  await guest.end();
  await (await start()).stop();
  expect(runs(server)).toBe(false);
});

test('a session that ends while the server is stopping does not keep it running', async () => {
  const server = await start();
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await Promise.all([server.stop(), sleep(100).then(() => client.end())]);
  expect(runs(server)).toBe(false);
});

test('a server that is killed comes back with what was stored', async () => {
  const server = await start();
  await ask(server, 'CREATE TABLE killed AS SELECT 42 AS n');
  const killed = postmaster(server);
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => ask(server, 'SELECT n FROM killed').catch(() => 0), { timeout: 30_000 }).toBe(42);
  expect(postmaster(server)).not.toBe(killed);
});

test('a data directory whose path is too long for a socket works', async () => {
  const server = await start(join(base, 'long'.repeat(30), 'pg'));
  expect(await ask(server, 'SELECT 1')).toBe(1);
});

test('a directory with other files in it is left alone', async () => {
  mkdirSync(join(base, 'mine', 'holiday-pictures'), { recursive: true });
  await expect(start(join(base, 'mine'))).rejects.toThrow("holds something other than PostgreSQL's files");
  expect(existsSync(join(base, 'mine', 'holiday-pictures'))).toBe(true);
});

test.runIf(process.getuid?.() === 0)('root may keep its data where PostgreSQL could not go', async () => {
  const closed = join(base, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  const server = await start(join(closed, 'pg'));
  expect(server.dir).toMatch(/^\/var\/lib\/atoll\/data-/);
  expect(await ask(server, 'SELECT 1')).toBe(1);
  await server.stop();
  rmSync(server.dir, { recursive: true });
});
