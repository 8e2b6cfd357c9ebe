/** Reads the logs of matches that are in cold storage. The database says what must be found there. */
import { sha256 } from '../../crypto.ts';
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import { type LoggedEvent, type Match, sameHash } from '../log/records.ts';
import { eventsIn } from './file.ts';

/** What the database knows about an archived log. */
export interface ArchiveEntry {
  matchId: string;
  file: string;
  digest: Buffer;
  /** The number of its events, and the hash of the last one. */
  version: number;
  hash: string;
}

export interface Archives {
  /** Every event of a match; null if it is not archived. */
  whole(id: string): Promise<LoggedEvent[] | null>;
  /** The events after a remembered one; null if the match is not archived, or its log does not have that event. */
  since(id: string, known: Pick<Match, 'version' | 'hash'>): Promise<LoggedEvent[] | null>;
  read(entry: ArchiveEntry): Promise<LoggedEvent[]>;
}

/** Called after every read; `fault` says why it failed. */
export type OnArchiveRead = (read: { match: string; file: string; fault?: string }) => void;

export const ENTRY = `match_id AS "matchId", file, digest, version, encode(hash, 'hex') AS hash`;
const FIND = `SELECT ${ENTRY} FROM archived_logs WHERE match_id = $1`;

/** An operator has to fix this, which takes longer than a failover. */
const RETRY_SECONDS = 60;

export function openArchives(
  { pool, cold }: Pick<Database, 'pool' | 'cold'>,
  onRead: OnArchiveRead = () => {},
): Archives {
  async function find(id: string): Promise<ArchiveEntry | undefined> {
    return (await pool.query<ArchiveEntry>({ name: 'archived', text: FIND, values: [id] })).rows[0];
  }

  async function read(entry: ArchiveEntry): Promise<LoggedEvent[]> {
    const { matchId: match, file } = entry;
    try {
      if (!cold) throw new Error('COLD_STORAGE is not set');
      const events = await checked(entry, await cold.read(file));
      onRead({ match, file });
      return events;
    } catch (cause) {
      const fault = (cause as Error).message;
      onRead({ match, file, fault });
      throw Object.assign(refusals.archiveUnreadable({ retryAfter: RETRY_SECONDS }), { cause });
    }
  }

  return {
    read,
    async whole(id) {
      const entry = await find(id);
      return entry ? read(entry) : null;
    },
    async since(id, known) {
      const entry = await find(id);
      if (!entry) return null;
      if (entry.version === known.version) return sameHash(entry, known) ? [] : null;
      const events = await read(entry);
      const last = events[known.version - 1];
      return known.version === 0 || (last && sameHash(last, known)) ? events.slice(known.version) : null;
    },
  };
}

/** The events of a file, if it is the one that was written. */
async function checked(entry: ArchiveEntry, bytes: Buffer): Promise<LoggedEvent[]> {
  if (Buffer.compare(sha256(bytes), entry.digest) !== 0)
    throw new Error('the file is not the one that was written: its SHA-256 differs from the one in the database');
  const events = await eventsIn(bytes, entry.matchId);
  const last = events.at(-1);
  if (events.length !== entry.version || !last || !sameHash(last, entry))
    throw new Error('the file does not hold the log that the database says');
  return events;
}

const OF_PLAYER = `
SELECT ${ENTRY} FROM archived_logs
 WHERE sat @> ARRAY[$1]::uuid[] OR match_id IN (SELECT id FROM matches WHERE creator_id = $1)
 ORDER BY match_id DESC`;

/** What a player did in archived matches, newest match first, in the form of an account export. */
export async function* eventsOfPlayer(
  { pool }: Pick<Database, 'pool'>,
  archives: Pick<Archives, 'read'>,
  playerId: string,
): AsyncGenerator<object> {
  const { rows } = await pool.query<ArchiveEntry>(OF_PLAYER, [playerId]);
  for (const entry of rows) {
    const events = (await archives.read(entry)).filter((event) => event.playerId === playerId);
    for (const { version, type, seat, action, actionId, entropy, label, at } of events.reverse())
      yield { match_id: entry.matchId, version, type, seat, action, action_id: actionId, entropy, label, at };
  }
}
