/**
 * The OpenAPI document and the page to read it. The libraries that make them are large, so this file is loaded when
 * somebody first asks for either.
 */
import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { scopeWords } from '../../../players/apps/words.ts';
import { SCOPES } from '../../../players/player.ts';
import { ROOT } from '../../../root.ts';
import { ALLOWS } from '../../oauth/words.ts';
import { APP, completed, type Document, TAGS, TOKEN } from './openapi.ts';

const about = (description: string) => `${description} Everything here can also be done by GraphQL at \`/graphql\`.

Register (\`POST /v1/players\`), send the token as \`Authorization: Bearer <token>\`, open or join a match, and take one
of its legal actions when it is your turn. A refusal is a problem document (RFC 9457), and its \`code\` says why.
Streams, caching and limits: \`docs/clients.md\`. Sockets, event streams and webhooks are described in
\`/asyncapi.json\`.`;

const asset = (name: string) => readFileSync(new URL(`assets/reference/${name}`, ROOT), 'utf8');

export interface Described {
  version: string;
  description: string;
  publicUrl: string | undefined;
  /** Every route of the server. */
  routes: readonly RouteOptions[];
  /** The schemas to which those of the routes refer. */
  shapes: readonly unknown[];
}

/** An app that is never listened to. Its routes are those of the server, without what they do. */
export async function describe({
  version,
  description,
  publicUrl,
  routes,
  shapes,
}: Described): Promise<FastifyInstance> {
  const server = publicUrl?.replace(/\/+$/, '') ?? '';
  const app = Fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => String);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Atoll',
        version,
        description: about(description),
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
  for (const shape of shapes) app.addSchema(shape);
  for (const { method, url, schema } of routes) app.route({ method, url, schema, handler: () => undefined });
  await app.ready();
  return app;
}
