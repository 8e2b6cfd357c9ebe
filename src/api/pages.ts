import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** In src/ and in dist/ alike this file lies two folders below the root. */
const ASSETS = new URL('../../assets/', import.meta.url);

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.graphql': 'text/plain; charset=utf-8',
};

/** Everything from here and nothing from elsewhere; the editor sets styles from its script and embeds its fonts. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src data:; frame-ancestors 'none'";

interface Page {
  type: string;
  etag: string;
  plain: Buffer;
  gzipped: Buffer;
}

function page(name: string, content: string | Buffer): Page {
  const plain = Buffer.from(content);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 20)}"`;
  return { type: TYPES[extname(name)] ?? 'text/plain; charset=utf-8', etag, plain, gzipped: gzipSync(plain) };
}

function send(request: FastifyRequest, reply: FastifyReply, { type, etag, plain, gzipped }: Page): FastifyReply {
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding', 'content-security-policy': PAGE_POLICY });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const zipped = request.headers['accept-encoding']?.includes('gzip') ?? false;
  if (zipped) reply.header('content-encoding', 'gzip');
  return reply.header('content-type', type).send(zipped ? gzipped : plain);
}

const LINKS = {
  graphql: '/graphql',
  graphiql: '/graphiql',
  schema: '/schema.graphql',
  rest: '/v1/games',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/health/ready',
};

/** The way in, GraphiQL and the GraphQL contract as a file. */
export async function pages(app: FastifyInstance, { schema }: { schema: string }): Promise<void> {
  const read = (path: string) => page(path, readFileSync(new URL(path, ASSETS)));
  const serve = (url: string, content: Page) =>
    app.get(url, { schema: { hide: true } }, (request, reply) => send(request, reply, content));

  const landing = read('landing/index.html');
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    if (request.headers.accept?.includes('text/html')) return send(request, reply.header('vary', 'accept'), landing);
    return reply.send({ name: 'Atoll', about: 'Board games by web, one decision at a time.', links: LINKS });
  });
  serve('/landing.css', read('landing/landing.css'));
  serve('/favicon.svg', read('landing/favicon.svg'));
  serve('/schema.graphql', page('schema.graphql', schema));
  serve('/graphiql', read('graphiql/index.html'));
  for (const file of readdirSync(new URL('graphiql/', ASSETS))) {
    if (!/\.(html|md)$/.test(file)) serve(`/graphiql/${file}`, read(`graphiql/${file}`));
  }
}
