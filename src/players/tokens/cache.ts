/** Who a token belongs to, remembered for a few seconds, so that most requests need no query for it. */
import type { Viewer } from '../player.ts';

export interface TokenCache {
  /** `beforeLookUp` is called, and may throw, before a token is looked up that was not good a while ago. */
  viewerOf(token: string, beforeLookUp?: () => void): Promise<Viewer | null>;
  /** To be called after the commit, or a request that comes in between would be remembered again. */
  forget(isGone: (viewer: Viewer) => boolean): void;
}

/** How long another server may go on trusting a revoked token: well within the promised 30 seconds. */
const TOKEN_CACHE_MS = 10_000;
const MAX_CACHED_TOKENS = 10_000;

interface Cached {
  viewer: Viewer;
  until: number;
}

export function openTokenCache(lookUp: (token: string) => Promise<Viewer | null>, now: () => number): TokenCache {
  /** Good tokens only, those looked up last at the end: whoever guesses can push none out. */
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
      else if (before === revocations) remember(token, viewer); // else it may have been revoked meanwhile
      return viewer;
    },
    forget(isGone) {
      revocations++;
      for (const [token, { viewer }] of cache) if (isGone(viewer)) cache.delete(token);
    },
  };
}
