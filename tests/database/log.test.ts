import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let database: FreshDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const id = randomUUID();
  await client.query(
    `INSERT INTO matches (id, game, rules, options, visibility, creator_id, server_seed, created_at, status)
     VALUES ($1, 'cacao', 1, '{}', 'PUBLIC', $1, '', now(), 'OPEN')`,
    [id],
  );
  await client.query("INSERT INTO events (match_id, version, type, hash, at) VALUES ($1, 1, 'JOINED', '', now())", [
    id,
  ]);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

test.each([
  ['update', 'UPDATE events SET version = 2'],
  ['update of nothing', 'UPDATE events SET version = 2 WHERE false'],
  ['delete', 'DELETE FROM events'],
  ['truncate', 'TRUNCATE events'],
  ['truncate by cascade', 'TRUNCATE matches CASCADE'],
])('the log refuses: %s', async (_, sql) => {
  await expect(client.query(sql)).rejects.toThrow('the log is append-only');
  expect((await client.query('SELECT version FROM events')).rows).toEqual([{ version: 1 }]);
});
