import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { presentable } from '../../src/api/http/answers/failure.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/database/pool.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error) => presentable(error).code,
  );

async function using<T>(
  url: string,
  work: (database: Database) => Promise<T>,
  options: Partial<DatabaseOptions> = {},
): Promise<T> {
  const database = openDatabase({ url, poolSize: 2, ...options });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** For a connection that never comes. */
const SOON = { waitMs: 200 };

/** AuthenticationOk and ReadyForQuery. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');

test.each([
  ['nobody listens', 'postgresql://nobody@127.0.0.1:1/none'],
  ['there is no socket', 'postgresql://nobody@localhost/none?host=%2Ftmp%2Fno-such-folder'],
])('no database, because %s', async (_, url) => {
  await using(url, async ({ pool, prisma }) => {
    expect(await codeOf(pool.query('SELECT 1'))).toBe('UNAVAILABLE');
    expect(await codeOf(prisma.player.count())).toBe('UNAVAILABLE');
    expect(await codeOf(prisma.$queryRaw`SELECT 1`)).toBe('UNAVAILABLE');
  });
});

test('a host that accepts connections and does not answer', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // This server accepts connections and then does not answer, like a pooler without a database.
  const welcoming = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(WELCOME));
  }).listen(0, '127.0.0.1');
  await once(welcoming, 'listening');
  const urlOf = ({ port }: AddressInfo) => `postgresql://nobody@127.0.0.1:${port}/none`;
  const codesOf = ({ pool, prisma }: Database) =>
    Promise.all([codeOf(pool.query('SELECT 1')), codeOf(prisma.player.count())]);
  const codes = await Promise.all([
    using(urlOf(server.address() as AddressInfo), codesOf, SOON),
    using(`${urlOf(welcoming.address() as AddressInfo)}?target_session_attrs=read-write`, codesOf, SOON),
  ]);
  expect(codes).toEqual([
    ['UNAVAILABLE', 'UNAVAILABLE'],
    ['UNAVAILABLE', 'UNAVAILABLE'],
  ]);
  server.close();
  welcoming.close();
});

test('a session that is cut off in the middle', async () => {
  await using(fresh.url, async ({ pool, prisma }) => {
    const cut = 'SELECT pg_terminate_backend(pg_backend_pid())::text';
    expect(await codeOf(pool.query(cut))).toBe('UNAVAILABLE');
    expect(await codeOf(prisma.$queryRawUnsafe(cut))).toBe('UNAVAILABLE');
    expect(await codeOf(pool.query('SELECT 1'))).toBe('no error');
  });
});

test('a session that is cut off between two statements of a transaction', async () => {
  await using(fresh.url, async ({ pool }) => {
    const client = await pool.connect();
    await client.query('BEGIN');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended; // without a listener this is where the process would have ended
    expect(await codeOf(client.query('SELECT 1'))).toBe('UNAVAILABLE');
    client.release(true);
    expect(await codeOf(pool.query('SELECT 1'))).toBe('no error');
  });
});

test('a query that takes too long', async () => {
  await using(fresh.url, async ({ pool, prisma }) => {
    const slow = "SET statement_timeout = '10ms'; SELECT pg_sleep(5)";
    expect(await codeOf(pool.query(slow))).toBe('UNAVAILABLE');
    await prisma.$executeRawUnsafe("SET statement_timeout = '10ms'");
    expect(await codeOf(prisma.$queryRawUnsafe('SELECT pg_sleep(5)::text'))).toBe('UNAVAILABLE');
  });
});

test('a database that is read-only or full', async () => {
  await using(fresh.url, async ({ pool, prisma }) => {
    const create = () => prisma.player.create({ data: { id: '0190c2f0-0000-7000-8000-000000000001', name: 'Tui' } });
    await prisma.$executeRawUnsafe('SET default_transaction_read_only = on');
    const error = await create().catch(presentable);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', details: { retryAfter: 10 } });
    const full = "DO $$ BEGIN RAISE 'no space left on device' USING ERRCODE = '53100'; END $$";
    expect(await codeOf(pool.query(full))).toBe('UNAVAILABLE');
  });
});

test('a connection that does not come free', async () => {
  await using(fresh.url, async ({ pool, prisma }) => {
    const held = [await pool.connect(), await pool.connect()];
    const codes = await Promise.all([
      codeOf(pool.query('SELECT 1')),
      codeOf(prisma.player.count()),
      codeOf(prisma.$transaction((tx) => tx.player.count())),
    ]);
    expect(codes).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
    for (const client of held) client.release();
  });
});

test('a value that no column can hold is an error of the caller', async () => {
  await using(fresh.url, async ({ pool, prisma }) => {
    const id = '0190c2f0-0000-7000-8000-000000000000';
    expect(await codeOf(pool.query('SELECT $1::text', ['\0']))).toBe('BAD_INPUT');
    expect(await codeOf(pool.query('SELECT $1::int', [2 ** 40]))).toBe('BAD_INPUT');
    expect(await codeOf(pool.query('SELECT $1::uuid', ['x']))).toBe('BAD_INPUT');
    expect(await codeOf(prisma.$queryRaw`SELECT ${'\0'}::text`)).toBe('BAD_INPUT');
    expect(await codeOf(prisma.player.create({ data: { id, name: '\0' } }))).toBe('BAD_INPUT');
    expect(await codeOf(prisma.player.findUnique({ where: { id: 'x' } }))).toBe('BAD_INPUT');
  });
});

test('a row that was deleted before it is changed or referred to is not found', async () => {
  await using(fresh.url, async ({ prisma }) => {
    const id = '0190c2f0-0000-7000-8000-000000000000';
    const ping = { id, webhookId: id, type: 'PING', playerId: id, at: new Date() } as const;
    expect(await codeOf(prisma.webhook.update({ where: { id }, data: { format: 'STANDARD' } }))).toBe('NOT_FOUND');
    expect(await codeOf(prisma.delivery.create({ data: ping }))).toBe('NOT_FOUND');
  });
});

test('a wrong statement is an internal error', async () => {
  await using(fresh.url, async ({ pool, prisma }) => {
    expect(await codeOf(pool.query('SELECT nonsense'))).toBe('INTERNAL');
    expect(await codeOf(prisma.$queryRawUnsafe('SELECT nonsense'))).toBe('INTERNAL');
  });
});
