/** Holds the remembered matches, bounded by their number and by the events they hold. Unused ones are dropped first. */
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

interface Place {
  match: Match;
  /** Whether the match was put here again since it was last considered for removal. It then stays for another round. */
  isUsed: boolean;
}

export function openShelf(limit: number): Shelf {
  // A place stays where it is when its match moves on: a map that loses and gains entries with every move burdens the
  // garbage collector.
  const places = new Map<string, Place>();
  const pins = new Map<string, number>();
  let events = 0;

  function remove(id: string): void {
    events -= places.get(id)?.match.version ?? 0;
    places.delete(id);
  }

  const isFull = () => places.size > limit || events > limit * EVENTS_OF_A_MATCH;

  function makeRoom(except: string): void {
    let looks = 2 * places.size; // after two rounds only those are left that have to stay
    for (const [id, place] of places) {
      if (looks-- === 0) return;
      if (pins.has(id) || id === except) continue;
      if (place.isUsed) {
        place.isUsed = false;
        places.delete(id);
        places.set(id, place); // at the end, so it is looked at again after all others
      } else {
        remove(id);
        if (!isFull()) return;
      }
    }
  }

  return {
    get: (id) => places.get(id)?.match,
    put(match) {
      const place = places.get(match.id);
      if (!place) {
        places.set(match.id, { match, isUsed: false });
        events += match.version;
      } else {
        place.isUsed = true;
        if (match.version < place.match.version) return;
        events += match.version - place.match.version;
        place.match = match;
      }
      if (isFull()) makeRoom(match.id);
    },
    remove,
    removeAll(test) {
      for (const [id, { match }] of places) if (test(match)) remove(id);
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
      return places.size;
    },
    get events() {
      return events;
    },
  };
}
