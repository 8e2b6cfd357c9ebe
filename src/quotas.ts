/**
 * How much of the server one player or one address may use. Quotas are counted in the database, for all instances
 * together.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Config } from './config.ts';
import { refusals } from './errors.ts';
import { BOT_IDS, isBot } from './players/bot-accounts.ts';

type Client = Pick<Pool, 'query'>;

/** What a quota needs to know about a match that is being made. */
interface Opening {
  id: string;
  creatorId: string;
  seats: readonly (string | null)[];
}

/** Runs in the transaction that makes something: if it throws, everything is undone. */
export type Guard = (client: Client) => Promise<void>;

/** Each of these throws QUOTA_EXCEEDED. */
export interface Quotas {
  opening(match: Opening): Guard;
  forking(playerId: string): Guard;
  importing(playerId: string): Guard;
  /** For a bot that sits down, with the match as it will be then. */
  addingBot(match: Opening): Guard;
  /** To be called before a report is stored. */
  reporting(playerId: string): Promise<void>;
  /** To be called before an account is exported. */
  exportingAccount(playerId: string): Promise<void>;
  /** To be called before a player is registered from this address. */
  registering(address: string): Promise<void>;
  /** Deletes the counts of windows that are over. */
  sweep(): Promise<void>;
}

const nothing: Guard = async () => {};

/** For private servers and benchmarks. */
export const noQuotas: Quotas = {
  opening: () => nothing,
  forking: () => nothing,
  importing: () => nothing,
  addingBot: () => nothing,
  reporting: async () => {},
  exportingAccount: async () => {},
  registering: async () => {},
  sweep: async () => {},
};

// A transaction that counts at the same moment waits for the row until the other is over, so that none exceeds the
// limit.
const COUNT = `
INSERT INTO quota_counts AS q (what, who, since, used) VALUES ($1, $2, date_trunc($3, now(), 'UTC'), 1)
ON CONFLICT (what, who, since) DO UPDATE SET used = q.used + 1
RETURNING used, ceil(extract(epoch FROM since + ('1 ' || $3)::interval - now()))::int AS "retryAfter"`;

const RUNNING = `
SELECT count(*)::int AS matches,
       coalesce(sum((SELECT count(*) FROM unnest(seats) AS s(id) WHERE s.id = ANY($2::uuid[]))), 0)::int AS bots,
       count(*) FILTER (WHERE seats <@ $2::uuid[])::int AS alone
  FROM matches WHERE creator_id = $1 AND status IN ('OPEN', 'ACTIVE') AND origin IS NULL AND id <> $3`;

/** Held until the end of the transaction, so that two of one player cannot both find the last free place. */
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 20261118))';

interface Running {
  matches: number;
  bots: number;
  alone: number;
}

export function openQuotas(pool: Pool, config: Config): Quotas {
  if (config.QUOTAS === 'off') return noQuotas;

  /** Counts one more of something that is limited in an hour or a day. */
  async function count(client: Client, what: string, who: string, per: 'hour' | 'day', limit: number): Promise<void> {
    const { rows } = await client.query<{ used: number; retryAfter: number }>(COUNT, [what, who, per]);
    const { used = 0, retryAfter } = rows[0] ?? {};
    if (used <= limit) return;
    throw refusals.tooManyIn(what, limit, per, retryAfter === undefined ? {} : { retryAfter });
  }

  /** Checks what one player has running, without this match, together with what the match would add. */
  async function checkRunning(client: Client, { id, creatorId }: Opening, more: Running): Promise<void> {
    if (more.bots > 0) await client.query(LOCK, [creatorId]); // matches are counted one at a time already
    const { rows } = await client.query<Running>(RUNNING, [creatorId, BOT_IDS, id]);
    const now = rows[0] as Running;
    if (more.matches > 0 && now.matches + more.matches > config.QUOTA_MATCHES)
      throw refusals.tooManyMatches(config.QUOTA_MATCHES);
    if (more.bots > 0 && now.bots + more.bots > config.QUOTA_BOTS) throw refusals.tooManyBots(config.QUOTA_BOTS);
    if (more.alone > 0 && now.alone + more.alone > config.QUOTA_BOT_MATCHES)
      throw refusals.tooManyBotMatches(config.QUOTA_BOT_MATCHES);
  }

  return {
    opening: (match) => async (client) => {
      await count(client, 'matches opened', match.creatorId, 'hour', config.QUOTA_MATCHES_PER_HOUR);
      await checkRunning(client, match, { matches: 1, bots: botsOf(match), alone: Number(isAlone(match)) });
    },
    forking: (playerId) => (client) => count(client, 'forks', playerId, 'day', config.QUOTA_FORKS_PER_DAY),
    importing: (playerId) => (client) => count(client, 'imports', playerId, 'day', config.QUOTA_IMPORTS_PER_DAY),
    addingBot: (match) => (client) =>
      checkRunning(client, match, { matches: 0, bots: botsOf(match), alone: Number(isAlone(match)) }),
    reporting: (playerId) => count(pool, 'reports', playerId, 'day', config.QUOTA_REPORTS_PER_DAY),
    exportingAccount: (playerId) =>
      count(pool, 'account exports', playerId, 'day', config.QUOTA_ACCOUNT_EXPORTS_PER_DAY),
    registering(address) {
      const who = createHash('sha256').update(address).digest('base64url');
      return count(pool, 'registrations', who, 'day', config.QUOTA_REGISTRATIONS_PER_DAY);
    },
    async sweep() {
      await pool.query(`DELETE FROM quota_counts WHERE since < now() - interval '2 days'`);
    },
  };
}

const botsOf = ({ seats }: Pick<Opening, 'seats'>): number => seats.filter(isBot).length;
const isAlone = ({ seats }: Pick<Opening, 'seats'>): boolean => seats.every(isBot);
