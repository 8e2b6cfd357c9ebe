import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { registry } from '../games/registry.ts';
import { fastRng } from '../games/rng.ts';
import { choose } from './choose.ts';
import type { Task } from './thinker.ts';

// Requests take precedence. Linux has a priority for each thread; elsewhere this call would slow down the whole server.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/**
 * The thread's side of the thinker, which handles one task at a time. An error ends the thread, and the thinker opens
 * another.
 */
parentPort?.on('message', ({ game, rules, state, seats, seat, level, seed, budget: { iterations, ms } }: Task) => {
  const question = { game: registry.game(game, rules), state, seats, seat };
  const clock = { ms, now: () => performance.now() };
  parentPort?.postMessage({ action: choose(question, level, fastRng(seed), { iterations, clock }) });
});
parentPort?.postMessage({ ready: true });
