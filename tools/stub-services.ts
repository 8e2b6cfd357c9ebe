/** The whole app without anything behind it, which is enough to read its contracts. */
import type { FastifyInstance } from 'fastify';
import { apiOf } from '../src/api/api.ts';
import { rateLimits } from '../src/api/http/callers/identity.ts';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/database/pool.ts';
import { registry } from '../src/games/registry.ts';
import { createMetrics } from '../src/metrics.ts';
import type { Services } from '../src/services.ts';

/** Has every property, can be called, and does nothing. */
const nothing: object = new Proxy(() => {}, {
  get: (_, key) => (key === 'then' || typeof key === 'symbol' ? undefined : nothing),
  apply: () => nothing,
});

export async function appWithoutServices(): Promise<FastifyInstance> {
  const config = readConfig({ LOG_LEVEL: 'silent' });
  const limits = rateLimits(config);
  const services = new Proxy({ registry, limits } as object as Services, {
    get: (known, key) => (key in known ? known[key as keyof Services] : nothing) as never,
  });
  const app = await buildApp(config, {
    database: openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', poolSize: 2 }), // connects only when asked
    metrics: createMetrics(),
    limits,
    api: apiOf(services),
  });
  await app.ready();
  return app;
}
