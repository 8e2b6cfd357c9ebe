/** The types that everything about matches shares: rows, events, and a match in memory. */
import type { Effect, Game, Result, Seat } from '../../games/game.ts';
import { EventType, type MatchStatus, type Visibility } from '../../generated/prisma/enums.ts';

/** All types of events: the same list for the log, its export and both faces. */
export const EVENT_TYPES = Object.values(EventType);

/** What happens to a seat whose time has run out. */
export type TimeoutPolicy = 'BOT' | 'FORFEIT';

/** The time to begin with, the increment for every finished turn, and a cap on what can be saved up. */
export interface Clock {
  readonly bankSeconds: number;
  readonly incrementSeconds: number;
  readonly capSeconds: number;
  readonly onTimeout: TimeoutPolicy;
}

/** A period in which no server was up. Nobody is charged for it. */
export interface Outage {
  readonly from: Date;
  readonly to: Date;
}

/**
 * For each seat, the milliseconds left when its clock last stopped, and the time since which it runs again (null: it
 * stands still).
 */
export interface Clocks {
  readonly bank: readonly number[];
  readonly since: readonly (number | null)[];
}

/**
 * How a match numbers its random streams: 1 by version, as old matches did; 2 by the number of draws before. Someone
 * who knows the seed can add versions, by orders that change nothing, and even actions, but never a draw.
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
  /** Where an analysis match was forked from; null for other matches. */
  readonly origin: Origin | null;
  /** The state with which an analysis match starts, in place of a set-up. */
  readonly position: object | null;
  /** When a match that was played on another server was imported. */
  readonly importedAt: Date | null;
  /** Thinking time, if it is limited. */
  readonly clock: Clock | null;
  /** Whether anybody may take a seat that a player has left to a bot. */
  readonly takeover: boolean;
  /** Of a rematch: the match before it, and which player may take which seat. */
  readonly rematchOf: string | null;
  readonly reserved: readonly (string | null)[] | null;
  /** The outages since the match was opened. */
  readonly outages: readonly Outage[];
}

/**
 * The match, the version and the seat whose knowledge an analysis match has. A null seat means that everything was
 * known.
 */
export interface Origin {
  readonly match: string;
  readonly at: number;
  readonly seat: Seat | null;
}

/** What the lobby shows of a match: its row and cached columns, without the log. */
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
  /** What a seat contributed to the seed; only with JOINED. */
  readonly entropy: string | null;
  /** The text of the event that everyone may read once it is public. */
  readonly label: string | null;
  /**
   * What on the table an action was about, as a spectator sees it. Null for other events and for those that older
   * servers wrote.
   */
  readonly targets: readonly string[] | null;
  /** What followed from an action by itself. Null for other events and for those that older servers wrote. */
  readonly effects: readonly Effect[] | null;
  readonly secret: boolean;
  /** The epoch, which decides when secrets become public, before this event. */
  readonly epoch: number;
  readonly drew: boolean;
  /** The seats that may act after it. */
  readonly acting: readonly Seat[];
  readonly stateHash: string | null;
  /** In hexadecimal digits: as a list of bytes it would take 0.1 to 0.2 kB more, in every remembered event. */
  readonly hash: string;
  readonly at: Date;
}

/** The events of a match: a list that never changes once made. */
export interface EventLog extends Iterable<LoggedEvent> {
  readonly length: number;
  /** The log after one more event. */
  plus(event: LoggedEvent): EventLog;
  /** The log as it was at that length. */
  upTo(length: number): EventLog;
  /** The same object for every log that shares its memory with this one. */
  readonly line: object;
  /** Like Array.at: 0 is the first event, -1 the last. */
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
  /** The rules by which it is played. */
  readonly engine: Game;
  readonly events: EventLog;
  readonly entropies: readonly (string | null)[];
  /** Null until the match starts. */
  readonly seed: Uint8Array | null;
  readonly state: object | null;
  /** How many events have drawn chance. None of them can be taken back. */
  readonly drawn: number;
  readonly hash: string;
  readonly clocks: Clocks | null;
  /** Seats that a bot plays in place of a player who left. */
  readonly vacant: readonly Seat[];
  /** Seats that were given up; they rank last. */
  readonly lost: readonly Seat[];
  /** Standing orders, by seat. */
  readonly orders: readonly (object | null)[];
}

/** Hashes are chained, so two matches with the same hash have the same history. */
export const sameHash = (a: { readonly hash: string }, b: { readonly hash: string }): boolean => a.hash === b.hash;

/** An event, and the match as it stood when the event was handed out. */
export interface Receipt {
  event: LoggedEvent;
  match: Match;
}
