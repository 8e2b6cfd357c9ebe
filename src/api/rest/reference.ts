import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { scopeWords } from '../../players/apps/token-endpoint.ts';
import { SCOPES } from '../../players/player.ts';
import { ALLOWS } from '../oauth/words.ts';
import { asyncApi } from './asyncapi.ts';
import { APP, completed, type Document, TAGS, TOKEN } from './openapi.ts';

const { version, description } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as {
  version: string;
  description: string;
};

const CONTRACT = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

const ABOUT = `${description} Everything here can also be done by GraphQL at \`/graphql\`.

Register (\`POST /v1/players\`), send the token as \`Authorization: Bearer <token>\`, open or join a match, and take one
of its legal actions when it is your turn. What is refused is said by a problem (RFC 9457) whose \`code\` tells why.
Streams, caching and limits: \`docs/clients.md\`. What is sent without being asked for is described in
\`/asyncapi.json\`.`;

/** This file lies three folders below the root, both in src/ and in dist/. */
const asset = (name: string) => readFileSync(new URL(`../../../assets/reference/${name}`, import.meta.url), 'utf8');

/**
 * OpenAPI at /openapi.json, made from the schemas of all routes that are registered after this, and a page to read it.
 */
export const reference = fp(async (app: FastifyInstance, { publicUrl }: { publicUrl?: string | undefined }) => {
  const server = publicUrl?.replace(/\/+$/, '') ?? '';
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Atoll',
        version,
        description: ABOUT,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The operator of this server', ...(server && { url: `${server}/developers` }) },
      },
      servers: [{ url: server || '/', description: 'This server' }],
      tags: [...TAGS],
      components: {
        securitySchemes: {
          [TOKEN]: { type: 'http', scheme: 'bearer', description: 'The token that registration returns, shown once.' },
          [APP]: {
            type: 'oauth2',
            description:
              'For apps of other people, which need no registration: any `client_id`, and PKCE with S256. Devices ' +
              'without a browser begin with `POST /oauth/device`. More is at `/.well-known/oauth-authorization-server`.',
            flows: {
              authorizationCode: {
                authorizationUrl: `${server}/oauth/authorize`,
                tokenUrl: `${server}/oauth/token`,
                refreshUrl: `${server}/oauth/token`,
                scopes: Object.fromEntries(
                  SCOPES.flatMap((scope) => scopeWords([scope]).map((word) => [word, ALLOWS[scope]])),
                ),
              },
            },
          },
        },
      },
    },
    transformObject: (given) => completed((given as { openapiObject: unknown }).openapiObject as Document) as never,
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: {
      title: 'Atoll: REST reference',
      css: [{ filename: 'reference.css', content: asset('reference.css') }],
      js: [{ filename: 'reference.js', content: asset('reference.js') }],
    },
    uiConfig: { layout: 'BaseLayout', deepLinking: true, tryItOutEnabled: true },
    // The page is an app like any other: a player who is signed in can allow it to act.
    initOAuth: {
      clientId: 'REST reference',
      usePkceWithAuthorizationCodeGrant: true,
      scopes: scopeWords(['READ', 'PLAY', 'CREATE']), // ticked at first; without any scope the request is not valid
    },
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'",
  });
  let text: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, (_, reply) => {
    text ??= JSON.stringify(app.swagger());
    return reply.headers(CONTRACT).send(text);
  });
  const events = JSON.stringify(asyncApi({ version, description }, publicUrl));
  app.get('/asyncapi.json', { schema: { hide: true } }, (_, reply) => reply.headers(CONTRACT).send(events));
});
