/** Logs of ended matches in cold storage: moved without loss, read as if they had never left, and brought back. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ColdStorage, openColdStorage } from '../../src/database/cold-storage.ts';
import { archive, archiving, bringBack, type Step } from '../../src/matches/archive/archiving.ts';
import { openMemo } from '../../src/matches/log/memo.ts';
import { checkDatabase } from '../../src/matches/proof/check-database.ts';
import { documentOf, numbered, playersOf, textOf } from '../../src/matches/proof/document.ts';
import type { Player } from '../../src/players/player.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import {
  anAction,
  newPlayers,
  openServices,
  sampleRegistry as registry,
  runningMatch,
  type TestServices,
} from '../support/servers.ts';

const dir = mkdtempSync(join(tmpdir(), 'atoll-cold-'));
const coldUrl = pathToFileURL(dir).href;
let fresh: FreshDatabase;
let server: TestServices;
let other: TestServices;
let cold: ColdStorage;
let [ann, ben, cho]: Player[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  server = await openServices(fresh.url, { coldUrl });
  other = await openServices(fresh.url, { coldUrl });
  cold = openColdStorage(coldUrl);
  [ann, ben, cho] = await newPlayers(server, 'Annabel', 'Benedict', 'Chomsky');
});
afterAll(async () => {
  await server.close();
  await other.close();
  await fresh.drop();
  rmSync(dir, { recursive: true });
});

const parts = () => ({ database: server.database, cold, registry });

async function act(player: Player, id: string, actionId: string = randomUUID()) {
  const action = await anAction(server.matches, player, id);
  return { actionId, action, ...(await server.matches.submit(player, { matchId: id, action, actionId })) };
}

/** Of three, of whom Ann gives up and then Ben, so that Cho wins. */
async function endedMatch(): Promise<string> {
  const { id } = await runningMatch(server, [ann, ben, cho] as Player[]);
  for (const player of [ann, ben] as Player[]) {
    const { acting, seats } = await server.matches.see(null, id);
    const next = [ann, ben, cho].find((one) => one?.id === seats[acting[0] as number]);
    if (next) await act(next, id);
    await server.matches.resign(player, id);
  }
  return id;
}

/** The match as a newly started server sees it. */
const seen = async (id: string, { store } = server) => {
  const match = await openMemo(registry, store, 10).fresh(id);
  return { match, text: match && textOf(documentOf(match, numbered(playersOf(match)))) };
};

const rows = async (id: string): Promise<unknown[]> =>
  (
    await server.database.pool.query(
      'SELECT row_to_json(e)::text AS row FROM events e WHERE match_id = $1 ORDER BY version',
      [id],
    )
  ).rows;

const fileOf = async (id: string): Promise<string> => {
  const { rows: found } = await server.database.pool.query('SELECT file FROM archived_logs WHERE match_id = $1', [id]);
  return join(dir, found[0].file);
};

describe('an archived match', () => {
  it('is shown as before by servers that remember all of it, a part of it or nothing', async () => {
    const { id } = await runningMatch(server, [ann, ben] as Player[]);
    expect((await other.matches.see(null, id)).version).toBe(3);
    const first = await act(ann as Player, id);
    await server.matches.resign(ben as Player, id);
    const before = await seen(id);
    expect(await archive(parts(), id)).toMatchObject({ events: 5 });
    expect(await rows(id)).toEqual([]);

    const after = await seen(id);
    expect(after.text).toBe(before.text);
    expect(after.match?.events.slice()).toEqual(before.match?.events.slice());
    expect(await server.matches.see(null, id)).toMatchObject({ version: 5, status: 'FINISHED' });
    expect((await other.matches.see(null, id)).events.slice()).toEqual(before.match?.events.slice());
    expect([server.cuts, other.cuts]).toEqual([[], []]);
    const versions: number[] = [];
    for await (const { event } of await other.matches.events(null, id, 0)) versions.push(event.version);
    expect(versions).toEqual([1, 2, 3, 4, 5]);
    // The receipt of an action that is sent again is the first one still.
    const { event } = await server.matches.submit(ann as Player, { matchId: id, ...first });
    expect(event.version).toBe(4);
  });

  it('can be listed, forked, played again and imported, and is on the profile of a player who gave up', async () => {
    const id = await endedMatch();
    await archive(parts(), id);
    for (const player of [ann, ben, cho] as Player[]) {
      const { matches } = await server.matches.list(null, { player: player.id });
      expect(matches.map((match) => match.id)).toContain(id);
    }
    const newcomer = await openServices(fresh.url, { coldUrl });
    expect((await newcomer.matches.fork(cho as Player, id, 4)).origin).toMatchObject({ match: id, at: 4 });
    expect(await newcomer.matches.rematch(ann as Player, id)).toMatchObject({ rematchOf: id });
    const { match } = await seen(id, newcomer);
    const document = match && documentOf(match, numbered(playersOf(match)));
    expect((await newcomer.matches.import(cho as Player, document)).id).toBe(id);
    await newcomer.close();
  });

  it('is one file that can be proven by itself, contains no name, and is counted by the proof of the database', async () => {
    const id = await endedMatch();
    const { text } = await seen(id);
    await archive(parts(), id);
    const file = gunzipSync(readFileSync(await fileOf(id))).toString();
    expect(file.startsWith(text as string)).toBe(true);
    expect(file).not.toMatch(/Annabel|Benedict|Chomsky/);
    const { faults, archived } = await checkDatabase(server.database, registry, () => {});
    expect(faults).toEqual([]);
    expect(archived).toBeGreaterThan(0);
  });

  it('is brought back exactly as it was, and can be archived again', async () => {
    const id = await endedMatch();
    const before = await rows(id);
    await archive(parts(), id);
    expect(await bringBack(parts(), id)).toBe(true);
    expect(await rows(id)).toEqual(before);
    expect(await bringBack(parts(), id)).toBe(false);
    expect(await archive(parts(), id)).toMatchObject({ events: before.length });
  });
});

