import { parentPort } from 'node:worker_threads';
import type { Task } from '../../src/bots/thinker.ts';

/** A thread that hangs, dies or answers, as the seed says. */
parentPort?.on('message', ({ seed }: Task) => {
  if (seed === 1) for (;;);
  if (seed === 2) throw new Error('out of ideas');
  if (seed === 3) process.exit(3);
  parentPort?.postMessage({ action: { from: 'thread' } });
});
parentPort?.postMessage({ ready: true });
