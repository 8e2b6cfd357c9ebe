/** The events of a match in memory. */
import type { Seat } from '../../games/game.ts';
import type { EventLog, LoggedEvent } from './records.ts';

/** The version of the action that an UNDONE event took back. */
export const undoneBy = (event: LoggedEvent): number => (event.action as { version: number }).version;

/**
 * A copy of the event in the one object shape that all events in memory share. An object built by spreading others, or
 * row by row, takes four times as much memory, and a server remembers many thousands of events.
 */
export const shaped = (event: LoggedEvent): LoggedEvent => ({
  version: event.version,
  type: event.type,
  seat: event.seat,
  playerId: event.playerId,
  action: event.action,
  actionId: event.actionId,
  entropy: event.entropy,
  label: event.label,
  targets: event.targets,
  effects: event.effects,
  secret: event.secret,
  epoch: event.epoch,
  drew: event.drew,
  acting: sharedSeats(event.acting),
  stateHash: event.stateHash,
  // A small Buffer is a piece of 8 kB that Node shares out, and keeps all of them in memory. A copy stands alone.
  hash: event.hash.constructor === Uint8Array ? event.hash : new Uint8Array(event.hash),
  at: event.at,
});

const seatLists = new Map<string, readonly Seat[]>();

/** Returns one shared list for all events with equal seats, as there are few different lists. */
function sharedSeats(seats: readonly Seat[]): readonly Seat[] {
  const key = seats.join();
  const known = seatLists.get(key);
  if (known) return known;
  const list = Object.freeze([...seats]);
  if (seatLists.size < MOST_LISTS) seatLists.set(key, list);
  return list;
}

const MOST_LISTS = 1000;

interface Shared {
  events: LoggedEvent[];
  /** The version at which a player used an action id. */
  actionIds: Map<string, number>;
  /** Maps the version of an action to the version of the event that took it back. */
  undone: Map<number, number>;
}

const keyOf = (playerId: string | null, actionId: string): string => `${playerId} ${actionId}`;

function add({ events, actionIds, undone }: Shared, event: LoggedEvent): void {
  events.push(event);
  if (event.type === 'UNDONE') undone.set(undoneBy(event), event.version);
  if (event.actionId !== null) actionIds.set(keyOf(event.playerId, event.actionId), event.version);
}

/**
 * A list that never changes once it is made. The log after one more event shares its memory, so an event costs the same
 * however long the match is. A second continuation, after a lost race, gets a copy of its own.
 */
export class Log implements EventLog {
  readonly length: number;
  readonly #shared: Shared;

  private constructor(shared: Shared, length: number) {
    this.#shared = shared;
    this.length = length;
  }

  static of(events: readonly LoggedEvent[] = []): Log {
    const shared: Shared = { events: [], actionIds: new Map(), undone: new Map() };
    for (const event of events) add(shared, event);
    return new Log(shared, events.length);
  }

  plus(event: LoggedEvent): Log {
    if (this.#shared.events[this.length] === event) return new Log(this.#shared, this.length + 1); // already there
    const isLatest = this.#shared.events.length === this.length;
    const shared = isLatest ? this.#shared : Log.of(this.slice()).#shared;
    add(shared, event);
    return new Log(shared, this.length + 1);
  }

  upTo(length: number): Log {
    return new Log(this.#shared, Math.min(length, this.length));
  }

  get line(): object {
    return this.#shared;
  }

  at(index: number): LoggedEvent | undefined {
    const i = this.#fromStart(index);
    return i < this.length ? this.#shared.events[i] : undefined;
  }

  slice(from = 0, to = this.length): LoggedEvent[] {
    const within = (index: number) => Math.max(0, Math.min(this.#fromStart(index), this.length));
    return this.#shared.events.slice(within(from), within(to));
  }

  /** Resolves a negative index against the length of this log, not against a longer one that shares its memory. */
  #fromStart(index: number): number {
    return index < 0 ? this.length + index : index;
  }

  map<T>(of: (event: LoggedEvent) => T): T[] {
    return this.slice().map(of);
  }

  filter(test: (event: LoggedEvent) => boolean): LoggedEvent[] {
    return this.slice().filter(test);
  }

  [Symbol.iterator](): Iterator<LoggedEvent> {
    return this.slice().values();
  }

  findLast(test: (event: LoggedEvent) => boolean): LoggedEvent | undefined {
    for (let i = this.length - 1; i >= 0; i--) {
      const event = this.#shared.events[i] as LoggedEvent;
      if (test(event)) return event;
    }
    return undefined;
  }

  isUndone(version: number): boolean {
    return (this.#shared.undone.get(version) ?? Number.POSITIVE_INFINITY) <= this.length;
  }

  byActionId(playerId: string, actionId: string): LoggedEvent | undefined {
    const version = this.#shared.actionIds.get(keyOf(playerId, actionId));
    return version === undefined ? undefined : this.at(version - 1);
  }
}
