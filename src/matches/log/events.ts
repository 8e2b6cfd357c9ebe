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
  hash: event.hash,
  at: event.at,
});

const seatLists = new Map<number, readonly Seat[]>();

/** Returns one shared list for all events with equal seats, as there are few different lists. */
function sharedSeats(seats: readonly Seat[]): readonly Seat[] {
  if (seats.length > SEATS_IN_A_KEY) return seats;
  let key = seats.length;
  for (const seat of seats) {
    if (seat >= MOST_SEATS) return seats;
    key = key * MOST_SEATS + seat;
  }
  const known = seatLists.get(key);
  if (known) return known;
  const list = Object.freeze([...seats]);
  if (seatLists.size < MOST_LISTS) seatLists.set(key, list);
  return list;
}

const MOST_LISTS = 1000;

/** So many seats, with numbers below this, fit exactly into the key of their list. */
const [SEATS_IN_A_KEY, MOST_SEATS] = [7, 100];

interface Shared {
  events: LoggedEvent[];
  /** The version at which an action id was used. */
  actionIds: Map<string, number>;
  /** The same for ids that another player had used before, by player and id. */
  repeatedIds: Map<string, number> | null;
  /** Maps the version of an action to the version of the event that took it back. */
  undone: Map<number, number>;
}

const keyOf = (playerId: string | null, actionId: string): string => `${playerId} ${actionId}`;

function add(shared: Shared, event: LoggedEvent): void {
  shared.events.push(event);
  if (event.type === 'UNDONE') shared.undone.set(undoneBy(event), event.version);
  if (event.actionId !== null) addActionId(shared, event, event.actionId);
}

/** Hardly ever do two players use the same id, so most ids are found without making a text of player and id. */
function addActionId(shared: Shared, { playerId, version }: LoggedEvent, id: string): void {
  const earlier = shared.actionIds.get(id);
  if (earlier === undefined || shared.events[earlier - 1]?.playerId === playerId) shared.actionIds.set(id, version);
  else {
    shared.repeatedIds ??= new Map();
    shared.repeatedIds.set(keyOf(playerId, id), version);
  }
}

/** The event by which this player used the action id, wherever in the shared memory it is. */
function findActionId({ events, actionIds, repeatedIds }: Shared, playerId: string, id: string): number | undefined {
  const version = actionIds.get(id);
  if (version === undefined || events[version - 1]?.playerId === playerId) return version;
  return repeatedIds?.get(keyOf(playerId, id));
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
    const shared: Shared = { events: [], actionIds: new Map(), repeatedIds: null, undone: new Map() };
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
    return this.#shared.events.slice(this.#within(from), this.#within(to));
  }

  #within(index: number): number {
    return Math.max(0, Math.min(this.#fromStart(index), this.length));
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
    const version = findActionId(this.#shared, playerId, actionId);
    return version === undefined ? undefined : this.at(version - 1);
  }
}
