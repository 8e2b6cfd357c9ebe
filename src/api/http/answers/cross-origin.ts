/** Which pages of other origins may call the API, always with a token: cookies are never accepted from them. */
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../config.ts';

/** The headers that a page of another origin may read besides the answer itself. */
const EXPOSED = 'etag, location, retry-after, ratelimit, ratelimit-policy, content-disposition';

type Origins = Pick<Config, 'CORS_ORIGINS'>;

/** The same headers for every answer, if any page may read it. */
export const readableByAll = ({ CORS_ORIGINS }: Origins): Record<string, string> =>
  CORS_ORIGINS.includes('*') ? { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED } : {};

/**
 * The plugin answers preflights only. It works out all its options anew for each request, which takes longer than any
 * other hook.
 */
export async function allowOrigins(app: FastifyInstance, { CORS_ORIGINS: origins }: Origins): Promise<void> {
  if (origins.includes('none')) return;
  if (!origins.includes('*')) {
    app.addHook('onRequest', ({ headers: { origin } }, reply, done) => {
      reply.header('vary', 'Origin').header('access-control-expose-headers', EXPOSED);
      if (origin !== undefined && origins.includes(origin)) reply.header('access-control-allow-origin', origin);
      done();
    });
  }
  await app.register(async (preflights) => {
    await preflights.register(cors, {
      origin: origins.includes('*') ? '*' : origins,
      credentials: false, // whatever the origins
      strictPreflight: false, // OPTIONS without an origin is answered too, instead of being refused in another format
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED,
      maxAge: 7200,
    });
  });
}
