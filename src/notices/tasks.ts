/** The tasks that the job queue runs for notices. */
import type { JobHelpers, TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import { KEEP_HOURS } from '../database/request-keys.ts';
import { type DeliverOptions, deliver } from './deliver.ts';

/** After this time, the process that took a job cannot still be working on it: attempts time out within seconds. */
const DEAD_AFTER_SECONDS = 90;
const KEEP_DAYS = 30;

export const CRONTAB = `
* * * * * unlock
23 3 * * * tidy
`;

/** A reminder that is sent after this fraction of the time for a turn. */
interface Reminder {
  matchId: string;
  playerId: string;
  part: number;
}

/** The turn that a player has now, and its deadline. */
export interface TimedTurn {
  version: number;
  seat: number;
  since: Date;
  deadline: Date;
}

// Repeated if the turn was renewed meanwhile, or if the clock stood still because no server was up.
const REMIND = `
WITH due AS (SELECT $7::timestamptz AS at, $7::timestamptz <= now() + interval '1 second' AS now), told AS (
  INSERT INTO notices (type, match_id, player_id, version, seat, at, deadline)
  SELECT 'TURN_REMINDER', $1::uuid, $2::uuid, $3::int, $4::int, now(), $5::timestamptz FROM due WHERE due.now
)
SELECT graphile_worker.add_job('remind', $6::json, run_at => due.at,
                               job_key => 'remind:' || $1::uuid || ':' || $2::uuid || ':' || ($6::json->>'part'))
  FROM due WHERE NOT due.now`;

/** A server that is killed during a job leaves it locked, and the queue itself would wait four hours. */
export async function unlockDead(pool: Pool, seconds = DEAD_AFTER_SECONDS): Promise<void> {
  await pool.query(
    `SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM graphile_worker.jobs
      WHERE task_identifier IN ('deliver', 'remind') AND locked_at < now() - make_interval(secs => $1)
     HAVING count(*) > 0`,
    [seconds],
  );
}

export interface TaskOptions {
  sending: DeliverOptions;
  /** Null if it is not this player's turn, or if its time is not limited. */
  turnOf(matchId: string, playerId: string): Promise<TimedTurn | null>;
  /** To be called when something is waiting in the outbox. */
  wake(): void;
}

export function tasksOf({ sending, turnOf, wake }: TaskOptions): TaskList {
  const { pool } = sending;
  return {
    deliver: (payload: unknown, { abortSignal }: JobHelpers) =>
      deliver((payload as { id: string }).id, sending, abortSignal),
    async remind(payload: unknown) {
      const { matchId, playerId, part } = payload as Reminder;
      const turn = await turnOf(matchId, playerId);
      if (!turn) return;
      const { version, seat, since, deadline } = turn;
      const due = new Date(since.getTime() + (deadline.getTime() - since.getTime()) * part);
      await pool.query(REMIND, [matchId, playerId, version, seat, deadline, { matchId, playerId, part }, due]);
      wake();
    },
    unlock: () => unlockDead(pool),
    async tidy() {
      await pool.query(`DELETE FROM request_keys WHERE at < now() - make_interval(hours => ${KEEP_HOURS})`);
      await pool.query("DELETE FROM mail_codes WHERE sent_at < now() - interval '1 day'");
      await pool.query(`DELETE FROM deliveries WHERE created_at < now() - make_interval(days => ${KEEP_DAYS})`);
    },
  };
}
