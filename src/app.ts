import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type AjvCompiler from '@fastify/ajv-compiler';
import underPressure from '@fastify/under-pressure';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import type { Api } from './api/api.ts';
import { RECHECK_MS, transport } from './api/graphql/transport.ts';
import { keepPrivate } from './api/http/answers/caching.ts';
import { allowOrigins, readableByAll } from './api/http/answers/cross-origin.ts';
import { deliver } from './api/http/answers/delivery.ts';
import { OneWriteResponse } from './api/http/answers/one-write.ts';
import { problem, problems, unreadable } from './api/http/answers/problems.ts';
import { identify, type RateLimits } from './api/http/callers/identity.ts';
import { knowPublicUrl } from './api/http/callers/public-address.ts';
import { enforceScopes, knowScopes } from './api/http/callers/route-scopes.ts';
import { type Homes, openHandOver } from './api/http/hand-over.ts';
import { health } from './api/http/health.ts';
import { parseJson } from './api/http/json.ts';
import { LazyLogger } from './api/http/lazy-logger.ts';
import { type Connections, openConnections } from './api/http/limits/connections.ts';
import { takeTurns } from './api/http/limits/turns.ts';
import { boundUnread } from './api/http/limits/unread.ts';
import { pages } from './api/http/pages.ts';
import { securityHeaders } from './api/http/security-headers.ts';
import { reference } from './api/rest/contract/reference.ts';
import { type Config, trustProxy } from './config.ts';
import type { Database } from './database/pool.ts';
import { onFirstUse } from './first-use.ts';
import { gauge, type Metrics, measure, serveMetrics } from './metrics.ts';
import { type Tracing, traceRequests } from './tracing.ts';

export interface Parts {
  database: Database;
  metrics: Metrics;
  limits: RateLimits;
  /** The schema, resolvers and REST routes, and how callers are recognised. */
  api: Api;
  /** How often tokens of open connections are checked; tests make it shorter. */
  recheckMs?: number;
  keepAliveMs?: number;
  /** Unset: no traces are wanted. */
  tracing?: Tracing | undefined;
  /** Set if this is one of several workers. */
  homes?: Homes | undefined;
  logStream?: NodeJS.WritableStream;
}

/** Everything the server consists of, in the order in which a request passes through it. */
export async function buildApp(config: Config, parts: Parts): Promise<FastifyInstance> {
  const { database, metrics, limits, api } = parts;
  const app = Fastify(options(config, parts));
  const connections = openConnections(api.authenticate, parts.recheckMs ?? RECHECK_MS);
  const subscriptions = limits.cap('subscription', config.MAX_SUBSCRIPTIONS_PER_PLAYER);

  problems(app);
  knowScopes(app);
  knowPublicUrl(app, config.PUBLIC_URL);
  app.removeContentTypeParser('text/plain'); // a page of any origin could post this type without a preflight
  parseJson(app);
  app.decorateRequest('viewer', undefined);
  app.decorateRequest('credentials');
  if (parts.tracing) traceRequests(app, parts.tracing);
  if (config.METRICS) measure(app, metrics);
  if (config.METRICS && !config.METRICS_PORT) serveMetrics(app, metrics, config.METRICS_TOKEN);
  gauge(metrics, 'atoll_live_connections', 'Open sockets and event streams', () => connections.size);
  gauge(metrics, 'atoll_subscriptions', 'Open subscriptions', () => subscriptions.size);
  securityHeaders(app, readableByAll(config));
  deliver(app);
  boundUnread(app, config);
  takeTurns(app, config);
  await allowOrigins(app, config);
  app.decorateRequest('movedOn', undefined);
  const handOver =
    parts.homes &&
    openHandOver(app, parts.homes, {
      onLeft: api.playedElsewhere ?? (() => {}),
      count: (direction) => metrics.handOvers.inc({ direction }),
    });
  await app.register(websocket, sockets(config, connections));
  await app.register(reference, { publicUrl: config.PUBLIC_URL });
  await app.register(health, { database });
  await app.register(pages, { schema: api.schema, preview: api.preview });
  await app.register(async (routes) => {
    const maxEventLoopDelay = config.MAX_EVENT_LOOP_DELAY_MS;
    if (maxEventLoopDelay > 0) await routes.register(underPressure, { maxEventLoopDelay, retryAfter: 2 });
    routes.addHook('onRequest', keepPrivate);
    routes.addHook('onRequest', identify(api, limits, config));
    enforceScopes(routes);
    await routes.register(transport, {
      config,
      connections,
      subscriptions,
      limit: limits.request,
      cap: limits.cap,
      ...api,
      ...(parts.keepAliveMs && { keepAliveMs: parts.keepAliveMs }),
      tracing: parts.tracing,
      handOver,
    });
    await routes.register(api.rest, { connections, subscriptions });
  });
  return app;
}

