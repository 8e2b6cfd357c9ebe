/**
 * Limits how often codes may be tried and mails requested. Attempts are counted in the database for all instances
 * together, and the limits cannot be switched off.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { refusals } from '../../errors.ts';

/** What is counted, and how many are allowed in an hour. */
export interface Limit {
  what: string;
  perHour: number;
}

export interface Attempts {
  /**
   * Counts one attempt for each limit, or throws RATE_LIMITED. Returns a function that takes the count back, for
   * attempts that succeeded.
   */
  take(...counted: [Limit, who: string][]): Promise<() => Promise<void>>;
}

// An attempt is counted before its outcome is known, so that trying many at once gains nothing over trying them in
// turn.
const COUNT = `
INSERT INTO quota_counts AS q (what, who, since, used) VALUES ($1, $2, date_trunc('hour', now(), 'UTC'), 1)
ON CONFLICT (what, who, since) DO UPDATE SET used = q.used + 1
RETURNING used, since, ceil(extract(epoch FROM since + interval '1 hour' - now()))::int AS "retryAfter"`;

const GIVE_BACK = 'UPDATE quota_counts SET used = used - 1 WHERE what = $1 AND who = $2 AND since = $3';

/** The key under which the attempts of all callers are counted together. */
export const EVERYBODY = 'everybody';

export function openAttempts(pool: Pool): Attempts {
  return {
    async take(...counted) {
      const taken: [what: string, who: string, since: Date][] = [];
      for (const [{ what, perHour }, name] of counted) {
        const who = name === EVERYBODY ? name : createHash('sha256').update(name).digest('base64url');
        const { rows } = await pool.query<{ used: number; since: Date; retryAfter: number }>(COUNT, [what, who]);
        const { used = 0, since = new Date(), retryAfter = 1 } = rows[0] ?? {};
        if (used > perHour) throw refusals.tooManyAttempts({ retryAfter: Math.max(1, retryAfter) });
        taken.push([what, who, since]);
      }
      return async () => {
        for (const row of taken) await pool.query(GIVE_BACK, row);
      };
    },
  };
}
