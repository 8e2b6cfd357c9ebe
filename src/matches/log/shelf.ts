/** Where remembered matches stand, in the order of their last use: bounded by their number and by what they hold. */
import type { Match } from './records.ts';

export interface Shelf {
  get(id: string): Match | undefined;
  /** Keeps the match, or what is known of it already if that is newer. */
  put(match: Match): void;
  remove(id: string): void;
  removeAll(test: (match: Match) => boolean): void;
  /** Kept whatever the limit, while somebody watches. */
  pin(id: string): void;
  unpin(id: string): void;
  readonly size: number;
  /** Of all its matches together. */
  readonly events: number;
}

/** An event takes about a kilobyte; longer matches than this count as several. */
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
