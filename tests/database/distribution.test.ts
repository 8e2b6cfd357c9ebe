/**
 * The tables of matches could be distributed by match on an existing distributed PostgreSQL (Citus): docs/scaling.md.
 * This holds the schema to the rules of that, so that nobody closes the door by accident.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

/** By which column each table of matches would be distributed; every other table would be copied to each node. */
const DISTRIBUTED: Record<string, string> = { matches: 'id', events: 'match_id' };

/** What would have to be given up first, and how is in docs/scaling.md. */
const IN_THE_WAY = ['matches_rematch_of_key'];

let database: FreshDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('every unique key of a distributed table contains the match', async () => {
  const { rows } = await client.query<{ table: string; key: string; columns: string[] }>(
    `SELECT t.relname AS table, i.relname AS key,
            array(SELECT attname::text FROM pg_attribute WHERE attrelid = t.oid AND attnum = ANY (x.indkey)) AS columns
       FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
      WHERE x.indisunique AND t.relname = ANY ($1)`,
    [Object.keys(DISTRIBUTED)],
  );
  expect(rows.length).toBeGreaterThan(3);
  const without = rows.filter(({ table, columns }) => !columns.includes(DISTRIBUTED[table] as string));
  expect(without.map(({ key }) => key)).toEqual(IN_THE_WAY);
});

test('references between distributed tables are by match, and nothing else refers to them', async () => {
  const { rows } = await client.query<{ from: string; to: string; columns: string[] }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to,
            array(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
       FROM pg_constraint WHERE contype = 'f' AND confrelid::regclass::text = ANY ($1)`,
    [Object.keys(DISTRIBUTED)],
  );
  expect(rows).toEqual([{ from: 'events', to: 'matches', columns: ['match_id'] }]);
});

test('no default of a distributed table counts up', async () => {
  const { rows } = await client.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns WHERE table_name = ANY ($1) AND column_default LIKE 'nextval%'`,
    [Object.keys(DISTRIBUTED)],
  );
  expect(rows).toEqual([]);
});
