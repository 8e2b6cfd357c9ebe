/** The attackers run in a separate process, so that they delay only the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS } from './siege-attacks.ts';
import type { Tally } from './siege-storm.ts';
import type { World } from './siege-world.ts';

export interface Order {
  attack: string;
  ms: number;
  world: World;
}

process.once('message', async ({ attack, ms, world }: Order) => {
  const tally: Tally = { ok: 0, refused: 0, failed: 0, said: '', missed: '' };
  const siege = { ...world, until: performance.now() + ms, tally };
  try {
    // When the time is up, requests under way need not be waited for.
    await Promise.race([ATTACKS[attack]?.(siege), sleep(ms + 1000)]);
  } catch (error) {
    tally.missed = String(error);
  }
  process.send?.(tally, () => process.exit(0));
});
