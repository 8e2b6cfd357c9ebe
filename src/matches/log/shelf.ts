/** Holds the remembered matches in order of their last use, bounded by their number and by the events they hold. */
import type { Match } from './records.ts';

export interface Shelf {
  get(id: string): Match | undefined;
  /** Keeps the match, unless a newer version of it is known already. */
  put(match: Match): void;
  remove(id: string): void;
  removeAll(test: (match: Match) => boolean): void;
  /** Keeps the match regardless of the limit, while somebody watches it. */
  pin(id: string): void;
  unpin(id: string): void;
  readonly size: number;
  /** The total number of events of its matches. */
  readonly events: number;
}

/** An event takes about a kilobyte. A match longer than this counts as several. */
export const EVENTS_OF_A_MATCH = 100;

export function openShelf(limit: number): Shelf {
  const matches = new Map<string, Match>();
  const pins = new Map<string, number>();
  let events = 0;

  function remove(id: string): void {
    events -= matches.get(id)?.version ?? 0;
    matches.delete(id);
  }

  const isFull = () => matches.size > limit || events > limit * EVENTS_OF_A_MATCH;

  return {
    get: (id) => matches.get(id),
    put(match) {
      const known = matches.get(match.id);
      const kept = known && known.version > match.version ? known : match;
      remove(match.id);
      matches.set(match.id, kept);
      events += kept.version;
      if (!isFull()) return;
      for (const id of matches.keys()) {
        if (pins.has(id) || id === match.id) continue;
        remove(id);
        if (!isFull()) return;
      }
    },
    remove,
    removeAll(test) {
      for (const [id, match] of matches) if (test(match)) remove(id);
    },
    pin(id) {
      pins.set(id, (pins.get(id) ?? 0) + 1);
    },
    unpin(id) {
      const left = (pins.get(id) ?? 1) - 1;
      if (left > 0) pins.set(id, left);
      else pins.delete(id);
    },
    get size() {
      return matches.size;
    },
    get events() {
      return events;
    },
  };
}
