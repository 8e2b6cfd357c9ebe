import { parentPort } from 'node:worker_threads';
import type { Task } from '../../src/bots/thinker.ts';

/** A thread that hangs, dies or answers, as the seed says; from 10 on it tells how long it might have thought. */
parentPort?.on('message', ({ seed, budget }: Task) => {
  if (seed === 1) for (;;);
  if (seed === 2) throw new Error('out of ideas');
  if (seed === 3) process.exit(3);
  const answer = seed >= 10 ? { ms: Math.round(budget.ms) } : { from: 'thread' };
  parentPort?.postMessage({ action: answer });
});
parentPort?.postMessage({ ready: true });
