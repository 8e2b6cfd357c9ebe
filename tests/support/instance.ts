import { pathToFileURL } from 'node:url';
import { apiOf } from '../../src/api/api.ts';
import { rateLimits } from '../../src/api/http/callers/identity.ts';
import type { Parts } from '../../src/app.ts';
import { busOf } from '../../src/bus/configured.ts';
import type { SharedOptions } from '../../src/bus/shared.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { registry as allGames, type Registry, registryOf } from '../../src/games/registry.ts';
import { createMetrics } from '../../src/metrics.ts';
import { openServices, type ServiceParts } from '../../src/services.ts';
import { tinyGames } from '../games/tiny/index.ts';
import { compiled } from './compiled.ts';
import { startServer, type TestServer } from './server.ts';

/** Every game of the server and the tiny ones, which use every part of the contract of a game. */
export const withSample: Registry = registryOf([...allGames.versions, ...tinyGames]);

export interface Instance extends TestServer {
  /** The value of a gauge or a counter. */
  metric(name: string): Promise<number>;
  /** Log messages about the message bus. */
  busLog: string[];
}

export interface InstanceOptions {
  env?: Record<string, string>;
  parts?: Partial<Parts>;
  registry?: Registry;
  /** Shorter delays, for tests that would wait too long otherwise. */
  services?: Partial<ServiceParts>;
  shared?: SharedOptions;
}

/** How well bots play is looked at elsewhere; here they only have to move. */
const budgets = {
  EASY: { iterations: 6, ms: 10 },
  MEDIUM: { iterations: 8, ms: 15 },
  HARD: { iterations: 10, ms: 20 },
};

const thinking = { budgets, module: pathToFileURL(compiled('bots/worker')) };

/** The whole server on a free port. Several of them on one database are like a real deployment. */
export async function startInstance(
  databaseUrl: string,
  { env = {}, parts: served, registry = withSample, services: more = {}, shared }: InstanceOptions = {},
): Promise<Instance> {
  // One thread of bots, because each takes a second to load its code.
  const variables = { MAX_EVENT_LOOP_DELAY_MS: '0', BOT_THREADS: '1', ...env };
  const config = readConfig(variables);
  const database = openDatabase({
    url: databaseUrl,
    poolSize: 6,
    replicaUrl: config.DATABASE_REPLICA_URL,
    coldUrl: config.COLD_STORAGE,
  });
  const metrics = createMetrics();
  const busLog: string[] = [];
  const log = (message: string) => void busLog.push(message);
  const bus = busOf(config, { warn: log, inform: log }, shared);
  const limits = rateLimits(config, bus?.shared);
  const parts = { config, database, metrics, limits, bus: bus?.bus, registry, thinking };
  const services = await openServices({ ...parts, ...more });
  const server = await startServer(apiOf(services), variables, { database, metrics, limits, ...served });
  return {
    ...server,
    busLog,
    async metric(name) {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.*)$`, 'm').exec(text)?.[1]);
    },
    async stop() {
      await server.stop();
      await services.close();
      await bus?.close();
      await database.close();
    },
  };
}
