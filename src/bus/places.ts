/** Places that are held for a while, such as those of open sockets, on all servers together. */
import type { Bus } from './bus.ts';

export interface SharedPlace {
  /** Resolves to false, and frees the place, if all servers together hold more than are allowed. */
  granted: Promise<boolean>;
  release(): void;
}

export interface SharedPlaces {
  /** Takes one more place. Whether one was left is known a little later. */
  take(key: string): SharedPlace;
}

export interface OpenPlaces extends SharedPlaces {
  /** Tells the bus again of all places that are held. It forgets those of which it has not heard for long. */
  confirm(): void;
}

export interface PlacesOptions {
  name: string;
  max: number;
  /** The name of this process among those that hold places. */
  holder: string;
  /** The places of a process that has died are freed after this time. */
  expireMs: number;
  /** If the bus takes longer than this to answer, the place is granted. */
  grantMs: number;
}

/** How many keys are sent in one command. */
const TOGETHER = 500;

// Each process has its own field: how many places it holds, and until when that is true.
const HOLD = `
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local me, ms = ARGV[1], tonumber(ARGV[2])
local answer = {}
for i, key in ipairs(KEYS) do
  local others = 0
  local all = redis.call('HGETALL', key)
  for j = 1, #all, 2 do
    local held, till = string.match(all[j + 1], '(%d+) (%d+)')
    if tonumber(till) < now then
      redis.call('HDEL', key, all[j])
    elseif all[j] ~= me then
      others = others + tonumber(held)
    end
  end
  if ARGV[i + 2] == '0' then
    redis.call('HDEL', key, me)
  else
    redis.call('HSET', key, me, string.format('%s %.0f', ARGV[i + 2], now + ms))
  end
  redis.call('PEXPIRE', key, ms)
  answer[i] = others
end
return answer`;

interface Asked {
  key: string;
  /** Undefined if it was answered or given back. */
  answer: ((granted: boolean) => void) | undefined;
}

export function openPlaces(bus: Bus, { name, max, holder, expireMs, grantMs }: PlacesOptions): OpenPlaces {
  const held = new Map<string, number>();
  const changed = new Set<string>();
  let asked: Asked[] = [];
  let scheduled = false;

  function hold(key: string, more: 1 | -1): void {
    const count = (held.get(key) ?? 0) + more;
    if (count > 0) held.set(key, count);
    else held.delete(key);
    changed.add(key);
    schedule();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    const keys = [...changed];
    const waiting = asked;
    changed.clear();
    asked = [];
    for (let i = 0; i < keys.length; i += TOGETHER) {
      const part = new Set(keys.slice(i, i + TOGETHER));
      void send(
        [...part],
        waiting.filter(({ key }) => part.has(key)),
      );
    }
  }

  async function send(keys: string[], waiting: Asked[]): Promise<void> {
    const names = keys.map((key) => `${name}:${key}`);
    const counts = keys.map((key) => String(held.get(key) ?? 0));
    const args = [holder, String(expireMs), ...counts];
    const answer = (await bus.run(HOLD, names, args).catch(() => undefined)) as number[] | undefined;
    const others = new Map(keys.map((key, i) => [key, answer?.[i] ?? 0]));
    // The latest ones give way first.
    for (const one of waiting.toReversed()) {
      if (!one.answer) continue;
      const isTooMany = (held.get(one.key) ?? 0) + (others.get(one.key) ?? 0) > max;
      if (isTooMany) hold(one.key, -1);
      one.answer(!isTooMany);
      one.answer = undefined;
    }
  }

  return {
    take(key) {
      hold(key, 1);
      const one: Asked = { key, answer: undefined };
      let isHeld = true;
      const granted = new Promise<boolean>((resolve) => {
        const late = setTimeout(() => answer(true), grantMs);
        const answer = (granted: boolean) => {
          clearTimeout(late);
          one.answer = undefined;
          isHeld &&= granted;
          resolve(granted);
        };
        one.answer = answer;
      });
      asked.push(one);
      return {
        granted,
        release() {
          if (!isHeld) return;
          isHeld = false;
          hold(key, -1);
          one.answer?.(true); // nobody is waiting any more
        },
      };
    },
    confirm() {
      for (const key of held.keys()) changed.add(key);
      if (changed.size > 0) schedule();
    },
  };
}
