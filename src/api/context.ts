import type { FastifyRequest } from 'fastify';
import type { Viewer } from '../players/service.ts';

export type { Viewer };

/** What every resolver is given. */
export interface Context {
  /** Who asks: the player that a token stands for; undefined: anybody. */
  readonly viewer: Viewer | undefined;
  readonly request: FastifyRequest;
}
