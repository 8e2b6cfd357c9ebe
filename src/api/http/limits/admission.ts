import type { SharedCounter } from '../../../bus/counters.ts';
import type { SharedPlaces } from '../../../bus/places.ts';
import { steady } from '../../../database/time.ts';
import { refusals } from '../../../errors.ts';

/** Frees a place; calling it twice does no harm. */
export interface Release {
  (): void;
  /**
   * Resolves to false if other servers hold all places; this place is then freed. Resolves to true if nothing is
   * shared.
   */
  readonly granted: true | Promise<boolean>;
}

/** Counts what each key holds open, and refuses more than `max`. */
export interface Cap {
  /** Takes a place and returns a function that frees it; undefined if this server has none left. */
  take(key: string): Release | undefined;
  /** Takes a place among those of all servers together; undefined if none is left. */
  taken(key: string): Promise<Release | undefined>;
  /** The total number of places taken on this server. */
  readonly size: number;
}

/** With `shared`, places are counted on all servers together. */
export function cap(max: number, shared?: SharedPlaces): Cap {
  const held = new Map<string, number>();
  let size = 0;

  function take(key: string): Release | undefined {
    const n = held.get(key) ?? 0;
    if (n >= max) return undefined;
    held.set(key, n + 1);
    size++;
    const place = shared?.take(key);
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      size--;
      const left = (held.get(key) ?? 1) - 1;
      if (left === 0) held.delete(key);
      else held.set(key, left);
      place?.release();
    };
    const granted = place?.granted.then((isGranted) => {
      if (!isGranted) release();
      return isGranted;
    });
    return Object.assign(release, { granted: granted ?? (true as const) });
  }

  return {
    get size() {
      return size;
    },
    take,
    async taken(key) {
      const release = take(key);
      return release && (await release.granted) ? release : undefined;
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

/**
 * All keys share the same windows, so that a whole minute is forgotten at once and nothing needs sweeping. With
 * `shared`, what other servers have counted is added, as far as it is known here.
 */
export function rateLimit(perMinute: number, now = steady, shared?: SharedCounter): RateLimit {
  const used = new Map<string, number>();
  let until = 0;
  /** Returns what the key will have used. */
  const check = (key: string, times = 1): number => {
    const time = now();
    if (time >= until) {
      used.clear();
      until = time + MINUTE;
    }
    const own = (used.get(key) ?? 0) + times;
    const others = shared?.others(key);
    if (own + (others?.used ?? 0) <= perMinute) return own;
    // What the others have counted is forgotten when their minute is over.
    const retryAfter = Math.ceil((own > perMinute || !others ? until - time : others.ms) / 1000);
    throw refusals.tooManyRequests(perMinute, retryAfter, {
      retryAfter,
    });
  };
  const take = (key: string, times = 1) => {
    used.set(key, check(key, times));
    shared?.add(key, times);
  };
  const left = (key: string) => {
    const ms = until - now();
    const others = shared?.others(key).used ?? 0;
    if (ms <= 0) return { remaining: Math.max(0, perMinute - others), seconds: MINUTE / 1000 };
    return { remaining: Math.max(0, perMinute - others - (used.get(key) ?? 0)), seconds: Math.ceil(ms / 1000) };
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
