import type { FastifyRequest } from 'fastify';

/** Who asks: the player that a token stands for. */
export interface Viewer {
  readonly id: string;
}

/** What every resolver is given. */
export interface Context {
  readonly viewer: Viewer | undefined;
  readonly request: FastifyRequest;
}
