/**
 * From the outbox to the job queue: each notice becomes a delivery to every target that wants it, with a job for each.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Writes } from '../database/writes.ts';

export interface RelayOptions {
  pool: Pool;
  /** Nothing is relayed while they are stalled. */
  writes?: Pick<Writes, 'areStalled'>;
  /** How long a turn must last before webhooks and mails report it. */
  webhookDelayMs: number;
  mailDelayMs: number;
  warn(message: string, error?: unknown): void;
  /** How often the outbox is checked without a call, to find what a stopped server left behind. */
  sweepMs?: number;
}

export interface Relay {
  /** To be called when something is waiting in the outbox. */
  wake(): void;
  close(): Promise<void>;
}

const BATCH = 100;

/** Reminders are sent after these fractions of the time for a turn. */
export const REMINDERS = [0.5, 0.9];

/** Names the job of a delivery `d`, so that a newer notice replaces one that is still waiting. */
export const JOB_KEY = `CASE WHEN d.forced THEN 'redeliver:' || d.id ELSE 'notice:' || COALESCE(d.webhook_id::text, 'mail') || ':' || d.match_id || ':' || d.player_id || ':' || d.type END`;

// Deliveries are written in the order of their unique key, so that two relays cannot deadlock. A pending delivery that
// is replaced by a newer one also gets a new id, because to the receiver it is another message.
const RELAY = `
WITH taken AS (
  DELETE FROM notices
   WHERE id IN (SELECT id FROM notices ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
  RETURNING *
), wanted AS (
  SELECT w.id AS webhook_id, n.type, n.match_id, n.version, n.at, n.deadline,
         COALESCE(n.player_id, w.player_id) AS player_id,
         COALESCE(n.seat, array_position(m.seats, w.player_id) - 1) AS seat
    FROM taken n
    JOIN matches m ON m.id = n.match_id
    JOIN webhooks w ON w.disabled_at IS NULL AND n.type = ANY (w.events)
     AND CASE WHEN w.match_id IS NULL THEN w.player_id = COALESCE(n.player_id, w.player_id) AND w.player_id = ANY (m.seats)
              ELSE w.match_id = n.match_id AND (w.player_id = ANY (m.seats) OR w.player_id = m.creator_id) END
   WHERE NOT n.renewed
     AND (w.match_id = n.match_id OR w.player_id = ANY (CASE WHEN n.player_id IS NULL THEN m.seats ELSE ARRAY[n.player_id] END))
  UNION ALL
  SELECT NULL, n.type, n.match_id, n.version, n.at, n.deadline, n.player_id, n.seat
    FROM taken n
    JOIN emails e ON e.player_id = n.player_id AND e.confirmed_at IS NOT NULL
   WHERE n.type IN ('TURN_GAINED', 'TURN_REMINDER') AND NOT n.renewed
), latest AS (
  SELECT DISTINCT ON (COALESCE(webhook_id, player_id), match_id, player_id, type) *,
         now() + make_interval(secs => CASE WHEN type <> 'TURN_GAINED' THEN 0 WHEN webhook_id IS NULL THEN $2 ELSE $1 END::float8 / 1000) AS run_at
    FROM wanted
   ORDER BY COALESCE(webhook_id, player_id), match_id, player_id, type, version DESC
), added AS (
  INSERT INTO deliveries AS d (id, webhook_id, type, match_id, version, player_id, seat, at, deadline, next_attempt_at)
  SELECT gen_random_uuid(), webhook_id, type, match_id, version, player_id, seat, at, deadline, run_at FROM latest
  ON CONFLICT ((COALESCE(webhook_id, player_id)), match_id, player_id, type) WHERE status = 'PENDING' AND NOT forced
  DO UPDATE SET id = excluded.id, version = excluded.version, seat = excluded.seat, at = excluded.at,
                deadline = excluded.deadline, next_attempt_at = excluded.next_attempt_at, attempts = 0,
                response_code = NULL, last_error = NULL, attempted_at = NULL, created_at = now()
   WHERE d.version <= excluded.version
  RETURNING d.*
), queued AS (
  SELECT graphile_worker.add_job('deliver', json_build_object('id', d.id), run_at => d.next_attempt_at, job_key => ${JOB_KEY}) AS job
    FROM added d
), reminded AS (
  SELECT graphile_worker.add_job('remind', json_build_object('matchId', n.match_id, 'playerId', n.player_id, 'part', r.part),
           run_at => n.at + (n.deadline - n.at) * r.part,
           job_key => 'remind:' || n.match_id || ':' || n.player_id || ':' || r.part) AS job
    FROM (SELECT DISTINCT ON (match_id, player_id) * FROM taken WHERE type = 'TURN_GAINED' AND deadline IS NOT NULL
           ORDER BY match_id, player_id, version DESC) AS n
   CROSS JOIN unnest($3::float8[]) AS r(part)
)
SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count((job).id)::int FROM queued) AS queued,
       (SELECT count((job).id)::int FROM reminded) AS reminded`;

interface Relayed {
  taken: number;
  queued: number;
  reminded: number;
}

/** Relays one batch. Any number of servers may do this at once. */
export async function relayOnce({ pool, webhookDelayMs, mailDelayMs }: RelayOptions): Promise<Relayed> {
  const { rows } = await pool.query<Relayed>({
    name: 'relay',
    text: RELAY,
    values: [webhookDelayMs, mailDelayMs, REMINDERS],
  });
  return rows[0] as Relayed;
}

export function openRelay(options: RelayOptions): Relay {
  const { warn, sweepMs = 5000 } = options;
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let again = false;

  async function drain(): Promise<void> {
    if (options.writes?.areStalled) return; // the next sweep finds it
    try {
      do {
        again = false;
        while ((await relayOnce(options)).taken === BATCH);
      } while (again);
    } catch (error) {
      warn('notices could not be queued, and wait in the outbox', error);
    }
  }

  function wake(): void {
    again = true;
    running ??= drain().finally(() => {
      running = undefined;
    });
  }

  async function sweep(): Promise<void> {
    while (!closing.signal.aborted) {
      wake();
      await sleep(sweepMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }
  void sweep();

  return {
    wake,
    async close() {
      closing.abort();
      await running;
    },
  };
}
