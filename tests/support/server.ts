import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Api } from '../../src/api/api.ts';
import { rateLimits } from '../../src/api/http/callers/identity.ts';
import { buildApp, type Parts } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createMetrics } from '../../src/metrics.ts';

export interface TestServer {
  app: FastifyInstance;
  config: Config;
  url: string;
  /** What was logged, one JSON text a line. */
  log: string[];
  stop(): Promise<void>;
}

/** A real server on a free port, with this API and these variables. */
export async function startServer(
  api: Api,
  env: Record<string, string> = {},
  parts: Partial<Parts> & { databaseUrl?: string } = {},
): Promise<TestServer> {
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', ...env });
  const log: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      log.push(String(chunk));
      done();
    },
  });
  // Nothing connects until it is asked to: most of these tests need no database.
  const database = openDatabase({ url: parts.databaseUrl ?? 'postgresql://nobody@127.0.0.1:1/none', poolSize: 4 });
  const app = await buildApp(config, {
    database,
    metrics: createMetrics(),
    limits: rateLimits(config),
    api,
    logStream: stream,
    ...parts,
  });
  let stopped: Promise<void> | undefined;
  await app.listen({ host: config.HOST, port: config.PORT });
  return {
    app,
    config,
    log,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    stop: () => {
      stopped ??= app.close().then(() => database.close());
      return stopped;
    },
  };
}
