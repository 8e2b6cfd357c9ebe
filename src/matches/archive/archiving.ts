/**
 * Moves the log of an ended match to cold storage, and back. Whatever happens at any moment, either the events are in
 * the database, or the database names the file that holds them, and that file has been read and proven. An attempt that
 * does not finish leaves at most a file to which nothing refers, and the next attempt writes the same one.
 */
import type { PoolClient } from 'pg';
import { fromHex, sha256 } from '../../crypto.ts';
import type { ColdStorage } from '../../database/cold-storage.ts';
import type { Database } from '../../database/pool.ts';
import type { Registry } from '../../games/registry.ts';
import { insertEvents } from '../log/append.ts';
import { Log } from '../log/events.ts';
import { emptyMatch } from '../log/match.ts';
import { PAGE } from '../log/reading.ts';
import type { LoggedEvent, Match, Summary } from '../log/records.ts';
import { openStore } from '../log/store.ts';
import { prove } from '../proof/check-database.ts';
import { verify } from '../proof/verify.ts';
import { type ArchiveFile, documentIn, documentText, eventsIn, packed } from './file.ts';
import { type ArchiveEntry, ENTRY, openArchives } from './reader.ts';

export interface ArchivingParts {
  database: Database;
  cold: ColdStorage;
  registry: Registry;
}

export interface Archived {
  file: string;
  events: number;
  bytes: number;
}

/** A process may be killed after each of these steps. */
export type Step = 'proven' | 'written' | 'read back' | 'recorded' | 'deleted';

/**
 * Archives one match, step by step. Null if there is no such match, it is not over, or it is already archived. Throws
 * if it is not proven.
 */
export async function* archiving(parts: ArchivingParts, id: string): AsyncGenerator<Step, Archived | null> {
  const { database, cold, registry } = parts;
  const store = openStore(database);
  const row = await store.row(id);
  if (!row?.endedAt) return null;
  const events = await store.tail(id, 0);
  if (events.length === 0) return null;
  prove(registry, row, events);
  yield 'proven';
  const match = stored(registry, row, events);
  const file = await packed(match);
  await cold.write(file.name, file.bytes);
  yield 'written';
  await checkCopy(parts, match, file, await cold.read(file.name));
  yield 'read back';
  const isDone = yield* moving(database, match, file);
  return isDone ? { file: file.name, events: events.length, bytes: file.bytes.length } : null;
}

/** Runs all steps. */
export async function archive(parts: ArchivingParts, id: string): Promise<Archived | null> {
  const steps = archiving(parts, id);
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
  }
}

const stored = (registry: Registry, row: Summary, events: readonly LoggedEvent[]): Match => ({
  ...emptyMatch(registry.game(row.game, row.rules), row),
  version: events.length,
  status: row.status,
  result: row.result,
  events: Log.of(events),
});

/**
 * Checks that the file holds what was written, proves the match by itself, and has every event as the database has it.
 */
async function checkCopy({ registry }: ArchivingParts, match: Match, file: ArchiveFile, copy: Buffer): Promise<void> {
  if (Buffer.compare(sha256(copy), file.digest) !== 0) throw new Error('The file was read back with another content');
  verify(registry, JSON.parse(await documentIn(copy)));
  const again = { ...match, events: Log.of(await eventsIn(copy, match.id)) };
  const { bytes } = await packed(again);
  if (documentText(again) !== documentText(match) || Buffer.compare(bytes, file.bytes) !== 0)
    throw new Error('The file does not hold the events of the database');
}

/** Runs in one transaction. Resolves to false if somebody else has archived the match meanwhile. */
async function* moving({ pool }: Database, match: Match, file: ArchiveFile): AsyncGenerator<Step, boolean> {
  const client = await pool.connect();
  let isOver = false;
  try {
    await client.query('BEGIN');
    if (!(await isUnchanged(client, match))) {
      await client.query('ROLLBACK');
      isOver = true;
      return false;
    }
    await record(client, match, file);
    yield 'recorded';
    const { rowCount } = await client.query('DELETE FROM events WHERE match_id = $1', [match.id]);
    if (rowCount !== match.version) throw new Error(`${rowCount} events would be deleted, and not ${match.version}`);
    yield 'deleted';
    await client.query('COMMIT');
    isOver = true;
    return true;
  } finally {
    client.release(!isOver); // a transaction that is not over ends with its connection
  }
}

/** Locks the match. Hashes are chained, so a log with the same length and the same last hash is the same log. */
async function isUnchanged(client: PoolClient, { id, version, events }: Match): Promise<boolean> {
  const { rows } = await client.query<{ version: number }>('SELECT version FROM matches WHERE id = $1 FOR UPDATE', [
    id,
  ]);
  const last = await client.query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM events WHERE match_id = $1 AND version = $2`,
    [id, version],
  );
  return rows[0]?.version === version && last.rows[0]?.hash === (events.at(-1) as LoggedEvent).hash;
}

async function record(client: PoolClient, { id, version, events }: Match, file: ArchiveFile): Promise<void> {
  const playersIn = (types: readonly string[]) => [
    ...new Set(events.filter(({ type, playerId }) => playerId !== null && types.includes(type)).map((e) => e.playerId)),
  ];
  await client.query(
    `INSERT INTO archived_logs (match_id, file, digest, bytes, version, hash, sat, gave_up)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      file.name,
      file.digest,
      file.bytes.length,
      version,
      fromHex((events.at(-1) as LoggedEvent).hash),
      playersIn(['JOINED', 'RESIGNED', 'TIMED_OUT']),
      playersIn(['RESIGNED', 'TIMED_OUT']),
    ],
  );
}

/**
 * Puts the events of an archived match back into the database; its file stays. Resolves to false if it is not archived.
 */
export async function bringBack({ database }: Pick<ArchivingParts, 'database'>, id: string): Promise<boolean> {
  const archives = openArchives(database);
  const client = await database.pool.connect();
  let isOver = false;
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<ArchiveEntry>(
      `DELETE FROM archived_logs WHERE match_id = $1 RETURNING ${ENTRY}`,
      [id],
    );
    if (!rows[0]) {
      await client.query('ROLLBACK');
      isOver = true;
      return false;
    }
    const events = await archives.read(rows[0]);
    for (let from = 0; from < events.length; from += PAGE)
      await insertEvents(client, id, events.slice(from, from + PAGE));
    await client.query('COMMIT');
    isOver = true;
    return true;
  } finally {
    client.release(!isOver);
  }
}
