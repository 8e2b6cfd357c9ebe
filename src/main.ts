import cluster from 'node:cluster';
import closeWithGrace from 'close-with-grace';
import { openWaitingRoom, type WaitingRoom } from './api/http/waiting-room.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { migrate } from './database/migrate.ts';
import { openStorage, type Storage } from './database/storage.ts';
import { steady } from './database/time.ts';
import { migrateQueue } from './notices/queue.ts';
import { failStart, startWorkers, WorkerFailed } from './workers.ts';

/** Regularly logs why the start is taking longer, and answers requests meanwhile. */
async function whileWaiting<T>(
  { HOST, PORT }: Config,
  work: (onWait: (why: string) => void) => Promise<T>,
): Promise<T> {
  let room: Promise<WaitingRoom | undefined> | undefined;
  let said = Number.NEGATIVE_INFINITY;
  try {
    return await work((why) => {
      room ??= openWaitingRoom(HOST, PORT).catch(() => undefined); // the start itself will report what is wrong
      if (steady() - said < SAY_EVERY_MS) return;
      said = steady();
      console.warn(`Atoll waits. ${why}`);
    });
  } finally {
    await (await room)?.close();
  }
}

const SAY_EVERY_MS = 15_000;

/** The server is loaded while its database starts. */
async function start(config: Config): Promise<void> {
  const [storage, { serve }] = await Promise.all([openMigrated(config), import('./server.ts')]);
  const address = await serve(config, storage);
  if (cluster.isPrimary) greet(address, storage);
}

async function openMigrated(config: Config): Promise<Storage> {
  const storage = await whileWaiting(config, (onWait) => openStorage(config, onWait));
  try {
    await migrate(storage.directUrl ?? storage.url);
    await migrateQueue(storage.directUrl ?? storage.url);
    return storage;
  } catch (error) {
    await storage.embedded?.stop();
    throw error;
  }
}

/** Opens the database and starts the processes that serve requests. */
async function startAll(config: Config): Promise<void> {
  const storage = await openMigrated(config);
  try {
    const workers = await startWorkers(config.WORKERS, console.warn);
    closeWithGrace({ delay: (config.SHUTDOWN_SECONDS + 2) * 1000, logger: console }, async () => {
      await workers.stop();
      await storage.embedded?.stop();
    });
    greet(workers.address, storage, workers.pids);
  } catch (error) {
    await storage.embedded?.stop();
    throw error;
  }
}

function greet(address: unknown, { embedded }: Storage, processes: readonly unknown[] = []): void {
  const { port } = address as { port: number };
  const url = `http://localhost:${port}`;
  console.log(`
  Atoll is listening on ${url}

    GraphiQL        ${url}/graphiql
    REST reference  ${url}/docs
    Data            ${embedded ? `embedded PostgreSQL in ${embedded.dir}` : 'the PostgreSQL of DATABASE_URL'}${
      processes.length > 0 ? `\n    Processes       ${processes.join(', ')}` : ''
    }
`);
}

/**
 * npm passes SIGTERM only to the shell between npm and this process. The shell ends without telling anybody, and the
 * server would go on, together with its database.
 */
function stopWithNpm(): void {
  if (process.env.npm_lifecycle_event !== 'start' || cluster.isWorker) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 300).unref();
}

try {
  const config = readConfig(process.env);
  stopWithNpm();
  await (config.WORKERS > 1 && cluster.isPrimary ? startAll(config) : start(config));
} catch (error) {
  // An error that the operator can fix is reported as a sentence. Only an error of ours needs its stack.
  const { message, stack } = error as Error;
  const why =
    error instanceof ConfigError ? `Atoll cannot start.\n${message}` : `Atoll cannot start: ${message || stack}`;
  if (cluster.isWorker) failStart(why);
  else console.error(error instanceof WorkerFailed ? message : why);
  process.exitCode = 1;
}
