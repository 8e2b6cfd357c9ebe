/** A database that is slow, locked or silent: others go on, and whoever waits is answered and can send the same again. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { presentable } from '../../src/api/http/answers/failure.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { SilentDatabase } from '../../src/database/silence.ts';
import { openLive } from '../../src/matches/live/hints.ts';
import { beat } from '../../src/matches/live/sweep.ts';
import { reading } from '../../src/matches/log/reading.ts';
import type { Player } from '../../src/players/player.ts';
import { openPresence } from '../../src/players/presence.ts';
import { openTokenUses } from '../../src/players/tokens/uses.ts';
import { databaseProxy } from '../support/proxy.ts';
import { anAction, openServices, runningMatch, type TestServices, twoServers } from '../support/servers.ts';

const { database, one, players } = await twoServers();
const [ann] = players;

async function submissionTo(server: TestServices, player: Player) {
  const { id: matchId } = await runningMatch(server, players);
  return { matchId, action: await anAction(server.matches, player, matchId), actionId: randomUUID() };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error) => presentable(error).code,
  );

async function eventsOf({ matchId, actionId }: { matchId: string; actionId: string }): Promise<number[]> {
  const sql = 'SELECT version FROM events WHERE match_id = $1 AND action_id = $2';
  const { rows } = await one.database.pool.query<{ version: number }>(sql, [matchId, actionId]);
  return rows.map(({ version }) => version);
}

it('a row that is locked from outside delays only its own match, whose requests are answered in time', async () => {
  const locked = await submissionTo(one, ann);
  const others = await Promise.all(Array.from({ length: 6 }, () => submissionTo(one, ann)));
  const outside = new pg.Client({ connectionString: database.url });
  await outside.connect();
  await outside.query('BEGIN');
  await outside.query('SELECT FROM matches WHERE id = $1 FOR UPDATE', [locked.matchId]);
  const submitAll = () => Promise.all([locked, ...others].map((it) => codeOf(one.matches.submit(ann, it))));
  expect(await submitAll()).toEqual(['UNAVAILABLE', ...others.map(() => 'ok')]);
  // From now on it is known to be locked, and nobody waits for it at all.
  const query = vi.spyOn(one.database.pool, 'query');
  expect(await codeOf(one.matches.submit(ann, locked))).toBe('UNAVAILABLE');
  const appends = query.mock.calls
    .map(([it]) => (it as { text?: string }).text)
    .filter((it) => it?.includes('FOR UPDATE'));
  expect(appends).toEqual([expect.stringContaining('SKIP LOCKED')]);
  query.mockRestore();
  await outside.query('ROLLBACK');
  await outside.end();
  expect(await codeOf(one.matches.submit(ann, locked))).toBe('ok');
  expect(await eventsOf(locked)).toEqual([5]);
});

it('a database that does not answer is given up, and an action that is sent again happens once', async () => {
  const proxy = await databaseProxy(database.url);
  const server = await openServices(proxy.url);
  const submission = await submissionTo(server, ann);
  const other = await submissionTo(server, ann);
  await Promise.all(Array.from({ length: 8 }, () => server.database.pool.query('SELECT 1')));
  await expect.poll(() => server.database.pool.idleCount).toBe(8);
  server.database.hurry(); // only now, because a busy machine may take its time for what comes before
  proxy.hold();
  expect(await codeOf(server.matches.submit(ann, submission))).toBe('UNAVAILABLE');
  // What lay idle leads the same way, and is not tried one after the other.
  await expect.poll(() => server.database.pool.totalCount).toBe(0);
  // Nothing more is sent until something was committed.
  const sent = vi.spyOn(server.database.pool, 'connect');
  expect(await codeOf(server.matches.submit(ann, other))).toBe('UNAVAILABLE');
  expect(sent).not.toHaveBeenCalled();
  expect(await eventsOf(other)).toEqual([]);
  proxy.release();
  await beat(server.database);
  expect(await codeOf(server.matches.submit(ann, submission))).toBe('ok');
  expect(await codeOf(server.matches.submit(ann, other))).toBe('ok');
  expect([await eventsOf(submission), await eventsOf(other)]).toEqual([[5], [5]]);
  await server.close();
  await proxy.close();
});

it('a heartbeat without an answer stops all writing, also that of presences and of uses of tokens', async () => {
  const proxy = await databaseProxy(database.url);
  const silent = openDatabase({ url: proxy.url, poolSize: 2, silenceMs: 1500 });
  const presence = openPresence({ ...silent, warn: (message) => expect.fail(message) });
  const uses = openTokenUses(silent, Date.now, (message) => expect.fail(message));
  const written = async () => {
    presence.touch(ann.id);
    uses.note(randomUUID(), '192.0.2.1');
    const query = vi.spyOn(silent.pool, 'query');
    await Promise.all([presence.close(), uses.write()]);
    const count = query.mock.calls.length;
    query.mockRestore();
    return count;
  };
  await beat(silent);
  proxy.hold();
  await expect(beat(silent)).rejects.toThrow(SilentDatabase);
  expect(silent.writes.areStalled).toBe(true);
  expect(await written()).toBe(0);
  proxy.release();
  await beat(silent);
  expect(await written()).toBe(2);
  await uses.close();
  await silent.close();
  await proxy.close();
});

it('a heartbeat does not wait long for another one, also where a pooler allows no settings of the session', async () => {
  const pooled = openDatabase({ url: database.url, directUrl: database.url, poolSize: 1 });
  const outside = new pg.Client({ connectionString: database.url });
  await outside.connect();
  await outside.query('BEGIN');
  await outside.query('SELECT FROM heartbeat FOR UPDATE');
  await expect(beat(pooled)).rejects.toMatchObject({ code: '55P03' });
  await outside.end();
  await beat(pooled);
  expect((await pooled.pool.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
  await pooled.close();
});

it('behind a pooler, connections that may lead to a former primary are replaced', async () => {
  const pooled = openDatabase({ url: database.url, directUrl: database.url, poolSize: 2 });
  await pooled.pool.query('SELECT 1');
  expect(pooled.pool.totalCount).toBe(1);
  // What a host answers that became a standby behind the pooler's back.
  const refused = pooled.pool.query('BEGIN READ ONLY; CREATE TABLE never (n int)');
  await expect(refused).rejects.toMatchObject({ code: '25006' });
  await expect.poll(() => pooled.pool.totalCount).toBe(0);
  await pooled.pool.query('SELECT 1');
  const live = await openLive({
    url: pooled.url,
    versions: async () => new Map(),
    warn: () => {},
    onLost: pooled.reconnect,
  });
  await one.database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'atoll live' AND datname = current_database()",
  );
  await expect.poll(() => pooled.pool.totalCount).toBe(0);
  await live.close();
  await pooled.close();
});

it('behind a pooler, events are lost only if a host that accepts changes does not have them', async () => {
  const { id } = await runningMatch(one, players);
  const known = { version: 99, hash: '0'.repeat(64) };
  const pooled = openDatabase({ url: database.url, directUrl: database.url, poolSize: 1 });
  expect(await reading(pooled).since(id, known)).toBeNull();
  await pooled.close();
  const standby = openDatabase({
    url: `${database.url}&options=-c%20default_transaction_read_only%3Don`,
    directUrl: database.url,
    poolSize: 1,
  });
  await expect(reading(standby).since(id, known)).rejects.toMatchObject({ code: '25006' });
  expect(standby.pool.totalCount).toBe(0);
  await standby.close();
});

it('a connection for hints that no longer answers is replaced', async () => {
  const proxy = await databaseProxy(database.url);
  const server = await openServices(proxy.url);
  proxy.hold();
  await expect.poll(() => server.live.reconnects).toBeGreaterThan(0);
  proxy.release();
  await server.close();
  await proxy.close();
});
