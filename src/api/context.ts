import type { FastifyRequest } from 'fastify';
import type { Viewer } from '../players/service.ts';

/** What every resolver is given. */
export interface Context {
  readonly viewer: Viewer | undefined;
  readonly request: FastifyRequest;
}
