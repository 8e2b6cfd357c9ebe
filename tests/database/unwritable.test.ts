/** A database that cannot write, as callers of each face and operators see it. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, type Refusal } from '../support/api.ts';
import { graphqlRun } from '../support/api-graphql.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { untilItWorks } from '../support/patience.ts';

let database: FreshDatabase;
let pool: pg.Pool;
let server: Instance;
let token: string;

beforeAll(async () => {
  database = await freshDatabase();
  // For the test itself the database stays writable.
  pool = new pg.Pool({ connectionString: database.url, max: 2, options: '-c default_transaction_read_only=off' });
  pool.on('error', () => {});
  server = await startInstance(database.url, { env: { QUOTAS: 'off' } });
  ({ token } = await rest.client([server.url]).register('Ann'));
});
afterAll(async () => {
  await server.stop();
  await pool.end();
  await database.drop();
});

const failures = async (code: string): Promise<number> => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^atoll_failures_total\\{code="${code}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
};

const headersOf = () => ({ ...bearer(token), 'content-type': 'application/json' });
const ready = async () => (await fetch(`${server.url}/health/ready`)).status;
const create = (key = randomUUID()) =>
  fetch(`${server.url}/v1/matches`, {
    method: 'POST',
    headers: { ...headersOf(), 'idempotency-key': key },
    body: JSON.stringify({ game: 'hashi', seats: 1 }),
  });

/** The same request on each face: what it is told. */
const attempts: [string, () => Promise<unknown>][] = [
  [
    'REST',
    async () => {
      const response = await create();
      const { code } = (await response.json()) as { code: string };
      return { code, retryAfter: Number(response.headers.get('retry-after')) };
    },
  ],
  [
    'GraphQL',
    async () => {
      const run = graphqlRun([server.url], token);
      const made = run('mutation { createMatch(input: { game: "hashi", seats: 1 }) { id } }');
      const { code, details, headers } = (await made.catch((error) => error)) as Refusal;
      return { code, retryAfter: Number(headers.get('retry-after')), also: details.retryAfter };
    },
  ],
  [
    'MCP',
    async () => {
      const response = await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          ...headersOf(),
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'open_match', arguments: { game: 'hashi', seats: 1 } },
        }),
      });
      const { result } = JSON.parse((await response.text()).replace(/^event: .*\ndata: /, ''));
      return result.structuredContent;
    },
  ],
];

/** Every new session then has this setting, or no longer. */
async function settingOf(change: string): Promise<void> {
  const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
  await pool.query(`ALTER DATABASE ${rows[0]?.name} ${change}`);
  await pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'atoll%'",
  );
}

const raise = (code: string) => async () => {
  await pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused' USING ERRCODE = '${code}'; END $$`,
  );
  for (const table of ['events', 'heartbeat'])
    await pool.query(`CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION refuse()`);
};
const raiseNoMore = () => pool.query('DROP FUNCTION refuse() CASCADE');

describe.each([
  ['is read-only (25006)', () => settingOf('SET default_transaction_read_only = on'), () => settingOf('RESET ALL')],
  ['has a full disk (53100)', raise('53100'), raiseNoMore],
])('a database that %s', (_, begin, end) => {
  it('is UNAVAILABLE with Retry-After on every face, not ready, counted, and readable', async () => {
    const match = rest.client([server.url], token);
    const { id, version } = await match.createMatch({ game: 'hashi', seats: 1 });
    const submission = { action: (await match.legalActions(id))[0]?.action, actionId: randomUUID() };
    await expect.poll(ready).toBe(200);
    const before = await failures('UNAVAILABLE');
    await begin();
    try {
      // Connections that were open are lost first, which is UNAVAILABLE for another reason.
      for (const [face, attempt] of attempts)
        await expect.poll(async () => [face, await attempt()]).toEqual([face, TOLD[face]]);
      await expect(match.submit(id, submission)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect.poll(ready).toBe(503);
      expect(await failures('UNAVAILABLE')).toBeGreaterThanOrEqual(before + 4);
      expect((await untilItWorks(() => match.match(id))).version).toBe(version);
    } finally {
      await end();
    }
    expect((await untilItWorks(() => match.submit(id, submission))).version).toBe(version + 1);
  });
});

const TOLD: Record<string, object> = {
  REST: { code: 'UNAVAILABLE', retryAfter: 10 },
  GraphQL: { code: 'UNAVAILABLE', retryAfter: 10, also: 10 },
  MCP: { code: 'UNAVAILABLE', retryAfter: 10 },
};

it('an unknown error of the database is INTERNAL on every face, and counted', async () => {
  await expect.poll(ready).toBe(200); // again
  expect(await failures('INTERNAL')).toBe(0); // but served: an alert sees only a series that grows
  await raise('XX000')();
  try {
    for (const [, attempt] of attempts) expect(await attempt()).toMatchObject({ code: 'INTERNAL' });
  } finally {
    await raiseNoMore();
  }
  expect(await failures('INTERNAL')).toBe(3);
});

it('appends that wait are counted while the log is locked', async () => {
  const ann = rest.client([server.url], token);
  const matches = await Promise.all(Array.from({ length: 8 }, () => ann.createMatch({ game: 'hashi', seats: 1 })));
  const actions = await Promise.all(matches.map(async ({ id }) => (await ann.legalActions(id))[0]?.action));
  const client = await pool.connect();
  const submitted: Promise<unknown>[] = [];
  try {
    await client.query('BEGIN; LOCK TABLE events IN EXCLUSIVE MODE'); // it can still be read
    // One after another, because what arrives at once goes out at once.
    const queue = async () => {
      for (const [i, { id }] of matches.entries()) {
        submitted.push(ann.submit(id, { action: actions[i], actionId: randomUUID() }).catch(() => {}));
        if ((await server.metric('atoll_append_queue')) > 0) return true;
      }
      return false;
    };
    await expect.poll(queue).toBe(true);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  await Promise.all(submitted);
  expect(await server.metric('atoll_append_queue')).toBe(0);
});
