import { join, resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { apiOf } from './api/api.ts';
import { rateLimits } from './api/http/identity.ts';
import { buildApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { migrate } from './database/migrate.ts';
import { type Database, openDatabase } from './database/pool.ts';
import { type LocalPostgres, startLocalPostgres } from './database/postgres.ts';
import { seedOfMatch } from './database/seal.ts';
import { createMetrics, openMetricsServer } from './metrics.ts';
import { migrateQueue } from './notices/queue.ts';
import { openServices, type Services } from './services.ts';

const DATABASE = 'atoll';

interface Storage {
  url: string;
  /** Undefined: somebody else's server. */
  embedded?: LocalPostgres;
}

async function openStorage({ DATABASE_URL, DATA_DIR }: Config): Promise<Storage> {
  if (DATABASE_URL) {
    await reach(DATABASE_URL);
    return { url: DATABASE_URL };
  }
  const embedded = await startLocalPostgres(join(resolve(DATA_DIR), 'postgres'), console.warn);
  await embedded.createDatabase(DATABASE);
  return { url: embedded.url(DATABASE), embedded };
}

/** Only the operator can fix a database that cannot be reached, so the error names the variable. */
async function reach(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // the statement under way fails, which says enough
  try {
    await client.connect();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException; // of several addresses that fail, only the code tells
    throw new ConfigError([`The database of DATABASE_URL cannot be reached: ${message || code}.`]);
  }
  await client.end();
}

async function start(config: Config): Promise<void> {
  const storage = await openStorage(config);
  let database: Database | undefined;
  let services: Services | undefined;
  let log: FastifyBaseLogger | undefined;
  const closeDatabase = async () => {
    await database?.close();
    await storage.embedded?.stop();
  };
  try {
    await migrate(storage.url);
    await migrateQueue(storage.url);
    database = openDatabase({
      url: storage.url,
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
