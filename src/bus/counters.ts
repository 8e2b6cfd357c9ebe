/** How often something happened in a minute, on all servers together. */
import { steady } from '../database/time.ts';
import type { Bus } from './bus.ts';

/** Counts by key. The minute of a key begins with its first count. */
export interface SharedCounter {
  add(key: string, times: number): void;
  /** What the other servers have counted, as far as it is known, and the milliseconds until their minute is over. */
  others(key: string): { used: number; ms: number };
}

export interface OpenCounter extends SharedCounter {
  /** Sends the counts that the bus does not have yet. */
  flush(): void;
  /** Forgets the minutes that are over. */
  sweep(): void;
  /** Forgets what others have counted. */
  forget(): void;
}

const MINUTE = 60_000;
/** A count of this share of the limit is sent at once; smaller ones wait for the next flush. */
const PORTION = 1 / 50;
/** How many keys are sent in one command. */
const TOGETHER = 500;
const NOTHING = { used: 0, ms: 0 };

const COUNT = `
local answer = {}
for i, key in ipairs(KEYS) do
  local used = redis.call('INCRBY', key, ARGV[i])
  local ms = redis.call('PTTL', key)
  if ms < 0 then
    ms = ${MINUTE}
    redis.call('PEXPIRE', key, ms)
  end
  answer[2 * i - 1] = used
  answer[2 * i] = ms
end
return answer`;

interface Counted {
  mine: number;
  total: number;
  until: number;
}

export function openCounter(bus: Bus, name: string, perMinute: number): OpenCounter {
  const portion = Math.max(1, Math.floor(perMinute * PORTION));
  const unsent = new Map<string, number>();
  const known = new Map<string, Counted>();
  let scheduled = false;

  function learn(key: string, times: number, total: number, ms: number): void {
    const now = steady();
    const before = known.get(key);
    const isSameMinute = before !== undefined && before.until > now && before.total + times <= total;
    known.set(key, { mine: (isSameMinute ? before.mine : 0) + times, total, until: now + ms });
  }

  async function send(batch: [key: string, times: number][]): Promise<void> {
    const keys = batch.map(([key]) => `${name}:${key}`);
    const counts = batch.map(([, times]) => String(times));
    const answer = (await bus.run(COUNT, keys, counts).catch(() => undefined)) as number[] | undefined;
    if (!answer) return; // the bus is away
    for (const [i, [key, times]] of batch.entries()) learn(key, times, answer[2 * i] ?? 0, answer[2 * i + 1] ?? 0);
  }

  function flush(): void {
    scheduled = false;
    if (unsent.size === 0) return;
    const all = [...unsent];
    unsent.clear();
    for (let i = 0; i < all.length; i += TOGETHER) void send(all.slice(i, i + TOGETHER));
  }

  return {
    flush,
    forget: () => known.clear(),
    add(key, times) {
      const sum = (unsent.get(key) ?? 0) + times;
      unsent.set(key, sum);
      if (sum < portion || scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
    others(key) {
      const counted = known.get(key);
      const ms = counted ? counted.until - steady() : 0;
      return counted && ms > 0 ? { used: Math.max(0, counted.total - counted.mine), ms } : NOTHING;
    },
    sweep() {
      const now = steady();
      for (const [key, { until }] of known) if (until <= now) known.delete(key);
    },
  };
}
