/** What this process wants to be told by its siblings: matches and turns that are watched here or were used lately. */
import type { Audience, Audiences } from './watchers.ts';

export type Kind = 'match' | 'turns';

export interface Interest {
  /** To be told of watchers as they come and leave. */
  audiences: Required<Audiences>;
  /** This process has moved the match on, so it probably will again. */
  used(match: string): void;
  /** Somebody who moved the match on here does so elsewhere from now on. */
  playedElsewhere(match: string): void;
  /** A sibling has moved the match on. */
  heard(match: string): void;
  /** Everything that is followed now. */
  all(): Iterable<[Kind, string]>;
}

export interface InterestOptions {
  follow(kind: Kind, id: string): void;
  unfollow(kind: Kind, id: string): void;
  /** How many matches are followed without being watched. */
  mostUsed: number;
}

/** A match that nobody watches or moves on here is no longer followed after this many messages about it. */
const MOST_UNUSED = 20;

interface Use {
  /** The number of messages about the match since it was last moved on here. */
  heard: number;
  /** Whether it was moved on here since it was last considered for removal. It then stays for another round. */
  isRecent: boolean;
}

export function openInterest({ follow, unfollow, mostUsed }: InterestOptions): Interest {
  const watched = new Set<string>();
  const turns = new Set<string>();
  const uses = new Map<string, Use>();

  function drop(match: string): void {
    uses.delete(match);
    if (!watched.has(match)) unfollow('match', match);
  }

  function makeRoom(except: string): void {
    for (const [match, use] of uses) {
      if (match === except) continue;
      if (!use.isRecent) {
        drop(match);
        return;
      }
      use.isRecent = false;
      uses.delete(match);
      uses.set(match, use); // at the end, so it is looked at again after all others
    }
  }

  const matches: Audience = {
    came(id) {
      watched.add(id);
      if (!uses.has(id)) follow('match', id);
    },
    left(id) {
      watched.delete(id);
      if (!uses.has(id)) unfollow('match', id);
    },
  };
  return {
    audiences: {
      matches,
      turns: {
        came(id) {
          turns.add(id);
          follow('turns', id);
        },
        left(id) {
          turns.delete(id);
          unfollow('turns', id);
        },
      },
    },
    used(match) {
      const known = uses.get(match);
      if (known) {
        known.heard = 0;
        known.isRecent = true;
        return;
      }
      uses.set(match, { heard: 0, isRecent: false });
      if (!watched.has(match)) follow('match', match);
      if (uses.size > mostUsed) makeRoom(match);
    },
    playedElsewhere(match) {
      if (uses.has(match)) drop(match);
    },
    heard(match) {
      const use = uses.get(match);
      if (!use) return;
      use.heard++;
      if (use.heard > MOST_UNUSED) drop(match);
    },
    *all() {
      for (const id of watched) yield ['match', id];
      for (const id of uses.keys()) if (!watched.has(id)) yield ['match', id];
      for (const id of turns) yield ['turns', id];
    },
  };
}
