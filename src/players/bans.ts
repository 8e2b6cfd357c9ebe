/**
 * Players whom the operator has banned. There are few, so each server keeps them all in memory and reads them again
 * every few seconds.
 */
import type { Pool } from 'pg';
import { refusals } from '../errors.ts';

interface Ban {
  playerId: string;
  reason: string;
  until: Date | null;
}

export interface Bans {
  /** Throws FORBIDDEN while this player is banned. */
  check(playerId: string): void;
  isBanned(playerId: string): boolean;
  close(): void;
}

export interface BansParts {
  pool: Pool;
  warn(message: string, error?: unknown): void;
  everyMs?: number;
  now?: () => number;
}

const EVERY_MS = 5000;

const READ = `SELECT player_id AS "playerId", reason, until FROM bans WHERE until IS NULL OR until > now()`;

export async function openBans({ pool, warn, everyMs = EVERY_MS, now = Date.now }: BansParts): Promise<Bans> {
  let banned = new Map<string, Ban>();
  async function read(): Promise<void> {
    const { rows } = await pool.query<Ban>(READ);
    banned = new Map(rows.map((ban) => [ban.playerId, ban]));
  }
  await read();
  // While the database does not answer, all bans stay in force.
  const timer = setInterval(() => void read().catch((error) => warn('bans could not be read', error)), everyMs).unref();
  function banOf(playerId: string): Ban | undefined {
    const ban = banned.get(playerId);
    return ban?.until && ban.until.getTime() <= now() ? undefined : ban;
  }

  return {
    isBanned: (playerId) => banOf(playerId) !== undefined,
    check(playerId) {
      const ban = banOf(playerId);
      if (!ban) return;
      const until = ban.until?.toISOString() ?? null;
      throw refusals.banned(ban.reason, until === null ? '' : ` until ${until.slice(0, 16).replace('T', ' ')} UTC`, {
        banned: true,
        until,
      });
    },
    close: () => clearInterval(timer),
  };
}
