import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { MercuriusLoaders } from 'mercurius';
import type { Config } from '../config.ts';
import type { Database } from '../database/pool.ts';
import { AtollError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Cap } from './admission.ts';
import type { Context, Viewer } from './context.ts';
import type { RateLimits } from './identity.ts';
import type { Authenticate, Live } from './live.ts';

/** For routes that answer with event streams. */
export interface RestOptions {
  live: Live;
  subscriptions: Cap;
}

/** What the server shows to callers. */
export interface Face {
  /** The SDL. */
  schema: string;
  resolvers: object;
  loaders?: MercuriusLoaders;
  rest: FastifyPluginAsync<RestOptions>;
  authenticate: Authenticate;
  /** Made anew for each GraphQL operation. */
  context(viewer: Viewer | undefined, request: FastifyRequest): Context;
}

export interface FaceParts {
  config: Config;
  database: Database;
  metrics: Metrics;
  limits: RateLimits;
}

export function createFace(_parts: FaceParts): Face {
  return {
    schema: 'type Query { hello: String! }',
    resolvers: { Query: { hello: () => 'Hello.' } },
    rest: async () => {},
    async authenticate({ authorization }) {
      if (authorization === undefined) return undefined;
      throw new AtollError('UNAUTHENTICATED', 'This token is not valid.');
    },
    context: (viewer, request) => ({ viewer, request }),
  };
}
