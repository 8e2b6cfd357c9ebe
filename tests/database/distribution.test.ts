/**
 * The tables of matches could be distributed by match on an existing distributed PostgreSQL (Citus): docs/scaling.md.
 * This checks that the schema follows the rules for it, so that nobody makes it impossible by accident.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

/** By which column each table of matches would be distributed. */
const DISTRIBUTED: Record<string, string> = { matches: 'id', events: 'match_id', archived_logs: 'match_id' };

/** Copied to each node. Whoever adds a table decides to which of the two it belongs. */
const REFERENCE = [
  ...[
    'players',
    'tokens',
    'passkeys',
    'challenges',
    'recovery_codes',
    'sign_in_addresses',
    'sign_in_mails',
    'sessions',
  ],
  ...['app_grants', 'refresh_tokens', 'device_requests', 'rematches', 'request_keys', 'quota_counts'],
  ...['outages', 'heartbeat', 'notices', 'webhooks', 'deliveries', 'emails', 'mail_codes', 'push_keys'],
  ...['presences', 'privacy', 'bans', 'reports', 'audit_entries'],
  '_prisma_migrations',
];

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

test('every table is either distributed or copied to each node', async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...Object.keys(DISTRIBUTED), ...REFERENCE].sort());
});

test('the recipe of docs/scaling.md distributes and copies these tables, and no others', () => {
  const recipe = readFileSync('docs/scaling.md', 'utf8');
  const named = (call: string) =>
    [...recipe.matchAll(new RegExp(`${call}\\('(\\w+)'(?:, '(\\w+)')?`, 'g'))].map(([, table, by]) => [table, by]);
  expect(named('create_distributed_table').sort()).toEqual(Object.entries(DISTRIBUTED).sort());
  const copied = /ARRAY\[([^\]]+)\]/.exec(recipe)?.[1]?.match(/\w+/g);
  expect(copied?.sort()).toEqual(REFERENCE.filter((table) => table !== '_prisma_migrations').sort());
});

test('every unique key of a distributed table contains the match', async () => {
  const { rows } = await client.query<{ table: string; key: string; columns: string[] }>(
    `SELECT t.relname AS table, i.relname AS key,
            array(SELECT attname::text FROM pg_attribute WHERE attrelid = t.oid AND attnum = ANY (x.indkey)) AS columns
       FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
      WHERE (x.indisunique OR x.indisexclusion) AND t.relname = ANY ($1)`,
    [Object.keys(DISTRIBUTED)],
  );
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.filter(({ table, columns }) => !columns.includes(DISTRIBUTED[table] as string))).toEqual([]);
});

test('references between distributed tables are by match, and nothing else refers to them', async () => {
  const { rows } = await client.query<{ from: string; to: string; columns: string[]; referred: string[] }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to,
            array(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns,
            array(SELECT attname::text FROM pg_attribute WHERE attrelid = confrelid AND attnum = ANY (confkey)) AS referred
       FROM pg_constraint WHERE contype = 'f' AND (confrelid::regclass::text = ANY ($1) OR conrelid::regclass::text = ANY ($1))
      ORDER BY 1`,
    [Object.keys(DISTRIBUTED)],
  );
  const byMatch = { to: 'matches', columns: ['match_id'], referred: ['id'] };
  expect(rows).toEqual([
    { from: 'archived_logs', ...byMatch },
    { from: 'events', ...byMatch },
  ]);
});

test('no column of a distributed table has a default that counts up', async () => {
  const { rows } = await client.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns
      WHERE table_name = ANY ($1) AND (column_default LIKE 'nextval%' OR is_identity = 'YES')`,
    [Object.keys(DISTRIBUTED)],
  );
  expect(rows).toEqual([]);
});