function options(config: Config, { logStream }: Parts): FastifyHttpOptions<Server> {
  const boot = randomBytes(4).toString('hex');
  let requests = 0;
  return {
    logger: {
      level: config.LOG_LEVEL,
      // Neither headers nor query strings are logged: both may hold secrets.
      serializers: { req: ({ method, url, ip }) => ({ method, url: url.split('?', 1)[0], ip }) },
      ...(logStream && { stream: logStream }),
      redact: ['*.authorization', '*.cookie', '*.token', 'headers.authorization', 'req.headers.authorization'],
    },
    genReqId: () => `${boot}-${(++requests).toString(36)}`,
    childLoggerFactory: (logger, bindings, options) => new LazyLogger(logger, bindings, options),
    logController: new LogController({ disableRequestLogging: !['debug', 'trace'].includes(config.LOG_LEVEL) }),
    trustProxy: trustProxy(config),
    bodyLimit: config.BODY_LIMIT_BYTES,
    requestTimeout: 30_000, // for a request to arrive completely
    connectionTimeout: config.ANSWER_TIMEOUT_SECONDS * 1000, // without a byte in either direction
    forceCloseConnections: 'idle',
    http: { ServerResponse: OneWriteResponse },
    frameworkErrors: problem,
    clientErrorHandler: unreadable,
    schemaController: { compilersFactory: { buildValidator, buildSerializer } },
  };
}

type BuildCompilers = AjvCompiler.BuildCompilerFromPool;
/** What Fastify needs of a compiled schema. */
type Validate = { (data: unknown): unknown; errors?: object[] | null | undefined };

/** Loading Ajv and compiling all schemas would be a fifth of the start, so each is compiled when it is first needed. */
const compilers = onFirstUse((): BuildCompilers => createRequire(import.meta.url)('@fastify/ajv-compiler')());

/** Texts are converted to numbers in URLs and headers, which can hold only text. A body must have the right types. */
const buildValidator = ((schemas: Parameters<BuildCompilers>[0]) => {
  const common = { removeAdditional: false, useDefaults: true, allErrors: false } as const;
  const body = onFirstUse(() => compilers()(schemas, { customOptions: { ...common, coerceTypes: false } }));
  const rest = onFirstUse(() => compilers()(schemas, { customOptions: { ...common, coerceTypes: 'array' } }));
  return (route: AjvCompiler.RouteDefinition) => {
    const compiled = onFirstUse(() => (route.httpPart === 'body' ? body : rest)()(route));
    const validate: Validate = (data) => {
      const isValid = compiled()(data);
      validate.errors = compiled().errors;
      return isValid;
    };
    return validate;
  };
}) as unknown as BuildCompilers;

/** Response schemas are only documentation: `present` makes the shapes, and JSON.stringify is the faster writer here. */
const buildSerializer = () => () => JSON.stringify;

function sockets(
  { BODY_LIMIT_BYTES, SHUTDOWN_SECONDS }: Config,
  connections: Connections,
): websocket.WebsocketPluginOptions {
  return {
    options: { maxPayload: BODY_LIMIT_BYTES, handleProtocols },
    errorHandler: (error, socket, request) => {
      request.log.debug(error); // broken frames and lost peers are not our errors
      socket.terminate();
    },
    // Endless answers are ended first, so that the server can wait for the finite ones.
    preClose(this: FastifyInstance, done) {
      connections.close();
      for (const socket of this.websocketServer.clients) socket.close(1001, 'Going away');
      // A keep-alive connection that becomes idle from now on would delay the stop for a minute, and a request that
      // never arrives completely for even longer.
      const idle = setInterval(() => this.server.closeIdleConnections(), 50);
      const all = setTimeout(() => this.server.closeAllConnections(), SHUTDOWN_SECONDS * 800);
      this.server.once('close', () => {
        clearInterval(idle);
        clearTimeout(all);
      });
      done();
    },
  };
}
