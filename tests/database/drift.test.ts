import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drift } from '../../tools/schema-engine.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

const schema = readFileSync('prisma/schema.prisma', 'utf8');
let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

test('the migrations make the tables that schema.prisma describes', async () => {
  expect(await drift(database.url, schema)).toBe('');
});

test('a column that no migration makes is noticed', async () => {
  const more = schema.replace('model Player {', 'model Player {\n  motto String?');
  expect(await drift(database.url, more)).toContain('ADD COLUMN     "motto" TEXT');
});
