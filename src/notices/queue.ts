/** The job queue (graphile-worker) in the same PostgreSQL: its tables, and the workers of this process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type Runner, run, runMigrations, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { connectingTo, newClient } from '../database/address.ts';
import { atMost, GOODBYE_MS, type Patience, patienceOf } from '../database/silence.ts';

/** Held while the tables are made, because processes that start together would interfere with each other. */
const LOCK_KEY = 72_707_370;

/** One connection listens, and the others fetch and settle jobs. None is held while a job runs. */
const CONNECTIONS = 4;

/** How long a statement may go without an answer. */
const SILENCE_MS = 6500;

/** A lost connection is replaced when next needed, and noticed by the statement that fails on it. */
function poolOf(url: string, application_name: string, max: number, patience: Patience): pg.Pool {
  const limits = { max, connectionTimeoutMillis: 3000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
  const onConnect = async (client: pg.ClientBase) => patience.watch(client);
  const pool = new pg.Pool({ ...connectingTo(url), ...limits, application_name, onConnect });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

type Warn = (message: string, error?: unknown) => void;

const loggerTo = (warn: Warn) =>
  new Logger(() => (level, message, meta) => {
    if (level === 'error') warn(`job queue: ${message}`, meta?.error);
  });

/** Makes or updates the queue's tables, in a schema of their own. Any number of processes may call it at once. */
export async function migrateQueue(connectionString: string): Promise<void> {
  const client = newClient(connectionString, { application_name: 'atoll migrate' });
  client.on('error', () => {}); // the statement under way fails, which is enough
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]); // released when the session ends
    const pool = poolOf(connectionString, 'atoll migrate', 1, patienceOf(SILENCE_MS));
    try {
      await runMigrations({ pgPool: pool, logger: loggerTo(() => {}) });
    } finally {
      await pool.end();
    }
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `The job queue's tables (schema graphile_worker) could not be made: ${message}. The role of DATABASE_URL needs CREATE on the database, or to own that schema`,
      { cause },
    );
  } finally {
    await client.end();
  }
}

export interface QueueOptions {
  url: string;
  taskList: TaskList;
  /** Scheduled jobs in crontab format. Each is run by one process only. */
  crontab: string;
  concurrency: number;
  /** How long running jobs may continue after a stop before their signal aborts. */
  abortAfterMs: number;
  warn: Warn;
  pollMs?: number;
}

export interface Queue {
  /** Waits for running jobs. */
  close(): Promise<void>;
}

/** Rejects if the first start fails. After that, the workers are restarted for as long as it takes. */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { url, taskList, crontab, concurrency, abortAfterMs, warn, pollMs = 2000 } = options;
  const closing = new AbortController();
  const patience = patienceOf(SILENCE_MS);
  const pool = poolOf(url, 'atoll notices', CONNECTIONS, patience);

  const start = (): Promise<Runner> =>
    run({
      pgPool: pool,
      taskList,
      crontab,
      concurrency,
      pollInterval: pollMs,
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: abortAfterMs,
      // Jobs are not settled in batches: if the database is away, a batch is a rejection that nobody handles, which
      // would end the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: loggerTo((message, error) => {
        if (!closing.signal.aborted) warn(message, error);
      }),
    });

  let runner = await start();

  async function stayRunning(): Promise<void> {
    while (!closing.signal.aborted) {
      await runner.promise.catch((error) => warn('the workers of the job queue stopped', error));
      while (!closing.signal.aborted) {
        await sleep(2000, undefined, { signal: closing.signal }).catch(() => {});
        if (closing.signal.aborted) return;
        const next = await start().catch((error) => warn('the workers of the job queue could not start', error));
        if (!next) continue;
        runner = next;
        break;
      }
    }
  }
  const running = stayRunning();

  return {
    async close() {
      closing.abort();
      patience.hurry(); // the workers say goodbye on every connection, also on one that has died unnoticed
      await runner.stop().catch(() => {}); // it may have stopped by itself
      await running;
      await atMost(GOODBYE_MS, pool.end());
    },
  };
}
