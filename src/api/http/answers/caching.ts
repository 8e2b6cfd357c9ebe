/**
 * What answers say to caches. Almost everything depends on who asks, so nothing may be kept unless its route says
 * otherwise, and then by whoever asked, alone. What may be kept gets a validator (see delivery.ts).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const PRIVATE = 'private, no-store';
/** By whom it was asked for, and in which form. */
const DEPENDS_ON = 'authorization, cookie, accept, accept-encoding';

/** For every route that knows its caller: before anything can be answered, so that refusals are covered, too. */
export function keepPrivate(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const before = reply.getHeader('vary'); // what CORS said
  reply.header('cache-control', PRIVATE);
  reply.header('vary', before === undefined ? DEPENDS_ON : `${String(before)}, ${DEPENDS_ON}`);
  done();
}

const YEAR = 31_536_000;
const DAY = 86_400;

/** How long an answer may be used again. To be said once nothing can be refused any more. */
export const keep = {
  /** May change at any time: asked for again every time, and answered with 304 if it has not. */
  whileUnchanged: 'private, no-cache',
  /** The same for everybody, and changed by a new version of the server at most. */
  shortly: 'public, max-age=300',
  /** Can never change. `shared`: the same for everybody without a token. */
  forEver: (shared: boolean) => `${shared ? 'public' : 'private'}, max-age=${YEAR}, immutable`,
  /** Changes only if one of the players named in it deletes its account, and then must be forgotten. */
  aDay: (shared: boolean) => `${shared ? 'public' : 'private'}, max-age=${DAY}, immutable`,
};
