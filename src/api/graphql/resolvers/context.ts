import type { FastifyRequest } from 'fastify';
import type { Viewer } from '../../../players/player.ts';
import type { Work } from '../../http/limits/work.ts';

/** What every resolver is given. */
export interface Context {
  /** Who asks: the player that a token stands for; undefined: anybody. */
  readonly viewer: Viewer | undefined;
  readonly request: FastifyRequest;
  /** What the operation may have done for it. */
  readonly work: Work;
}
