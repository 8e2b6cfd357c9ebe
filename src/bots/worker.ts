import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { registry } from '../games/registry.ts';
import { fastRng } from '../games/rng.ts';
import { choose } from './choose.ts';
import type { Task } from './thinker.ts';

// Requests come first. Linux has a priority for each thread; elsewhere this would be that of the whole server.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** The thread's side of the thinker: one task at a time. What it throws ends the thread, and the thinker opens another. */
parentPort?.on('message', ({ game, rules, state, seats, seat, level, seed, budget: { iterations, ms } }: Task) => {
  const question = { game: registry.game(game, rules), state, seats, seat };
  const clock = { ms, now: () => performance.now() };
  parentPort?.postMessage({ action: choose(question, level, fastRng(seed), { iterations, clock }) });
});
parentPort?.postMessage({ ready: true });
