import cluster from 'node:cluster';
import closeWithGrace from 'close-with-grace';
import type { FastifyBaseLogger } from 'fastify';
import { apiOf } from './api/api.ts';
import { rateLimits } from './api/http/callers/identity.ts';
import { openWaitingRoom, type WaitingRoom } from './api/http/waiting-room.ts';
import { buildApp } from './app.ts';
import { busOf, type ConfiguredBus } from './bus/configured.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { migrate } from './database/migrate.ts';
import { type Database, openDatabase } from './database/pool.ts';
import { seedOfMatch } from './database/secrets/seal.ts';
import { openStorage, type Storage } from './database/storage.ts';
import { steady } from './database/time.ts';
import { createMetrics, openMetricsServer } from './metrics.ts';
import { migrateQueue } from './notices/queue.ts';
import { openServices, type Services } from './services.ts';
import { openTracing } from './tracing.ts';
import { failStart, onStop, startWorkers, WorkerFailed } from './workers.ts';

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

async function start(config: Config): Promise<void> {
  const storage = await whileWaiting(config, (onWait) => openStorage(config, onWait));
  let database: Database | undefined;
  let services: Services | undefined;
  let bus: ConfiguredBus | undefined;
  let log: FastifyBaseLogger | undefined;
  const closeConnections = async () => {
    await bus?.close();
    await database?.close();
    await storage.embedded?.stop();
  };
  try {
    await migrate(storage.directUrl ?? storage.url);
    await migrateQueue(storage.directUrl ?? storage.url);
    database = openDatabase({
      url: storage.url,
      directUrl: storage.directUrl,
      replicaUrl: config.DATABASE_REPLICA_URL,
      coldUrl: config.COLD_STORAGE,
      poolSize: config.DATABASE_POOL_SIZE,
      keys: config.ENCRYPTION_KEYS,
      onError: (err) => log?.warn({ err }, 'a connection to the database was lost'),
    });
    await checkKeys(database);
    await database.prisma.player.findFirst(); // the first query loads a compiler, and no request should wait for that
    const metrics = createMetrics(cluster.worker?.id);
    const tracing = await openTracing(config);
    bus = busOf(config, {
      warn: (message) => (log ? log.warn(message) : console.warn(message)),
      inform: (message) => log?.info(message),
    });
    const limits = rateLimits(config, bus?.shared);
    services = await openServices({
      config,
      database,
      metrics,
      limits,
      bus: bus?.bus,
      tracing,
      warn: (message, err) => log?.warn({ err }, message),
      inform: (fields, message) => log?.info(fields, message),
      alarm: (fields, message) => log?.error(fields, message),
    });
    const app = await buildApp(config, { database, metrics, limits, tracing, api: apiOf(services) });
    log = app.log;
    await app.listen({ host: config.HOST, port: config.PORT });
    const metricsServer = config.METRICS ? await openMetricsServer(config, metrics) : undefined;
    let closing = false;
    const { close } = closeWithGrace(
      { delay: config.SHUTDOWN_SECONDS * 1000, logger: app.log },
      async ({ err, signal }) => {
        closing = true;
        if (err) app.log.error(err);
        else app.log.info(`${signal ?? 'stop'}: finishing what is under way`);
        database?.hurry();
        await app.close();
        await metricsServer?.close();
        await services?.close();
        await tracing?.close();
        await closeConnections();
      },
    );
    if (cluster.isWorker) onStop(() => closing || close());
    if (cluster.isPrimary) greet(app.server.address(), storage);
  } catch (error) {
    await services?.close();
    await closeConnections();
    throw error;
  }
}

/** Opens the database and starts the processes that serve requests. */
async function startAll(config: Config): Promise<void> {
  const storage = await whileWaiting(config, (onWait) => openStorage(config, onWait));
  try {
    await migrate(storage.directUrl ?? storage.url);
    await migrateQueue(storage.directUrl ?? storage.url);
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

/** Finds a missing key at the start, and not when somebody wants to play. */
async function checkKeys({ pool, seal }: Database): Promise<void> {
  const { rows } = await pool.query<{ id: string; seed: Buffer }>(
    'SELECT id, server_seed AS seed FROM matches ORDER BY id DESC LIMIT 1000',
  );
  for (const { id, seed } of rows) {
    try {
      seal.open(seed, seedOfMatch(id));
    } catch (error) {
      throw new ConfigError([`${(error as Error).message}. List it again after the key that is to be used.`]);
    }
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

try {
  const config = readConfig(process.env);
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
