/** One process that serves requests, on a database that has every migration. */
import cluster from 'node:cluster';
import closeWithGrace from 'close-with-grace';
import type { FastifyBaseLogger } from 'fastify';
import { apiOf } from './api/api.ts';
import { rateLimits } from './api/http/callers/identity.ts';
import { buildApp } from './app.ts';
import { busOf, type ConfiguredBus } from './bus/configured.ts';
import { type Config, ConfigError } from './config.ts';
import { type Database, openDatabase } from './database/pool.ts';
import { seedOfMatch } from './database/secrets/seal.ts';
import type { Storage } from './database/storage.ts';
import { createMetrics, openMetricsServer } from './metrics.ts';
import { openServices, type Services } from './services.ts';
import { openTracing } from './tracing.ts';
import { homesOfWorker, onStop, placeOfWorker } from './workers.ts';

/** Requests that have waited for the start are answered before anything else is loaded. */
const WAITED_FOR_MS = 250;

/** Resolves to the address at which it listens. If it rejects, everything that it opened has been closed. */
export async function serve(config: Config, storage: Storage): Promise<unknown> {
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
    const metrics = createMetrics(cluster.worker?.id);
    const tracing = await openTracing(config);
    bus = busOf(config, {
      warn: (message) => (log ? log.warn(message) : console.warn(message)),
      inform: (message) => log?.info(message),
    });
    const limits = rateLimits(config, bus?.shared);
    let listening = () => {};
    const serving = new Promise<void>((resolve) => {
      listening = resolve;
    });
    services = await openServices({
      config,
      database,
      metrics,
      limits,
      bus: bus?.bus,
      siblings: placeOfWorker(),
      tracing,
      serving,
      warn: (message, err) => log?.warn({ err }, message),
      inform: (fields, message) => log?.info(fields, message),
      alarm: (fields, message) => log?.error(fields, message),
    });
    const app = await buildApp(config, {
      database,
      metrics,
      limits,
      tracing,
      api: apiOf(services),
      homes: homesOfWorker(),
    });
    log = app.log;
    await app.listen({ host: config.HOST, port: config.PORT });
    const { prisma } = database;
    setTimeout(() => {
      listening();
      prisma.player.findFirst().catch(() => {}); // the first query loads a compiler, for which no request should wait
    }, WAITED_FOR_MS).unref();
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
    return app.server.address();
  } catch (error) {
    await services?.close();
    await closeConnections();
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
