import { steady } from '../../../database/time.ts';
import { refusals } from '../../../errors.ts';

/** Counts what each key holds open, and refuses more than `max`. */
export interface Cap {
  /**
   * Takes a place and returns a function that frees it; calling that twice does no harm. Undefined if no place is left.
   */
  take(key: string): (() => void) | undefined;
  /** The total number of places taken. */
  readonly size: number;
}

export function cap(max: number): Cap {
  const held = new Map<string, number>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    take(key) {
      const n = held.get(key) ?? 0;
      if (n >= max) return undefined;
      held.set(key, n + 1);
      size++;
      let released = false;
      return () => {
        if (released) return;
        released = true;
        size--;
        const left = (held.get(key) ?? 1) - 1;
        if (left === 0) held.delete(key);
        else held.set(key, left);
      };
    },
  };
}

/** Throws RATE_LIMITED when a key has used up its requests for this minute. */
export interface RateLimit {
  /** Counts one request, or as many as given. */
  (key: string, times?: number): void;
  /** Throws as well, but counts nothing. */
  check(key: string): void;
  /** How many requests a key has left in this minute, and how many seconds are left. */
  left(key: string): { remaining: number; seconds: number };
}

const MINUTE = 60_000;

/** All keys share the same windows, so that a whole minute is forgotten at once and nothing needs sweeping. */
export function rateLimit(perMinute: number, now = steady): RateLimit {
  const used = new Map<string, number>();
  let until = 0;
  const check = (key: string, times = 1) => {
    const time = now();
    if (time >= until) {
      used.clear();
      until = time + MINUTE;
    }
    if ((used.get(key) ?? 0) + times <= perMinute) return;
    const retryAfter = Math.ceil((until - time) / 1000);
    throw refusals.tooManyRequests(perMinute, retryAfter, {
      retryAfter,
    });
  };
  const take = (key: string, times = 1) => {
    check(key, times);
    used.set(key, (used.get(key) ?? 0) + times);
  };
  const left = (key: string) => {
    const ms = until - now();
    if (ms <= 0) return { remaining: perMinute, seconds: MINUTE / 1000 };
    return { remaining: Math.max(0, perMinute - (used.get(key) ?? 0)), seconds: Math.ceil(ms / 1000) };
  };
  return Object.assign(take, { check, left });
}

/**
 * The key under which an address is counted. An IPv6 network counts as one address, because its holder has 2^64 of
 * them.
 */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip;
  if (ip.startsWith('::ffff:') && ip.includes('.')) return ip.slice('::ffff:'.length);
  const [head = '', tail] = ip.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':');
}