describe('a match is not archived', () => {
  it('while it is played, or twice, or if it is not proven', async () => {
    const { id: running } = await runningMatch(server, [ann, ben] as Player[]);
    expect(await archive(parts(), running)).toBeNull();
    expect(await archive(parts(), randomUUID())).toBeNull();
    const id = await endedMatch();
    const both = await Promise.all([archive(parts(), id), archive(parts(), id)]);
    expect(both.filter((done) => done !== null)).toHaveLength(1);
    expect(await archive(parts(), id)).toBeNull();

    const forged = await endedMatch();
    const client = await server.database.pool.connect();
    await client.query('SET session_replication_role = replica');
    await client.query(`UPDATE events SET at = at + interval '1 s' WHERE match_id = $1 AND version = 4`, [forged]);
    const before = await rows(forged);
    await expect(archive(parts(), forged)).rejects.toThrow('Event 4');
    expect(await rows(forged)).toEqual(before);
    await client.query(`UPDATE events SET at = at - interval '1 s' WHERE match_id = $1 AND version = 4`, [forged]);
    client.release(true);
  });

  it('if its file cannot be written, or is read back with other content', async () => {
    const id = await endedMatch();
    const before = await rows(id);
    const gone = openColdStorage(`${coldUrl}/not-mounted`);
    await expect(archive({ ...parts(), cold: gone }, id)).rejects.toThrow('not-mounted');
    const forgetful = { ...cold, read: async (name: string) => (await cold.read(name)).subarray(1) };
    await expect(archive({ ...parts(), cold: forgetful }, id)).rejects.toThrow('another content');
    expect(await rows(id)).toEqual(before);
    expect(readdirSync(dir, { recursive: true }).filter((name) => String(name).endsWith('.new'))).toEqual([]);
  });

  it('by merely deleting its events', async () => {
    const id = await endedMatch();
    await expect(server.database.pool.query('DELETE FROM events WHERE match_id = $1', [id])).rejects.toThrow(
      'the log is append-only',
    );
  });
});

it('nothing is lost at whatever step the process dies', async () => {
  const steps: Step[] = ['proven', 'written', 'read back', 'recorded', 'deleted'];
  const id = await endedMatch();
  const { text } = await seen(id);
  for (const [i, last] of steps.entries()) {
    const dying = await openServices(fresh.url, { coldUrl });
    const run = archiving({ ...parts(), database: dying.database }, id);
    for (const step of steps.slice(0, i + 1)) expect(await run.next()).toEqual({ done: false, value: step });
    // Its connections are lost with it, and so is everything that was not committed.
    const { pool } = server.database;
    const client = (await dying.database.pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
    await pool.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND (state LIKE 'idle in transaction%' OR pid = $1)`,
      [client],
    );
    expect([last, (await seen(id)).text]).toEqual([last, text]);
    expect(await rows(id)).not.toEqual([]);
    await run.return(null).catch(() => {});
    await dying.close();
  }
  expect(await archive(parts(), id)).not.toBeNull();
  expect((await seen(id)).text).toBe(text);
});

describe('a log that cannot be read', () => {
  const unavailable = expect.objectContaining({ code: 'UNAVAILABLE', details: { retryAfter: 60 } });

  it('is answered with UNAVAILABLE and logged, and everything else works', async () => {
    const id = await endedMatch();
    await archive(parts(), id);
    const path = await fileOf(id);
    const good = readFileSync(path);
    const faulty = await openServices(fresh.url, { coldUrl });
    const look = () => faulty.matches.see(null, id);

    renameSync(path, `${path}.away`);
    await expect(look()).rejects.toEqual(unavailable);
    writeFileSync(path, good.subarray(0, -20));
    await expect(look()).rejects.toEqual(unavailable);
    writeFileSync(path, Buffer.concat([good.subarray(0, 40), Buffer.of((good[40] as number) ^ 1), good.subarray(41)]));
    await expect(look()).rejects.toEqual(unavailable);
    expect(faulty.archiveReads.map(({ fault }) => fault)).toEqual([
      expect.stringContaining('ENOENT'),
      expect.stringContaining('SHA-256'),
      expect.stringContaining('SHA-256'),
    ]);
    const { faults } = await checkDatabase(faulty.database, registry, () => {});
    expect(faults).toEqual([{ id, fault: expect.stringMatching(/cold storage.*SHA-256/) }]);
    await expect(bringBack({ database: faulty.database }, id)).rejects.toEqual(unavailable);
    expect((await faulty.matches.list(null, { status: 'FINISHED' })).matches.map((match) => match.id)).toContain(id);

    renameSync(`${path}.away`, path);
    expect(await look()).toMatchObject({ id, status: 'FINISHED' });
    await faulty.close();
  });

  it('is answered with UNAVAILABLE by a server without COLD_STORAGE', async () => {
    const id = await endedMatch();
    await archive(parts(), id);
    const without = await openServices(fresh.url);
    await expect(without.matches.see(null, id)).rejects.toEqual(unavailable);
    expect(without.archiveReads).toEqual([expect.objectContaining({ match: id, fault: 'COLD_STORAGE is not set' })]);
    await without.close();
  });
});
