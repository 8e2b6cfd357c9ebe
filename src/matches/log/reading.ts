/** Reading the log: all of it, what comes after a version, or what comes after a remembered event. */
import type { Pool } from 'pg';
import { refuseReadOnly } from '../../database/address.ts';
import type { Database } from '../../database/pool.ts';
import { type OnArchiveRead, openArchives } from '../archive/reader.ts';
import { shaped } from './events.ts';
import { type LoggedEvent, type Match, type Summary, sameHash } from './records.ts';

/** Small enough that reading the rows of one page does not hold up others for long. */
export const PAGE = 500;

/** `long` says how to write a column that may hold a large value. */
const columns = (long: (column: string) => string): string =>
  `version, type, seat, player_id AS "playerId", ${long('action')}, action_id AS "actionId", entropy, ${long('label')},
   ${long('targets')}, ${long('effects')}, secret, epoch, drew, acting, encode(state_hash, 'hex') AS "stateHash",
   encode(hash, 'hex') AS hash, at`;

const TAIL = `
SELECT ${columns((column) => column)}
  FROM events WHERE match_id = $1 AND version > $2 ORDER BY version LIMIT ${PAGE}`;

const LAST = `SELECT encode(hash, 'hex') AS hash FROM events WHERE match_id = $1 AND version = $2`;

// The remembered event comes first, without its large columns: usually it is the only row.
const SINCE = `
SELECT ${columns((column) => `CASE WHEN version > $2 THEN ${column} END AS ${column}`)}
  FROM events WHERE match_id = $1 AND version >= $2 ORDER BY version LIMIT ${PAGE + 1}`;

type Known = Pick<Match, 'version' | 'hash'>;

export interface LogReader {
  /** The events after that version, in order. */
  tail(id: string, after: number): Promise<LoggedEvent[]>;
  /** Every event of a match whose row was just read. */
  whole(row: Pick<Summary, 'id' | 'version' | 'endedAt'>): Promise<LoggedEvent[]>;
  /** The events after a remembered one, in order; null if the log does not have that event, because it was cut back. */
  since(id: string, known: Known): Promise<LoggedEvent[] | null>;
}

export function reading(database: Database, onArchiveRead?: OnArchiveRead): LogReader {
  const { pool, replica, pooled } = database;
  const archives = openArchives(database, onArchiveRead);

  async function tail(id: string, after: number, from: Pick<Pool, 'query'> = pool): Promise<LoggedEvent[]> {
    const events: LoggedEvent[] = [];
    for (;;) {
      const values = [id, after + events.length]; // versions have no gaps
      const { rows } = await from.query<LoggedEvent>({ name: 'tail', text: TAIL, values });
      for (const row of rows) events.push(shaped(row));
      if (rows.length < PAGE) return events;
    }
  }

  /** As `LogReader.since`, but undefined if the log has nothing from that version on: it may be in cold storage. */
  async function sinceIn(from: Pick<Pool, 'query'>, id: string, known: Known) {
    const { rows } = await from.query<LoggedEvent>({ name: 'since', text: SINCE, values: [id, known.version] });
    const last = rows.shift();
    if (!last) return undefined;
    if (last.version !== known.version || !sameHash(last, known)) return null;
    const events = rows.map(shaped);
    return events.length < PAGE ? events : events.concat(await tail(id, known.version + events.length, from));
  }

  /**
   * Behind a pooler, a connection may lead to a former primary that is a standby now and lags behind. Events are lost
   * only if a host that accepts changes does not have them, and within one transaction the host stays the same.
   */
  async function sinceOnPrimary(id: string, known: Known) {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('BEGIN');
      await refuseReadOnly(client);
      const events = await sinceIn(client, id, known);
      await client.query('COMMIT');
      return events;
    } catch (error) {
      failure = error as Error;
      database.reconnect();
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** The log of an ended match from a replica, if the replica has all of it. The primary tells how the log ends. */
  async function wholeFromReplica(id: string, version: number): Promise<LoggedEvent[] | undefined> {
    const events = await replica?.read((reader) => tail(id, 0, reader.pool));
    const last = events?.at(-1);
    if (last?.version !== version || events?.length !== version) return undefined;
    const { rows } = await pool.query<{ hash: string }>({ name: 'last', text: LAST, values: [id, version] });
    return rows[0] && sameHash(rows[0], last) ? events : undefined;
  }

  return {
    tail,

    async whole({ id, version, endedAt }) {
      if (!endedAt) return tail(id, 0);
      const events = (await wholeFromReplica(id, version)) ?? (await tail(id, 0));
      if (events.length >= version) return events;
      return (await archives.whole(id)) ?? tail(id, 0); // it may have come back in between
    },

    async since(id, known) {
      if (known.version === 0) {
        const events = await tail(id, 0);
        return events.length > 0 ? events : ((await archives.since(id, known)) ?? []);
      }
      let events = await sinceIn(pool, id, known);
      if (!events && pooled) events = await sinceOnPrimary(id, known);
      return events === undefined ? archives.since(id, known) : events;
    },
  };
}
