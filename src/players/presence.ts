/** Who is online: players who made a request with a token within the last minute, or who hold a stream open. */
import type { Pool } from 'pg';
import type { Writes } from '../database/writes.ts';

export interface Presence {
  /**
   * Notes that this player is online. This costs only a map look-up: rows are written later, for many players at once.
   */
  touch(playerId: string): void;
  /** The players among these who are online and allow others to know it. */
  online(playerIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Writes what has not been written yet. */
  close(): Promise<void>;
}

export interface PresenceParts {
  pool: Pool;
  /** Nothing is written while they are stalled. */
  writes?: Pick<Writes, 'areStalled'>;
  warn(message: string, error?: unknown): void;
  now?: () => number;
}

const HERE_MS = 60_000;
/** Streams are checked more often than this (RECHECK_MS), so a player who holds one open never appears offline. */
const WRITE_EVERY_MS = 30_000;
/** Players who arrive within this time are written together. */
const GATHER_MS = 500;

// Rows are written in the order of their ids, so that two servers that write the same players cannot deadlock.
const WRITE = `
INSERT INTO presences (player_id, seen_at) SELECT id, now() FROM unnest($1::uuid[]) AS t(id) ORDER BY id
ON CONFLICT (player_id) DO UPDATE SET seen_at = excluded.seen_at`;

const HERE = `
SELECT t.id FROM unnest($1::uuid[]) AS t(id)
  LEFT JOIN presences s ON s.player_id = t.id
  LEFT JOIN privacy p ON p.player_id = t.id
 WHERE coalesce(p.online, true)
   AND (t.id = ANY($2::uuid[]) OR s.seen_at > now() - make_interval(secs => ${HERE_MS / 1000}))`;

interface Seen {
  at: number;
  writtenAt: number;
}

export function openPresence({ pool, writes, warn, now = Date.now }: PresenceParts): Presence {
  const seen = new Map<string, Seen>();
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(ids: readonly string[]): Promise<void> {
    const time = now();
    for (const [id, { at }] of seen) if (time - at > HERE_MS) seen.delete(id);
    const tryAgain = () => {
      for (const id of ids) seen.delete(id); // with their next request
    };
    if (writes?.areStalled) return tryAgain();
    try {
      await pool.query(WRITE, [ids]);
    } catch (error) {
      tryAgain();
      warn('the presence of players could not be written', error);
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...waiting];
    waiting = new Set();
    if (ids.length > 0) writing = writing.then(() => write(ids));
    return writing;
  }

  return {
    touch(id) {
      const time = now();
      const known = seen.get(id);
      if (known && time - known.writtenAt < WRITE_EVERY_MS) {
        known.at = time;
        return;
      }
      seen.set(id, { at: time, writtenAt: time });
      waiting.add(id);
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
    },
    async online(ids) {
      const time = now();
      const here = ids.filter((id) => time - (seen.get(id)?.at ?? 0) < HERE_MS);
      const { rows } = await pool.query<{ id: string }>({ name: 'online', text: HERE, values: [[...ids], here] });
      return new Set(rows.map(({ id }) => id));
    },
    close: flush,
  };
}
