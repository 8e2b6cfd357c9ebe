import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

const { version, description } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as {
  version: string;
  description: string;
};

/** OpenAPI at /openapi.json, made from the schemas of the routes that are registered after this, and a page to read it. */
export const reference = fp(async (app: FastifyInstance) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Atoll', version, description },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'The token that registration returns, shown once.' },
        },
      },
      security: [{ token: [] }, {}],
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Atoll: REST reference' },
    uiConfig: { layout: 'BaseLayout', deepLinking: true, tryItOutEnabled: true },
    staticCSP: "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  });
  let text: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, (_, reply) => {
    text ??= JSON.stringify(app.swagger());
    return reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }).send(text);
  });
});
