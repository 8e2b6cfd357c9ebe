import type { FastifyRequest } from 'fastify';
import type { Viewer } from '../../../players/player.ts';
import type { Work } from '../../http/limits/work.ts';

/** What every resolver is given. */
export interface Context {
  /** The player to whom the token belongs; undefined for a caller without a token. */
  readonly viewer: Viewer | undefined;
  readonly request: FastifyRequest;
  /** The work that is done for the operation. */
  readonly work: Work;
  /** The match of which the operation follows the events, if the caller plays it. */
  playedMatch?: string;
}
