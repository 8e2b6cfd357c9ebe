import { createFace } from '../../src/api/face.ts';
import { rateLimits } from '../../src/api/identity.ts';
import type { Parts } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/pool.ts';
import type { Registry } from '../../src/games/registry.ts';
import { registry as allGames, registryOf } from '../../src/games/registry.ts';
import { createMetrics } from '../../src/metrics.ts';
import { highest } from '../games/sample.ts';
import { startServer, type TestServer } from './server.ts';

/** Every game of the server, and the sample with its hidden hands and secret actions. */
export const withSample: Registry = registryOf([...allGames.games, highest as never]);

export interface Instance extends TestServer {
  /** The value of a gauge or a counter. */
  metric(name: string): Promise<number>;
}

export interface InstanceOptions {
  env?: Record<string, string>;
  parts?: Partial<Parts>;
  registry?: Registry;
}

/** The whole server on a free port: several of them on one database are what a deployment is. */
export async function startInstance(
  databaseUrl: string,
  { env = {}, parts, registry = withSample }: InstanceOptions = {},
): Promise<Instance> {
  const variables = { MAX_EVENT_LOOP_DELAY_MS: '0', ...env };
  const config = readConfig(variables);
  const database = openDatabase({ url: databaseUrl, poolSize: 6 });
  const metrics = createMetrics();
  const limits = rateLimits(config);
  const face = await createFace({ config, database, metrics, limits, registry });
  const server = await startServer(face, variables, { database, metrics, limits, ...parts });
  return {
    ...server,
    async metric(name) {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    },
    async stop() {
      await server.stop();
      await face.close?.();
      await database.close();
    },
  };
}
