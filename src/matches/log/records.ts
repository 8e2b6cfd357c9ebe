/** The shapes that everything about matches shares: rows, events, and a match in memory. */
import type { Effect, Game, Result, Seat } from '../../games/game.ts';
import { EventType, type MatchStatus, type Visibility } from '../../generated/prisma/enums.ts';

/** What an event can be: the same list for the log, its export and both faces. */
export const EVENT_TYPES = Object.values(EventType);

/** What happens to a seat whose time is up. */
export type TimeoutPolicy = 'BOT' | 'FORFEIT';

/** A bank to begin with, an increment for every turn that is finished, and a cap on what can be saved up. */
export interface Clock {
  readonly bankSeconds: number;
  readonly incrementSeconds: number;
  readonly capSeconds: number;
  readonly onTimeout: TimeoutPolicy;
}

/** A time in which no server was up: nobody is charged for it. */
export interface Outage {
  readonly from: Date;
  readonly to: Date;
}

/** By seat: milliseconds left when its clock last stopped, and since when it runs again (null: it stands still). */
export interface Clocks {
  readonly bank: readonly number[];
  readonly since: readonly (number | null)[];
}

/**
 * How a match numbers its streams of chance: 1 by version, as all matches did once; 2 by how many draws came before.
 * Whoever knows the seed can add versions, by orders that change nothing, and even actions, but never a draw.
 */
export type Derivation = 1 | 2;

/** What is fixed when a match is opened. */
export interface MatchRow {
  readonly id: string;
  readonly game: string;
  readonly rules: number;
  readonly options: object;
  readonly seatCount: number;
  readonly visibility: Visibility;
  readonly invite: string | null;
  readonly creatorId: string;
  readonly serverSeed: Uint8Array;
  readonly draws: Derivation;
  readonly createdAt: Date;
  /** Of an analysis match: where it was forked from. */
  readonly origin: Origin | null;
  /** Of an analysis match: the state it starts with, in place of a set-up. */
  readonly position: object | null;
  /** Of a match that was played on another server. */
  readonly importedAt: Date | null;
  /** Thinking time, if it is limited. */
  readonly clock: Clock | null;
  /** Whether anybody may take a seat that a player has left to a bot. */
  readonly takeover: boolean;
  /** Of a rematch: the match before it, and who may take which seat. */
  readonly rematchOf: string | null;
  readonly reserved: readonly (string | null)[] | null;
  /** Since it was opened. */
  readonly outages: readonly Outage[];
}

/** The match, the version and the seat whose knowledge an analysis match has; seat null = everything was known. */
export interface Origin {
  readonly match: string;
  readonly at: number;
  readonly seat: Seat | null;
}

/** What the lobby shows of a match: the row and its cached columns, without the log. */
export interface Summary extends MatchRow {
  readonly version: number;
  readonly status: MatchStatus;
  /** The player of each seat. */
  readonly seats: readonly (string | null)[];
  readonly acting: readonly Seat[];
  readonly result: Result | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** One row of the log. */
export interface LoggedEvent {
  readonly version: number;
  readonly type: EventType;
  readonly seat: Seat | null;
  readonly playerId: string | null;
  readonly action: object | null;
  readonly actionId: string | null;
  /** A seat's own contribution to the seed, with JOINED. */
  readonly entropy: string | null;
  /** What everybody may read of it once it is public. */
  readonly label: string | null;
  /** What on the table an action was about, as a spectator sees it; null for other events and those of older servers. */
  readonly targets: readonly string[] | null;
  /** What followed from an action by itself; null for other events and those of older servers. */
  readonly effects: readonly Effect[] | null;
  readonly secret: boolean;
  /** The secrecy clock before it. */
  readonly epoch: number;
  readonly drew: boolean;
  /** The seats that may act after it. */
  readonly acting: readonly Seat[];
  readonly stateHash: string | null;
  readonly hash: Uint8Array;
  readonly at: Date;
}

/** The events of a match: a list that never changes once made. */
export interface EventLog extends Iterable<LoggedEvent> {
  readonly length: number;
  /** The log after one more event. */
  plus(event: LoggedEvent): EventLog;
  /** The log as it was when it was that long. */
  upTo(length: number): EventLog;
  /** The same object for every log that shares its memory with this one. */
  readonly line: object;
  /** As of an array: 0 is the first, -1 the last. */
  at(index: number): LoggedEvent | undefined;
  slice(from?: number, to?: number): LoggedEvent[];
  map<T>(of: (event: LoggedEvent) => T): T[];
  filter(test: (event: LoggedEvent) => boolean): LoggedEvent[];
  /** The last event of which this is true. */
  findLast(test: (event: LoggedEvent) => boolean): LoggedEvent | undefined;
  /** Whether the action that led to this version has been taken back. */
  isUndone(version: number): boolean;
  /** The event by which this player used the action id. */
  byActionId(playerId: string, actionId: string): LoggedEvent | undefined;
}

export interface Match extends Summary {
  /** The rules it is played by. */
  readonly engine: Game;
  readonly events: EventLog;
  readonly entropies: readonly (string | null)[];
  /** From the start on. */
  readonly seed: Uint8Array | null;
  readonly state: object | null;
  /** How many events have drawn chance; none of them can be taken back. */
  readonly drawn: number;
  readonly hash: Uint8Array;
  readonly clocks: Clocks | null;
  /** Seats that a bot plays for a player who left. */
  readonly vacant: readonly Seat[];
  /** Seats that were given up: they rank last. */
  readonly lost: readonly Seat[];
  /** Standing orders, by seat. */
  readonly orders: readonly (object | null)[];
}

/** Hashes are chained, so those with the same one have the same history. */
export const sameHash = (a: { readonly hash: Uint8Array }, b: { readonly hash: Uint8Array }): boolean =>
  Buffer.compare(a.hash, b.hash) === 0;

/** An event, and the match as it stood when the event was handed out. */
export interface Receipt {
  event: LoggedEvent;
  match: Match;
}
