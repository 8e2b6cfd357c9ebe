/** What has to happen without a request: time-outs, bots that no server has woken, and the record of outages. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/pool.ts';
import { atMost, GOODBYE_MS, SilentDatabase } from '../../database/silence.ts';
import { type DatabaseTime, steady } from '../../database/time.ts';
import { LOCK_MS } from '../../database/writes.ts';
import type { Store } from '../log/store.ts';
import type { Matches } from '../matches.ts';
import type { Bots } from './bot-turns.ts';

/** If all servers were silent for longer than this, it was an outage, and no clock is charged for it. */
export const OUTAGE_MS = 60_000;

export interface SweepOptions {
  store: Store;
  matches: Pick<Matches, 'expire'>;
  bots: Pick<Bots, 'sweep'>;
  /** Each heartbeat corrects it. */
  time: DatabaseTime;
  /** Forgets remembered clocks, which do not include a new outage. */
  forgetClocks(): void;
  warn(message: string, error: unknown): void;
}

/** One round. Any server may run it at any time, because an append that comes second changes nothing. */
export async function sweep(
  { store, matches, bots, warn }: Omit<SweepOptions, 'forgetClocks' | 'time'>,
  now: Date,
): Promise<void> {
  for (const id of await store.overdue(now)) {
    await matches.expire(id, now).catch((error) => warn('a time-out could not be recorded', error));
  }
  await bots.sweep(now).catch((error) => warn('the turns of bots could not be looked up', error));
}

/**
 * Records that a server is up, by the database's time, and records an outage if no server was up for long. Returns the
 * id of the latest outage.
 */
export async function beat({ pool, writes }: Database, time?: DatabaseTime): Promise<number | null> {
  const asked = steady();
  const { rows } = await pool.query<{ now: Date; outage: number | null }>(BEAT, [OUTAGE_MS]).catch((error) => {
    if (error instanceof SilentDatabase) writes.silent();
    throw error;
  });
  const { now, outage } = rows[0] as { now: Date; outage: number | null };
  time?.heard(now, asked, steady());
  writes.committed();
  return outage;
}

// The row is locked before it is read, so that only one of several servers that start at once records the outage. While
// commits wait for a standby that is away, one heartbeat holds the lock and all others would wait behind it, each with a
// session of its own, which a caller that gives up does not end. So the statement limits the wait itself: behind a pooler
// there is no session that could.
const BEAT = `
WITH beat AS (
  UPDATE heartbeat h SET at = greatest(h.at, clock_timestamp())
    FROM (SELECT b.at FROM heartbeat b CROSS JOIN (SELECT set_config('lock_timeout', '${LOCK_MS}', true)) AS limits
           WHERE b.id = 1 FOR UPDATE OF b) AS last
   WHERE h.id = 1
  RETURNING last.at AS previous, h.at
), gap AS (
  INSERT INTO outages ("from", "to") SELECT previous, at FROM beat WHERE at - previous > $1 * interval '1 millisecond'
  RETURNING id
)
SELECT clock_timestamp() AS now, greatest((SELECT id FROM gap), (SELECT max(id) FROM outages)) AS outage`;

export interface Sweeper {
  close(): Promise<void>;
}

/** Sweeps every few seconds until it is closed. Resolves after the first heartbeat. */
export async function openSweeper(database: Database, options: SweepOptions, everyMs = 2000): Promise<Sweeper> {
  const closing = new AbortController();
  const { time } = options;
  let outage = await beat(database, time);
  let lastBeat = steady();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const latest = await beat(database, time);
        // A long silence of our own counts too: the server that recorded the outage may only just have committed it.
        if (latest !== outage || steady() - lastBeat > OUTAGE_MS / 2) options.forgetClocks();
        outage = latest;
        lastBeat = steady();
        await sweep(options, time.now());
      } catch (error) {
        if (!closing.signal.aborted) options.warn('the sweep failed', error);
      }
      await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  const running = run();
  return {
    async close() {
      closing.abort();
      await atMost(GOODBYE_MS, running);
    },
  };
}
