/**
 * What answers say to caches. Almost everything depends on the caller, so nothing may be stored unless its route says
 * otherwise, and then only by the caller. Answers that may be stored get a validator (see delivery.ts).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const PRIVATE = 'private, no-store';
/** Answers differ by caller and by format. */
const DEPENDS_ON = 'authorization, cookie, accept, accept-encoding';

/** For every route that knows its caller. It runs before anything can be answered, so that refusals are covered too. */
export function keepPrivate(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const before = reply.getHeader('vary'); // what CORS has set
  reply.header('cache-control', PRIVATE);
  reply.header('vary', before === undefined ? DEPENDS_ON : `${String(before)}, ${DEPENDS_ON}`);
  done();
}

const YEAR = 31_536_000;
const DAY = 86_400;

/** How long an answer may be reused. To be set only when the request can no longer be refused. */
export const keep = {
  /** May change at any time: the caller must ask again every time, and gets 304 if nothing has changed. */
  whileUnchanged: 'private, no-cache',
  /** The same for everyone, and changed only by a new version of the server. */
  shortly: 'public, max-age=300',
  /** Can never change. `shared` means that it is the same for every caller without a token. */
  forEver: (shared: boolean) => `${shared ? 'public' : 'private'}, max-age=${YEAR}, immutable`,
  /** Changes only if a player who is named in it deletes their account; it must then be forgotten. */
  aDay: (shared: boolean) => `${shared ? 'public' : 'private'}, max-age=${DAY}, immutable`,
};
