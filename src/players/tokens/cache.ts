/** Remembers for a few seconds to whom a token belongs, so that most requests need no query for it. */
import { refusals } from '../../errors.ts';
import { within } from '../../time-limit.ts';
import type { Viewer } from '../player.ts';

export interface TokenCache {
  /** The viewer of a token that was valid a few seconds ago; undefined if it has to be looked up. */
  known(token: string): Viewer | undefined;
  /** `beforeLookUp` is called before a token is looked up that was not known to be valid, and may throw. */
  viewerOf(token: string, beforeLookUp?: () => void): Promise<Viewer | null>;
  /** To be called after the commit; otherwise a request that comes in between would be remembered again. */
  forget(isGone: (viewer: Viewer) => boolean): void;
}

/** How long another server may still accept a revoked token: well within the promised 30 seconds. */
const TOKEN_CACHE_MS = 10_000;
const MAX_CACHED_TOKENS = 10_000;
/** How long a request waits for this, so that enough of its time is left for what it asks for. */
const LOOK_UP_MS = 2000;

const tooLate = () => refusals.databaseUnreachable({ retryAfter: 2 });

interface Cached {
  viewer: Viewer;
  until: number;
}

export function openTokenCache(lookUp: (token: string) => Promise<Viewer | null>, now: () => number): TokenCache {
  /** Valid tokens only, with the most recently used last, so that guessing cannot push any out. */
  const cache = new Map<string, Cached>();
  /** Look-ups under way. Hundreds of requests with the same token may come at once, and share one. */
  const underWay = new Map<string, Promise<Viewer | null>>();

  function remember(token: string, viewer: Viewer): void {
    cache.delete(token);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED_TOKENS) cache.delete(oldest);
    const until = Math.min(now() + TOKEN_CACHE_MS, viewer.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    cache.set(token, { viewer, until });
  }

  function ask(token: string): Promise<Viewer | null> {
    const isCurrent = () => underWay.get(token) === asked;
    const asked: Promise<Viewer | null> = lookUp(token).then(
      (viewer) => {
        if (!viewer) cache.delete(token);
        else if (isCurrent()) remember(token, viewer); // otherwise it may have been revoked meanwhile
        if (isCurrent()) underWay.delete(token);
        return viewer;
      },
      (error) => {
        if (isCurrent()) underWay.delete(token);
        throw error;
      },
    );
    underWay.set(token, asked);
    return asked;
  }

  function known(token: string): Viewer | undefined {
    const cached = cache.get(token);
    return cached && cached.until > now() ? cached.viewer : undefined;
  }

  return {
    known,
    async viewerOf(token, beforeLookUp) {
      const viewer = known(token);
      if (viewer) return viewer;
      if (!cache.has(token)) beforeLookUp?.();
      return within(LOOK_UP_MS, underWay.get(token) ?? ask(token), tooLate);
    },
    forget(isGone) {
      underWay.clear(); // they may have read what was there before the change
      for (const [token, { viewer }] of cache) if (isGone(viewer)) cache.delete(token);
    },
  };
}
