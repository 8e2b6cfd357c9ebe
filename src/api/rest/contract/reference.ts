import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { onFirstUse } from '../../../first-use.ts';
import { ROOT } from '../../../root.ts';
import { asyncApi } from './asyncapi.ts';

const { version, description } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  version: string;
  description: string;
};

const CONTRACT = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

/** The page, whose parts another app answers. */
const PAGE = '/docs';

/**
 * OpenAPI at /openapi.json, made from the schemas of all routes that are registered after this, and a page to read it.
 */
export const reference = fp(async (app: FastifyInstance, { publicUrl }: { publicUrl?: string | undefined }) => {
  const routes: RouteOptions[] = [];
  const scopes = new Set([app]);
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && !isPage(route.url)) routes.push(route);
  });
  app.addHook('onRegister', (scope) => void scopes.add(scope));
  const described = onFirstUse(async () => {
    const shapes = Object.assign({}, ...[...scopes].map((scope) => scope.getSchemas()));
    const { describe } = await import('./reference-app.ts');
    return describe({ version, description, publicUrl, routes, shapes: Object.values(shapes) });
  });
  const openapi = onFirstUse(async () => JSON.stringify((await described()).swagger()));
  const events = onFirstUse(() => JSON.stringify(asyncApi({ version, description }, publicUrl)));
  const hidden = { schema: { hide: true } };

  app.get('/openapi.json', hidden, async (_, reply) => reply.headers(CONTRACT).send(await openapi()));
  app.get('/asyncapi.json', hidden, (_, reply) => reply.headers(CONTRACT).send(events()));
  for (const url of [PAGE, `${PAGE}/*`]) {
    app.get(url, hidden, async (request, reply) => pass(await described(), request, reply));
  }
});

const isPage = (url: string): boolean => url === PAGE || url.startsWith(`${PAGE}/`);

/** Answers as the other app does. How the answer is sent is decided here. */
async function pass(other: FastifyInstance, { url, headers }: FastifyRequest, reply: FastifyReply) {
  const answer = await other.inject({ method: 'GET', url, headers: { ...headers, 'accept-encoding': 'identity' } });
  if (answer.statusCode === 404) return reply.callNotFound();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) reply.header(name, value);
  }
  return reply.code(answer.statusCode).send(answer.rawPayload.length > 0 ? answer.rawPayload : undefined);
}

const HOP_BY_HOP = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);
