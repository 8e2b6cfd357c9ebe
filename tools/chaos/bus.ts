/** A message bus for some or all of the instances. It holds nothing that may not be lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rng } from '../../src/games/game.ts';
import { hasRedis, startRedis } from '../../tests/support/redis.ts';
import type { Bus } from './faults.ts';
import type { Instance } from './instances.ts';

/** An instance that finds the bus again later than this is too slow: it tries at least every 4.5 s. */
const RETURN_MS = 30_000;

export interface OwnBus extends Bus {
  /** The settings of an instance. Empty for one that does without the bus. */
  env(name: string): { [name: string]: string };
  stop(): Promise<void>;
}

/** Undefined if this machine has none. All of these instances use it, or all but one: chance decides. */
export async function openOwnBus(
  names: readonly string[],
  instances: readonly Instance[],
  rng: Rng,
  violate: (what: string) => void,
): Promise<OwnBus | undefined> {
  if (!hasRedis) return undefined;
  const redis = await startRedis();
  const without = rng.int(2) === 0 ? undefined : rng.pick(names);
  console.error(`a message bus connects ${names.filter((name) => name !== without).join(', ')}`);
  return {
    kill: redis.kill,
    start: redis.start,
    freeze: redis.freeze,
    resume: redis.resume,
    env: (name): { [name: string]: string } => (name === without ? {} : { BUS_URL: redis.url }),
    async untilConnected() {
      for (const instance of instances.filter(({ name }) => name !== without)) {
        const late = performance.now() + RETURN_MS;
        while (!(await isConnected(instance))) {
          if (performance.now() > late) return violate(`${instance.name} did not find the bus again`);
          await sleep(50);
        }
      }
    },
    stop: redis.kill,
  };
}

async function isConnected({ url }: Instance): Promise<boolean> {
  const signal = AbortSignal.timeout(2000);
  const text = await fetch(`${url}/metrics`, { signal })
    .then((response) => response.text())
    .catch(() => '');
  return /^atoll_bus_connected 1$/m.test(text);
}
