import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  BOOL,
  BYTEA,
  type Bytes,
  HEX,
  INT,
  JSON_TEXT,
  TEXT,
  TIMESTAMPTZ,
  type Type,
  UUID,
  writeArray,
  writeValue,
} from '../../src/database/binary.ts';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { execute } from '../../src/database/statement.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase({ migrated: false });
  database = openDatabase({ url: fresh.url, poolSize: 1 });
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

/** What PostgreSQL read, as it writes it itself. */
async function read(type: string, write: (to: Bytes) => void): Promise<string | null | undefined> {
  const [row] = await execute(database.pool, { text: `SELECT $1::${type}::text`, parameters: 1 }, write);
  return row?.[0];
}

const long = 'ä'.repeat(100_000);

// biome-ignore lint/suspicious/noExplicitAny: each value belongs to its type
const values: [Type<any>, unknown, string][] = [
  [UUID, '0197a000-0000-7000-8000-0123456789ab', '0197a000-0000-7000-8000-0123456789ab'],
  [INT, -2_147_483_648, '-2147483648'],
  [INT, 70_000, '70000'],
  [BOOL, true, 'true'],
  [BOOL, false, 'false'],
  [TEXT, '', ''],
  [TEXT, 'Hawaiʻi 🌋 "{\\,}" NULL', 'Hawaiʻi 🌋 "{\\,}" NULL'],
  [TEXT, long, long],
  [JSON_TEXT, { a: ['"', '\\', null, '\u0001'] }, '{"a":["\\"","\\\\",null,"\\u0001"]}'],
  [BYTEA, new Uint8Array([0, 127, 128, 255]), '\\x007f80ff'],
  [HEX, '007f80ff', '\\x007f80ff'],
  [TIMESTAMPTZ, new Date('2026-11-18T17:30:00.123Z'), '2026-11-18 17:30:00.123+00'],
  [TIMESTAMPTZ, new Date('1969-07-20T20:17:40.001Z'), '1969-07-20 20:17:40.001+00'],
  [TIMESTAMPTZ, new Date('2999-12-31T23:59:59.999Z'), '2999-12-31 23:59:59.999+00'],
];

test('values alone arrive as they were', async () => {
  for (const [type, value, text] of values)
    expect(await read(type.name, (to) => writeValue(type, value, to))).toBe(text);
  expect(await read('int', (to) => writeValue(INT, null, to))).toBeNull();
});

test('values in arrays arrive as they were, with nulls between them', async () => {
  for (const [type, value, text] of values) {
    const [row] = await execute(
      database.pool,
      { text: `SELECT a[1], a[2]::text, cardinality(a) FROM (SELECT $1::${type.name}[] AS a) AS t`, parameters: 1 },
      (to) => writeArray(type, [null, value], (element) => element, to),
    );
    expect(row).toEqual([null, text, '2']);
  }
  expect(await read('uuid[]', (to) => writeArray(UUID, [], String, to))).toBe('{}');
});

const named = { name: 'divide', text: 'SELECT 12 / $1::int', parameters: 1 };

test('a named statement is prepared once, and an error leaves the connection usable', async () => {
  const client = await database.pool.connect();
  const divide = (by: number) => execute(client, named, (to) => writeValue(INT, by, to));
  try {
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect(await Promise.all([divide(3), divide(4)])).toEqual([[['4']], [['3']]]);
    const { rows } = await client.query("SELECT generic_plans FROM pg_prepared_statements WHERE name = 'divide'");
    expect(rows).toEqual([{ generic_plans: '3' }]);
    await expect(execute(client, { ...named, text: 'SELECT $1::int' }, () => {})).rejects.toThrow('two statements');
    expect(await divide(2)).toEqual([['6']]);
  } finally {
    client.release();
  }
});

test('a value that cannot be written fails its own statement only', async () => {
  for (const id of ['no id', randomUUID().toUpperCase().replace(/^./, 'G'), '0']) {
    await expect(read('uuid', (to) => writeValue(UUID, id, to))).rejects.toThrow('is not hexadecimal');
  }
  await expect(read('uuid', (to) => writeValue(UUID, 'abcd', to))).rejects.toMatchObject({ code: /^(08|22)/ });
  expect(await read('int', (to) => writeValue(INT, 6, to))).toBe('6');
});

test('nothing is prepared behind a pooler', async () => {
  const pooled = openDatabase({ url: fresh.url, directUrl: fresh.url, poolSize: 1 });
  try {
    expect(await execute(pooled.pool, named, (to) => writeValue(INT, 6, to))).toEqual([['2']]);
    expect((await pooled.pool.query('SELECT name FROM pg_prepared_statements')).rows).toEqual([]);
  } finally {
    await pooled.close();
  }
});

test('a plan that was made while a table was small does not read all of it', async () => {
  await database.pool.query('CREATE TABLE small (id INT PRIMARY KEY); INSERT INTO small VALUES (1); ANALYZE small');
  const { rows } = await database.pool.query('EXPLAIN (GENERIC_PLAN) SELECT FROM small WHERE id = $1');
  expect(JSON.stringify(rows)).not.toContain('Seq Scan');
});
