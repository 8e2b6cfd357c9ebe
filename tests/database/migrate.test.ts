import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MIGRATIONS, migrate, readMigrations } from '../../src/database/migrate.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let database: FreshDatabase;
let folder: string;
let dir: URL;

beforeEach(async () => {
  database = await freshDatabase({ migrated: false });
  folder = await mkdtemp(join(tmpdir(), 'atoll-migrations-'));
  dir = pathToFileURL(`${folder}/`);
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function add(name: string, sql: string): Promise<void> {
  await cp(MIGRATIONS, dir, { recursive: true });
  const first = (await readdir(MIGRATIONS))[0]!;
  await cp(new URL(first, MIGRATIONS), new URL(name, dir), { recursive: true });
  await writeFile(new URL(`${name}/migration.sql`, dir), sql);
}

async function query<T extends pg.QueryResultRow>(sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('a fresh database gets every migration, and the next start applies none', async () => {
  const all = (await readMigrations(MIGRATIONS)).map((m) => m.name);
  expect(all.length).toBeGreaterThan(0);
  expect(await migrate(database.url)).toEqual(all);
  expect(await migrate(database.url)).toEqual([]);
});

test('of several processes that start at once, one applies the migrations and the others wait', async () => {
  const all = (await readMigrations(MIGRATIONS)).map((m) => m.name);
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url)));
  expect(applied.flat()).toEqual(all);
  const rows = await query<{ n: number }>('SELECT count(*)::int AS n FROM _prisma_migrations');
  expect(rows[0]?.n).toBe(all.length);
});

test('a migration that was edited after it was applied is named', async () => {
  await add('90000000000000_more', 'CREATE TABLE more (id INT PRIMARY KEY)');
  await migrate(database.url, dir);
  await add('90000000000000_more', 'CREATE TABLE more (id BIGINT PRIMARY KEY)');
  await expect(migrate(database.url, dir)).rejects.toThrow('90000000000000_more was edited after it was applied');
});

test('a migration that fails leaves nothing behind and can be repaired', async () => {
  await add('90000000000000_more', 'CREATE TABLE more (id INT PRIMARY KEY); SELECT nonsense');
  await expect(migrate(database.url, dir)).rejects.toThrow(/90000000000000_more failed and was rolled back.*nonsense/);
  expect(await query("SELECT FROM pg_tables WHERE tablename = 'more'")).toEqual([]);
  await add('90000000000000_more', 'CREATE TABLE more (id INT PRIMARY KEY)');
  expect(await migrate(database.url, dir)).toEqual(['90000000000000_more']);
});

test('a migration that Prisma recorded as failed stops the start', async () => {
  await migrate(database.url);
  await query('UPDATE _prisma_migrations SET finished_at = NULL');
  await expect(migrate(database.url)).rejects.toThrow(/failed earlier/);
});

test('a server that is older than the database works, unless a migration says that it cannot', async () => {
  await add('90000000000000_more', 'CREATE TABLE more (id INT PRIMARY KEY)');
  await migrate(database.url, dir);
  expect(await migrate(database.url)).toEqual([]);
  await add('90000000000001_less_breaking', 'DROP TABLE more');
  await migrate(database.url, dir);
  await expect(migrate(database.url)).rejects.toThrow(
    /\(migration 90000000000001_less_breaking\): run the newer version/,
  );
});

test('an action id that one player used for several seats is kept for the first of these actions only', async () => {
  const all = await readMigrations(MIGRATIONS);
  const at = all.findIndex(({ name }) => name.endsWith('_action_ids_by_player'));
  for (const { name } of all.slice(0, at)) {
    await cp(new URL(`${name}/`, MIGRATIONS), new URL(`${name}/`, dir), { recursive: true });
  }
  await migrate(database.url, dir);
  const [ann, ben] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];
  const row = (version: number, seat: number, player: string, id: string) =>
    `('${ann}', ${version}, 'ACTED', ${seat}, '${player}', ${id}, '{}', '', now())`;
  await query(`
    INSERT INTO matches (id, game, rules, options, visibility, creator_id, server_seed, created_at, status, seats, acting)
    VALUES ('${ann}', 'hashi', 1, '{}', 'PRIVATE', '${ann}', '', now(), 'ACTIVE', '{}', '{}')`);
  await query(`
    INSERT INTO events (match_id, version, type, seat, player_id, action_id, acting, hash, at)
    VALUES ${[row(1, 0, ann, "'x'"), row(2, 1, ann, "'x'"), row(3, 2, ben, "'x'"), row(4, 0, ann, 'NULL')].join()}`);
  expect(await migrate(database.url)).toContain(all[at]?.name);
  const ids = await query('SELECT action_id FROM events ORDER BY version');
  expect(ids.map(({ action_id }) => action_id)).toEqual(['x', null, 'x', null]);
  await expect(query("UPDATE events SET action_id = 'y'")).rejects.toThrow('append-only');
});
