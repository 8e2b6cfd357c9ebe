/** What the job queue does for notices. */
import type { JobHelpers, TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import { type DeliverOptions, deliver } from './deliver.ts';

/** Beyond this the process that took a job cannot be at work on it any more: attempts time out within seconds. */
const DEAD_AFTER_SECONDS = 90;
const KEEP_DAYS = 30;

export const CRONTAB = `
* * * * * unlock
23 3 * * * tidy
`;

/** A reminder of a turn that has a deadline, as it was when the turn was gained. */
interface Reminder {
  matchId: string;
  playerId: string;
  seat: number;
  version: number;
  deadline: string;
}

/** Nothing if the turn has passed. */
export const REMIND = `
INSERT INTO notices (type, match_id, version, player_id, seat, at, deadline)
SELECT 'TURN_REMINDER', m.id, m.version, $2, $3, now(), $4
  FROM matches m
 WHERE m.id = $1 AND m.status = 'ACTIVE' AND $3::int = ANY (m.acting) AND m.seats[$3::int + 1] = $2`;

/** A server that was killed in the middle of a job leaves it locked, and the queue itself waits four hours. */
export async function unlockDead(pool: Pool, seconds = DEAD_AFTER_SECONDS): Promise<void> {
  await pool.query(
    `SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM graphile_worker.jobs
      WHERE task_identifier IN ('deliver', 'remind') AND locked_at < now() - make_interval(secs => $1)
     HAVING count(*) > 0`,
    [seconds],
  );
}

export function tasksOf(options: DeliverOptions, wake: () => void): TaskList {
  const { pool } = options;
  return {
    deliver: (payload: unknown, { abortSignal }: JobHelpers) =>
      deliver((payload as { id: string }).id, options, abortSignal),
    async remind(payload: unknown) {
      const { matchId, playerId, seat, deadline } = payload as Reminder;
      await pool.query(REMIND, [matchId, playerId, seat, deadline]);
      wake();
    },
    unlock: () => unlockDead(pool),
    async tidy() {
      await pool.query("DELETE FROM mail_codes WHERE sent_at < now() - interval '1 day'");
      await pool.query(`DELETE FROM deliveries WHERE created_at < now() - make_interval(days => ${KEEP_DAYS})`);
    },
  };
}
