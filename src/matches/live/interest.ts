/** What this process wants to be told by its siblings: matches and turns that are watched here or were used lately. */
import type { Audience, Audiences } from './watchers.ts';

export type Kind = 'match' | 'turns';

export interface Interest {
  /** To be told of watchers as they come and leave. */
  audiences: Required<Audiences>;
  /** This process has moved the match on, so it probably will again. */
  used(match: string): void;
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
const MOST_UNUSED = 50;

export function openInterest({ follow, unfollow, mostUsed }: InterestOptions): Interest {
  const watched = new Set<string>();
  const turns = new Set<string>();
  /** Matches in the order of their last use, each with the number of messages about it since then. */
  const used = new Map<string, number>();

  function drop(match: string): void {
    used.delete(match);
    if (!watched.has(match)) unfollow('match', match);
  }

  const matches: Audience = {
    came(id) {
      watched.add(id);
      if (!used.has(id)) follow('match', id);
    },
    left(id) {
      watched.delete(id);
      if (!used.has(id)) unfollow('match', id);
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
      const wasFollowed = used.delete(match) || watched.has(match);
      used.set(match, 0);
      if (!wasFollowed) follow('match', match);
      if (used.size > mostUsed) drop(used.keys().next().value as string);
    },
    heard(match) {
      const unused = used.get(match);
      if (unused === undefined) return;
      if (unused < MOST_UNUSED) used.set(match, unused + 1);
      else drop(match);
    },
    *all() {
      for (const id of watched) yield ['match', id];
      for (const id of used.keys()) if (!watched.has(id)) yield ['match', id];
      for (const id of turns) yield ['turns', id];
    },
  };
}
