/** What answers say to caches. Almost everything depends on who asks, so nothing of the API may be kept for another. */
import type { FastifyReply, FastifyRequest } from 'fastify';

const PRIVATE = 'private, no-store';
/** By whom it was asked for, and in which form. */
const DEPENDS_ON = 'authorization, accept';

/** For every route that knows its caller: before anything can be answered, so that refusals are covered, too. */
export function keepPrivate(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const before = reply.getHeader('vary'); // what CORS said
  reply.header('cache-control', PRIVATE);
  reply.header('vary', before === undefined ? DEPENDS_ON : `${String(before)}, ${DEPENDS_ON}`);
  done();
}
