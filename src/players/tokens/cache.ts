/** Remembers for a few seconds to whom a token belongs, so that most requests need no query for it. */
import type { Viewer } from '../player.ts';

export interface TokenCache {
  /** `beforeLookUp` is called before a token is looked up that was not known to be valid, and may throw. */
  viewerOf(token: string, beforeLookUp?: () => void): Promise<Viewer | null>;
  /** To be called after the commit; otherwise a request that comes in between would be remembered again. */
  forget(isGone: (viewer: Viewer) => boolean): void;
}

/** How long another server may still accept a revoked token: well within the promised 30 seconds. */
const TOKEN_CACHE_MS = 10_000;
const MAX_CACHED_TOKENS = 10_000;

interface Cached {
  viewer: Viewer;
  until: number;
}

export function openTokenCache(lookUp: (token: string) => Promise<Viewer | null>, now: () => number): TokenCache {
  /** Valid tokens only, with the most recently used last, so that guessing cannot push any out. */
  const cache = new Map<string, Cached>();
  let revocations = 0;

  function remember(token: string, viewer: Viewer): void {
    cache.delete(token);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED_TOKENS) cache.delete(oldest);
    const until = Math.min(now() + TOKEN_CACHE_MS, viewer.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    cache.set(token, { viewer, until });
  }

  return {
    async viewerOf(token, beforeLookUp) {
      const known = cache.get(token);
      if (known && known.until > now()) return known.viewer;
      if (!known) beforeLookUp?.();
      const before = revocations;
      const viewer = await lookUp(token);
      if (!viewer) cache.delete(token);
      else if (before === revocations) remember(token, viewer); // otherwise it may have been revoked meanwhile
      return viewer;
    },
    forget(isGone) {
      revocations++;
      for (const [token, { viewer }] of cache) if (isGone(viewer)) cache.delete(token);
    },
  };
}
