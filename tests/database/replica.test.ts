/** A copy of the database that may only be read: used where it may be, and never for an answer that must be current. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { beat } from '../../src/matches/live/sweep.ts';
import { openMemo } from '../../src/matches/log/memo.ts';
import { openStore } from '../../src/matches/log/store.ts';
import type { Player } from '../../src/players/player.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import {
  anAction,
  newPlayers,
  openServices,
  runningMatch,
  sampleRegistry,
  type TestServices,
} from '../support/servers.ts';

let fresh: FreshDatabase;
let copy: FreshDatabase;
let server: TestServices;
let database: Database;
let replica: Database;
let players: [Player, Player];

/** Imitates replication: the two databases have the same tables, and rows are copied when a test says so. */
async function replicate(id: string, upTo = 1_000_000): Promise<void> {
  const from = server.database.pool;
  for (const [table, where] of [
    ['matches', 'id = $1'],
    ['events', `match_id = $1 AND version <= ${upTo}`],
  ]) {
    const { rows } = await from.query(`SELECT row_to_json(t)::text AS row FROM ${table} t WHERE ${where}`, [id]);
    const insert = `INSERT INTO ${table} SELECT r.* FROM json_populate_record(NULL::${table}, $1::json) AS r`;
    for (const { row } of rows) await replica.pool.query(insert, [row]);
  }
}

beforeAll(async () => {
  [fresh, copy] = [await freshDatabase(), await freshDatabase()];
  server = await openServices(fresh.url);
  replica = openDatabase({ url: copy.url, poolSize: 2 });
  database = openDatabase({ url: fresh.url, poolSize: 4, replicaUrl: copy.url });
  players = (await newPlayers(server, 'Ann', 'Ben')) as [Player, Player];
});
beforeEach(() => beat(replica));
afterAll(async () => {
  await server.close();
  await database.close();
  await replica.close();
  await fresh.drop();
  await copy.drop();
});

async function endedMatch(): Promise<string> {
  const { id } = await runningMatch(server, players);
  for (;;) {
    const match = await server.matches.see(null, id);
    const [seat] = match.acting;
    if (seat === undefined) return id;
    const player = players[seat] as Player;
    await server.matches.submit(player, {
      matchId: id,
      actionId: randomUUID(),
      action: await anAction(server.matches, player, id),
    });
  }
}

/** How many statements read the log of the primary from its start. */
function countReads(): () => number {
  let reads = 0;
  const { pool } = database;
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  (pool as { query: unknown }).query = (...args: unknown[]) => {
    if ((args[0] as { name?: string }).name === 'tail') reads++;
    return query(...args);
  };
  return () => reads;
}

test('serves the log of an ended match, if it has all of it as the primary has it', async () => {
  const reads = countReads();
  const store = openStore(database);
  const load = (id: string) => openMemo(sampleRegistry, store, 10).fresh(id);
  const whole = await endedMatch();
  await replicate(whole);
  expect((await load(whole))?.events.map(({ version }) => version)).toEqual(
    (await server.matches.see(null, whole)).events.map(({ version }) => version),
  );
  expect(reads()).toBe(0);

  const late = await endedMatch();
  await replicate(late, 6);
  expect((await load(late))?.endedAt).not.toBeNull();
  expect(reads()).toBe(1);

  const other = await endedMatch();
  await replicate(other);
  await replica.pool.query(
    `SET session_replication_role = replica; UPDATE events SET hash = '\\x00' WHERE match_id = '${other}' AND version = (SELECT max(version) FROM events WHERE match_id = '${other}')`,
  );
  expect((await load(other))?.endedAt).not.toBeNull();
  expect(reads()).toBe(2);
});

test('serves lists of ended matches only, and not once it has fallen behind', async () => {
  const store = openStore(database);
  const id = await endedMatch();
  const ids = async (status: 'FINISHED' | 'ACTIVE') =>
    (await store.list({ status, limit: 50 })).map((match) => match.id);
  expect(await ids('FINISHED')).not.toContain(id); // it has not come over yet
  await replicate(id);
  expect(await ids('FINISHED')).toContain(id);
  const { id: running } = await runningMatch(server, players);
  expect(await ids('ACTIVE')).toContain(running);

  const next = await endedMatch();
  await replica.pool.query("UPDATE heartbeat SET at = now() - interval '1 minute'");
  const second = openDatabase({ url: fresh.url, poolSize: 2, replicaUrl: copy.url });
  const listed = await openStore(second).list({ status: 'FINISHED', limit: 50 });
  expect(listed.map((match) => match.id)).toContain(next);
  await second.close();
});

test('is not used if it cannot be reached', async () => {
  const alone = openDatabase({ url: fresh.url, poolSize: 2, replicaUrl: 'postgresql://nobody@127.0.0.1:1/none' });
  const id = await endedMatch();
  expect((await openStore(alone).list({ status: 'FINISHED', limit: 50 })).map((match) => match.id)).toContain(id);
  expect((await openMemo(sampleRegistry, openStore(alone), 10).fresh(id))?.endedAt).not.toBeNull();
  await alone.close();
});
