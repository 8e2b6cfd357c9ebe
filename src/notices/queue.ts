/** The job queue (graphile-worker) in the same PostgreSQL: its tables, and the workers of this process. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger, Runner, TaskList } from 'graphile-worker';
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

/** Loaded when the workers start, because no request needs it. */
const library = () => import('graphile-worker');

const loggerTo = async (warn: Warn): Promise<Logger> =>
  new (await library()).Logger(() => (level, message, meta) => {
    if (level === 'error') warn(`job queue: ${message}`, meta?.error);
  });

/** The last migration of the library, which need not be loaded for a database that has it. */
export const NEWEST_MIGRATION = 19;

async function isUpToDate(client: pg.Client): Promise<boolean> {
  try {
    const { rows } = await client.query<{ id: number }>('SELECT max(id) AS id FROM graphile_worker.migrations');
    return rows[0]?.id === NEWEST_MIGRATION;
  } catch (error) {
    if (NOT_THERE.has((error as pg.DatabaseError).code ?? '')) return false;
    throw error;
  }
}

/** No such schema, no such table, and not allowed to look into the schema. */
const NOT_THERE = new Set(['3F000', '42P01', '42501']);

/** Makes or updates the queue's tables, in a schema of their own. Any number of processes may call it at once. */
export async function migrateQueue(connectionString: string): Promise<void> {
  const client = newClient(connectionString, { application_name: 'atoll migrate' });
  client.on('error', () => {}); // the statement under way fails, which is enough
  await client.connect();
  try {
    if (await isUpToDate(client)) return;
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]); // released when the session ends
    const { runMigrations } = await library();
    const pool = poolOf(connectionString, 'atoll migrate', 1, patienceOf(SILENCE_MS));
    try {
      await runMigrations({ pgPool: pool, logger: await loggerTo(() => {}) });
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
  /** The workers start when this resolves. Unset: at once. */
  after?: Promise<unknown> | undefined;
}

export interface Queue {
  /** Waits for running jobs. */
  close(): Promise<void>;
}

/**
 * Rejects if the workers should start at once and cannot. In every other case they are started again for as long as it
 * takes.
 */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { url, taskList, crontab, concurrency, abortAfterMs, warn, pollMs = 2000, after } = options;
  const closing = new AbortController();
  const patience = patienceOf(SILENCE_MS);
  const pool = poolOf(url, 'atoll notices', CONNECTIONS, patience);

  const start = async (): Promise<Runner> => {
    const { run } = await library();
    return run({
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
      logger: await loggerTo((message, error) => {
        if (!closing.signal.aborted) warn(message, error);
      }),
    });
  };

  const stopping = new Promise<void>((stop) => closing.signal.addEventListener('abort', () => stop()));
  let runner: Runner | undefined = after ? undefined : await start();

  async function stayRunning(): Promise<void> {
    await Promise.race([after, stopping]);
    while (!closing.signal.aborted) {
      if (!runner) {
        runner = await start().catch((error) => void warn('the workers of the job queue could not start', error));
        if (closing.signal.aborted) await runner?.stop().catch(() => {}); // they started while the server was stopping
      }
      await runner?.promise.catch((error) => warn('the workers of the job queue stopped', error));
      runner = undefined;
      await sleep(2000, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  const running = stayRunning();

  return {
    async close() {
      closing.abort();
      patience.hurry(); // the workers say goodbye on every connection, also on one that has died unnoticed
      await runner?.stop().catch(() => {}); // it may have stopped by itself
      await running;
      await atMost(GOODBYE_MS, pool.end());
    },
  };
}
