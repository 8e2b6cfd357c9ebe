import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { AtollError } from '../errors.ts';
import { addressKey, rateLimit } from './admission.ts';
import type { Authenticate } from './connections.ts';
import type { Viewer } from './context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The player whose token came with the request; undefined: none came. */
    viewer: Viewer | undefined;
  }
}

/** How often somebody may ask. Each throws RATE_LIMITED. */
export interface RateLimits {
  request(viewer: Viewer | undefined, request: FastifyRequest): void;
  /** To be called by whoever is about to register a player. */
  registration(request: FastifyRequest): void;
  /** Asked before a token that nobody knows yet is looked up: whoever was wrong too often is not worth a query. */
  guess(request: FastifyRequest): void;
  /** A token was wrong. Counts as a request of its address, too, so that tokens cannot be guessed at leisure. */
  failure(request: FastifyRequest): void;
}

export function rateLimits(config: Config): RateLimits {
  const players = rateLimit(config.RATE_LIMIT_PER_PLAYER);
  const addresses = rateLimit(config.RATE_LIMIT_PER_ADDRESS);
  // Apart from the requests without a token: those must not keep the players of the same address out.
  const failures = rateLimit(config.RATE_LIMIT_PER_ADDRESS);
  const registrations = rateLimit(config.RATE_LIMIT_REGISTRATIONS);
  return {
    request: (viewer, { ip }) => (viewer ? players(viewer.id) : addresses(addressKey(ip))),
    registration: ({ ip }) => registrations(addressKey(ip)),
    guess: ({ ip }) => failures.check(addressKey(ip)),
    failure({ ip }) {
      failures(addressKey(ip));
      addresses(addressKey(ip));
    },
  };
}

/** The hook that finds out who asks, once a request, and counts it. */
export function identify(authenticate: Authenticate, limits: RateLimits) {
  return async (request: FastifyRequest): Promise<void> => {
    // A socket may bring its token later, with its first message; a wrong one is then answered by a close code.
    if (request.headers.authorization !== undefined && !request.ws) {
      try {
        request.viewer = await authenticate(request.headers, () => limits.guess(request));
      } catch (error) {
        if (error instanceof AtollError && error.code === 'UNAUTHENTICATED') limits.failure(request);
        throw error;
      }
    }
    limits.request(request.viewer, request);
  };
}
