import '@fastify/websocket';
import type {} from '@fastify/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import mercurius, { type MercuriusLoaders } from 'mercurius';
import type { Config } from '../../config.ts';
import type { Viewer } from '../../players/player.ts';
import type { Tracing } from '../../tracing.ts';
import type { NoteUse, RateLimits } from '../http/callers/identity.ts';
import type { HandOver } from '../http/hand-over.ts';
import type { Cap } from '../http/limits/admission.ts';
import type { Authenticate, Connections } from '../http/limits/connections.ts';
import { httpHandler } from './http.ts';
import { type Operations, openOperations, type Ready } from './operations.ts';
import { graphqlProblem } from './problem.ts';
import type { Context } from './resolvers/context.ts';
import { socketHandler } from './sockets.ts';

export interface TransportOptions {
  config: Config;
  /** The schema in SDL. */
  schema: string;
  /** Resolvers by type and field, in the form that mercurius takes; a subscription is `{ subscribe }`. */
  resolvers: object;
  loaders?: MercuriusLoaders | undefined;
  authenticate: Authenticate;
  /** Makes the context of one operation. */
  context: (viewer: Viewer | undefined, request: FastifyRequest) => Context;
  /** Throws if the caller has asked too often. HTTP requests have been counted before they get here. */
  limit: (viewer: Viewer | undefined, request: FastifyRequest, times?: number) => void;
  cap: RateLimits['cap'];
  connections: Connections;
  subscriptions: Cap;
  keepAliveMs?: number;
  /** Unset: no traces are wanted. */
  tracing?: Tracing | undefined;
  noteUse?: NoteUse;
  /** Set if there are other workers. */
  handOver?: HandOver | undefined;
}

export const PATH = '/graphql';

/** How often the tokens of open connections are checked again. */
export const RECHECK_MS = 10_000;

/** GraphQL over HTTP, event streams and WebSockets, all on one path. */
export const transport = fp<TransportOptions>(async (app: FastifyInstance, options) => {
  const { config, schema, resolvers, loaders, connections } = options;
  // Mercurius binds resolvers and loaders to the schema. Its routes are not used, because they fail a fifth of the
  // protocol's audits and its sockets validate nothing. Its compiler stays off, because it refuses input fields that
  // were left to their default.
  await app.register(mercurius, {
    schema,
    resolvers: resolvers as never,
    ...(loaders && { loaders }),
    routes: false,
    subscription: true,
    jit: 0,
  });
  const made = openOperations(app, {
    limits: {
      depth: config.GRAPHQL_MAX_DEPTH,
      aliases: config.GRAPHQL_MAX_ALIASES,
      cost: config.GRAPHQL_MAX_COST,
      tokens: config.GRAPHQL_MAX_TOKENS,
    },
    subscriptions: options.subscriptions,
    context: options.context,
    limit: options.limit,
  });
  const operations = options.tracing ? traced(made, options.tracing) : made;
  const handler = httpHandler(operations, connections);
  const route = { url: PATH, schema: { hide: true }, handler, errorHandler: graphqlProblem };
  app.route({ ...route, method: 'POST' });
  app.route({
    ...route,
    method: 'GET',
    wsHandler: socketHandler({
      operations,
      connections,
      authenticate: options.authenticate,
      publicUrl: config.PUBLIC_URL,
      players: options.cap('socket of player', config.MAX_SOCKETS_PER_PLAYER),
      addresses: options.cap('socket of address', config.MAX_SOCKETS_PER_ADDRESS),
      maxOperations: config.MAX_SUBSCRIPTIONS_PER_PLAYER,
      limit: options.limit,
      noteUse: options.noteUse,
      handOver: options.handOver,
      ...(options.keepAliveMs && { keepAliveMs: options.keepAliveMs }),
    }),
  });
});

const LONGEST_NAME = 64;

/** A span for every operation, also for each of those that come on one socket. */
function traced(operations: Operations, { span }: Tracing): Operations {
  const spanOf = <T>({ operation, args }: Ready, work: () => T): T =>
    span(
      `graphql ${operation}`,
      {
        'graphql.operation.type': operation,
        ...(args.operationName && { 'graphql.operation.name': args.operationName.slice(0, LONGEST_NAME) }),
      },
      work,
    );
  return {
    ...operations,
    answer: (ready, report) => spanOf(ready, () => operations.answer(ready, report)),
    subscribe: (ready, report) => spanOf(ready, () => operations.subscribe(ready, report)),
  };
}
