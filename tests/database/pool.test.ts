import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { databaseProxy } from '../support/proxy.ts';

let fresh: FreshDatabase;
let database: Database;
const lost: Error[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  const admin = new pg.Client({ connectionString: fresh.url });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${pg.escapeIdentifier(admin.database ?? '')} SET TimeZone = 'Asia/Tokyo'`);
  await admin.end();
  database = openDatabase({ url: fresh.url, poolSize: 3, onError: (error) => lost.push(error) });
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

test('times are read correctly from a database in another time zone', async () => {
  const createdAt = new Date('2026-01-01T00:00:00.123Z');
  const id = randomUUID();
  await database.prisma.player.create({ data: { id, name: 'Tui', createdAt } });
  const raw = await database.pool.query<{ created_at: Date }>('SELECT created_at FROM players WHERE id = $1', [id]);
  expect(raw.rows[0]?.created_at).toEqual(createdAt);
  expect((await database.prisma.player.findUniqueOrThrow({ where: { id } })).createdAt).toEqual(createdAt);
});

test('Prisma uses the shared pool, and no more connections than it is allowed', async () => {
  await Promise.all(Array.from({ length: 30 }, () => database.prisma.player.findMany()));
  await Promise.all(Array.from({ length: 30 }, () => database.pool.query('SELECT 1')));
  const { rows } = await database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()',
  );
  expect(rows[0]?.n).toBe(3);
  expect(database.pool.totalCount).toBe(3);
});

test('lost connections are replaced', async () => {
  await database.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await expect.poll(() => lost.length).toBe(2);
  expect(await database.prisma.player.count({ where: { kind: 'HUMAN' } })).toBe(1);
});

test('a connection that does not answer is given up, even one that has been idle for longer than the time limit', async () => {
  const proxy = await databaseProxy(fresh.url);
  const impatient = openDatabase({ url: proxy.url, poolSize: 1, silenceMs: 1000 });
  onTestFinished(async () => {
    await proxy.close();
    await impatient.close();
  });
  await impatient.pool.query('SELECT 1');
  await sleep(1100);
  proxy.hold();
  await expect(impatient.pool.query('SELECT 1')).rejects.toThrow('Connection terminated: the database said nothing');
});

test('a connection that comes too late for one caller is there for the next', async () => {
  const proxy = await databaseProxy(fresh.url);
  const { pool, close } = openDatabase({ url: proxy.url, poolSize: 1, waitMs: 100 });
  onTestFinished(async () => {
    await proxy.close();
    await close();
  });
  proxy.hold();
  await expect(pool.query('SELECT 1')).rejects.toThrow('timeout exceeded when trying to connect');
  await expect(pool.connect()).rejects.toThrow('timeout exceeded when trying to connect');
  expect(proxy.connections).toBe(1);
  proxy.release();
  await expect.poll(() => pool.idleCount).toBe(1);
  const client = await pool.connect();
  client.release();
  expect((await pool.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  expect([proxy.connections, pool.totalCount, pool.waitingCount]).toEqual([1, 1, 0]);
});
