import { randomBytes } from 'node:crypto';
import AjvCompiler from '@fastify/ajv-compiler';
import cors from '@fastify/cors';
import underPressure from '@fastify/under-pressure';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { cap } from './api/admission.ts';
import { type Connections, openConnections } from './api/connections.ts';
import type { Face } from './api/face.ts';
import { health } from './api/health.ts';
import { identify, type RateLimits } from './api/identity.ts';
import { parseJson } from './api/json.ts';
import { pages } from './api/pages.ts';
import { problem, problems, unreadable } from './api/problem.ts';
import { reference } from './api/reference.ts';
import { securityHeaders } from './api/security.ts';
import { RECHECK_MS, transport } from './api/transport.ts';
import { type Config, trustProxy } from './config.ts';
import type { Database } from './database/pool.ts';
import { gauge, type Metrics, serveMetrics } from './metrics.ts';

export interface Parts {
  database: Database;
  metrics: Metrics;
  limits: RateLimits;
  /** Schema, resolvers, REST routes and who is who: what the server is for. */
  face: Face;
  /** For tests that cannot wait. */
  recheckMs?: number;
  keepAliveMs?: number;
  logStream?: NodeJS.WritableStream;
}

/** Everything the server consists of, in the order in which a request meets it. */
export async function buildApp(config: Config, parts: Parts): Promise<FastifyInstance> {
  const { database, metrics, limits, face } = parts;
  const app = Fastify(options(config, parts));
  const connections = openConnections(face.authenticate, parts.recheckMs ?? RECHECK_MS);
  const subscriptions = cap(config.MAX_SUBSCRIPTIONS_PER_PLAYER);

  problems(app);
  app.removeContentTypeParser('text/plain'); // a page of any origin could post that without asking first
  parseJson(app);
  app.decorateRequest('viewer', undefined);
  if (config.METRICS) serveMetrics(app, metrics);
  gauge(metrics, 'atoll_live_connections', 'Open sockets and event streams', () => connections.size);
  gauge(metrics, 'atoll_subscriptions', 'Open subscriptions', () => subscriptions.size);
  securityHeaders(app);
  if (config.CORS_ORIGINS.length > 0) await app.register(cors, crossOrigin(config));
  await app.register(websocket, sockets(config, connections));
  await app.register(reference);
  await app.register(health, { database });
  await app.register(pages, { schema: face.schema });
  await app.register(async (api) => {
    const maxEventLoopDelay = config.MAX_EVENT_LOOP_DELAY_MS;
    if (maxEventLoopDelay > 0) await api.register(underPressure, { maxEventLoopDelay, retryAfter: 2 });
    api.addHook('onRequest', identify(face.authenticate, limits));
    await api.register(transport, {
      config,
      connections,
      subscriptions,
      limit: limits.request,
      ...face,
      ...(parts.keepAliveMs && { keepAliveMs: parts.keepAliveMs }),
    });
    await api.register(face.rest, { connections, subscriptions });
  });
  return app;
}

function options(config: Config, { logStream }: Parts): FastifyServerOptions {
  const boot = randomBytes(4).toString('hex');
  let requests = 0;
  return {
    logger: {
      level: config.LOG_LEVEL,
      // Neither headers nor query strings are logged: both may hold secrets.
      serializers: { req: ({ method, url, ip }) => ({ method, url: url.split('?', 1)[0], ip }) },
      ...(logStream && { stream: logStream }),
      redact: ['*.authorization', '*.token', 'headers.authorization', 'req.headers.authorization'],
    },
    genReqId: () => `${boot}-${(++requests).toString(36)}`,
    logController: new LogController({ disableRequestLogging: !['debug', 'trace'].includes(config.LOG_LEVEL) }),
    trustProxy: trustProxy(config),
    bodyLimit: config.BODY_LIMIT_BYTES,
    requestTimeout: 30_000, // for a request to arrive in full
    forceCloseConnections: 'idle',
    frameworkErrors: problem,
    clientErrorHandler: unreadable,
    schemaController: { compilersFactory: { buildValidator } },
  };
}

const compilers = AjvCompiler();

/** Texts become numbers where a URL or a header can carry nothing but text; a body says what it means. */
const buildValidator = ((schemas: Parameters<typeof compilers>[0]) => {
  const common = { removeAdditional: false, useDefaults: true, allErrors: false } as const;
  const body = compilers(schemas, { customOptions: { ...common, coerceTypes: false } });
  const rest = compilers(schemas, { customOptions: { ...common, coerceTypes: 'array' } });
  return (route: AjvCompiler.RouteDefinition) => (route.httpPart === 'body' ? body : rest)(route);
}) as typeof compilers;

const crossOrigin = ({ CORS_ORIGINS }: Config) => ({
  origin: CORS_ORIGINS.includes('*') ? '*' : CORS_ORIGINS,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: ['retry-after'],
  maxAge: 600,
});

function sockets(
  { BODY_LIMIT_BYTES, SHUTDOWN_SECONDS }: Config,
  connections: Connections,
): websocket.WebsocketPluginOptions {
  return {
    options: { maxPayload: BODY_LIMIT_BYTES, handleProtocols },
    errorHandler: (error, socket, request) => {
      request.log.debug(error); // broken frames and lost peers: theirs, not ours
      socket.terminate();
    },
    // The endless answers end first, so that the finite ones can be waited for.
    preClose(this: FastifyInstance, done) {
      connections.close();
      for (const socket of this.websocketServer.clients) socket.close(1001, 'Going away');
      // A keep-alive connection that falls idle from now on would hold the server for a minute, a request that
      // never arrives in full for longer still.
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
