import closeWithGrace from 'close-with-grace';
import type { FastifyBaseLogger } from 'fastify';
import { apiOf } from './api/api.ts';
import { rateLimits } from './api/http/identity.ts';
import { openWaitingRoom, type WaitingRoom } from './api/http/waiting-room.ts';
import { buildApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { migrate } from './database/migrate.ts';
import { type Database, openDatabase } from './database/pool.ts';
import { seedOfMatch } from './database/seal.ts';
import { openStorage, type Storage } from './database/storage.ts';
import { steady } from './database/time.ts';
import { createMetrics, openMetricsServer } from './metrics.ts';
import { migrateQueue } from './notices/queue.ts';
import { openServices, type Services } from './services.ts';

/** Says every so often why it takes longer, and answers meanwhile. */
async function whileWaiting<T>(
  { HOST, PORT }: Config,
  work: (onWait: (why: string) => void) => Promise<T>,
): Promise<T> {
  let room: Promise<WaitingRoom | undefined> | undefined;
  let said = Number.NEGATIVE_INFINITY;
  try {
    return await work((why) => {
      room ??= openWaitingRoom(HOST, PORT).catch(() => undefined); // the start itself will say what is wrong
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
  let log: FastifyBaseLogger | undefined;
  const closeDatabase = async () => {
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
      poolSize: config.DATABASE_POOL_SIZE,
      keys: config.ENCRYPTION_KEYS,
      onError: (err) => log?.warn({ err }, 'a connection to the database was lost'),
    });
    await checkKeys(database);
    await database.prisma.player.findFirst(); // the first query loads a compiler: nobody should wait for that
    const metrics = createMetrics();
    const limits = rateLimits(config);
    services = await openServices({
      config,
      database,
      metrics,
      limits,
      warn: (message, err) => log?.warn({ err }, message),
      inform: (fields, message) => log?.info(fields, message),
      alarm: (fields, message) => log?.error(fields, message),
    });
    const app = await buildApp(config, { database, metrics, limits, api: apiOf(services) });
    log = app.log;
    await app.listen({ host: config.HOST, port: config.PORT });
    const metricsServer = config.METRICS ? await openMetricsServer(config, metrics) : undefined;
    closeWithGrace({ delay: config.SHUTDOWN_SECONDS * 1000, logger: app.log }, async ({ err, signal }) => {
      if (err) app.log.error(err);
      else app.log.info(`${signal}: finishing what is under way`);
      await app.close();
      await metricsServer?.close();
      await services?.close();
      await closeDatabase();
    });
    greet(app.server.address(), storage);
  } catch (error) {
    await closeDatabase();
    throw error;
  }
}

/** A key that is missing is found out now, and not when somebody wants to play. */
async function checkKeys({ pool, seal }: Database): Promise<void> {
  const { rows } = await pool.query<{ id: string; seed: Buffer }>(
    'SELECT id, server_seed AS seed FROM matches ORDER BY id DESC LIMIT 1000',
  );
  for (const { id, seed } of rows) {
    try {
      seal.open(seed, seedOfMatch(id));
    } catch (error) {
      throw new ConfigError([`${(error as Error).message}: name it again, behind the key that is to be used.`]);
    }
  }
}

function greet(address: unknown, { embedded }: Storage): void {
  const { port } = address as { port: number };
  const url = `http://localhost:${port}`;
  console.log(`
  Atoll is listening on ${url}

    GraphiQL        ${url}/graphiql
    REST reference  ${url}/docs
    Data            ${embedded ? `embedded PostgreSQL in ${embedded.dir}` : 'the PostgreSQL of DATABASE_URL'}
`);
}

try {
  await start(readConfig(process.env));
} catch (error) {
  // What the operator can fix is said in a sentence; only a fault of ours needs its stack.
  const { message, stack } = error as Error;
  console.error(
    error instanceof ConfigError ? `Atoll cannot start.\n${message}` : `Atoll cannot start: ${message || stack}`,
  );
  process.exitCode = 1;
}
