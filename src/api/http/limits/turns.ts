/**
 * Hundreds of connections can send thousands of requests at once, all of which are read in one turn of the event loop.
 * Whatever else is under way would have to wait for all of them. Therefore addresses take turns (see src/turns.ts).
 */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../config.ts';
import { refusals } from '../../../errors.ts';
import { pause } from '../../../turns.ts';
import { addressKey } from './admission.ts';

export function takeTurns(
  app: FastifyInstance,
  { MAX_EVENT_LOOP_DELAY_MS: most }: Pick<Config, 'MAX_EVENT_LOOP_DELAY_MS'>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const turn = pause(addressKey(request.ip));
    if (!turn) return done();
    const since = performance.now();
    void turn.then(() => {
      if (request.raw.socket.destroyed) return void reply.hijack(); // nobody is there to answer
      if (most > 0 && performance.now() - since > most) return done(refusals.busy({ retryAfter: 2 }));
      done();
    });
  });
}
