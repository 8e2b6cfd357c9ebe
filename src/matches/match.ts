/** A match in memory: what its log says, folded event by event. Objects here are never changed once made. */
import type { Game, Result, Seat } from '../games/game.ts';
import { acting, clone, stateHash } from '../games/play.ts';
import { rngFor } from '../games/rng.ts';
import type { EventType, MatchStatus, Visibility } from '../generated/prisma/enums.ts';
import { chain, genesis, seedOf } from './proof.ts';

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
  readonly createdAt: Date;
  /** Of an analysis match: where it was forked from. */
  readonly origin: Origin | null;
  /** Of an analysis match: the state it starts with, in place of a set-up. */
  readonly position: object | null;
  /** Of a match that was played on another server. */
  readonly importedAt: Date | null;
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

export interface Match extends Summary {
  readonly rulesOf: Game;
  readonly events: readonly LoggedEvent[];
  readonly entropies: readonly (string | null)[];
  /** From the start on. */
  readonly seed: Uint8Array | null;
  readonly state: object | null;
  readonly hash: Uint8Array;
}

/** A match without events. */
export function emptyMatch(rulesOf: Game, row: MatchRow): Match {
  const nobody = new Array<null>(row.seatCount).fill(null);
  return {
    ...row,
    version: 0,
    status: 'OPEN',
    seats: nobody,
    acting: [],
    result: null,
    startedAt: null,
    endedAt: null,
    rulesOf,
    events: [],
    entropies: nobody,
    seed: null,
    state: null,
    hash: genesis(row),
  };
}

/** The match after committed events: trusted, replayed on a copy of the state, made once for all of them. */
export function advance(match: Match, events: readonly LoggedEvent[]): Match {
  // What is taken back within these events need not be played at all: undoing leads back to the very state before.
  const undone = undoneVersions(events);
  let next = match;
  let state = match.state && events.length > 0 ? clone(match.state) : match.state;
  for (const event of events) {
    if (event.type === 'STARTED') state = startingState(next, event.version);
    if (event.type === 'ACTED' && !undone.has(event.version)) {
      const rng = rngFor(next.seed as Uint8Array, event.version);
      next.rulesOf.apply(state as object, event.seat as Seat, event.action as object, rng);
    }
    if (event.type === 'UNDONE' && undoneBy(event) <= match.version) {
      state = clone(matchAt({ ...next, events: match.events }, undoneBy(event) - 1).state);
    }
    next = fold(next, event, state);
  }
  return { ...next, events: [...match.events, ...events] };
}

/** The version of the action that an UNDONE event took back. */
export const undoneBy = (event: LoggedEvent): number => (event.action as { version: number }).version;

/** The versions of all actions that these events took back. */
export const undoneVersions = (events: readonly LoggedEvent[]): Set<number> =>
  new Set(events.filter(({ type }) => type === 'UNDONE').map(undoneBy));

export const seedAtStart = (match: Match): Uint8Array => seedOf(match.serverSeed, match.entropies);

export const startingState = (match: Match, version: number): object =>
  match.position
    ? clone(match.position)
    : match.rulesOf.setup(match.options, match.seatCount, rngFor(seedAtStart(match), version));

/** One event folded into everything but the list of events; `state` is the one after it. */
function fold(match: Match, event: LoggedEvent, state: object | null): Match {
  const next = { ...match, version: event.version, hash: event.hash, acting: event.acting, state };
  if (event.type === 'JOINED') return seated(next, event.seat as Seat, event.playerId, event.entropy);
  if (event.type === 'LEFT') return cancelIfEmpty(seated(next, event.seat as Seat, null, null), event.at);
  if (event.type === 'STARTED') return { ...next, status: 'ACTIVE', startedAt: event.at, seed: seedAtStart(match) };
  const result = match.rulesOf.result(state as object);
  return result ? { ...next, status: 'FINISHED', result, endedAt: event.at } : next;
}

function seated(match: Match, seat: Seat, player: string | null, entropy: string | null): Match {
  return { ...match, seats: match.seats.with(seat, player), entropies: match.entropies.with(seat, entropy) };
}

const cancelIfEmpty = (match: Match, at: Date): Match =>
  match.seats.every((player) => player === null) ? { ...match, status: 'CANCELLED', endedAt: at } : match;

/** What a command says of the event it wants to append; the rest follows from the match. */
export type Draft = Pick<LoggedEvent, 'type' | 'seat'> & Partial<LoggedEvent>;

/** The match after a new event, which is the last of its list. `state` is the one after the event. */
export function compose(match: Match, draft: Draft, state: object | null, now: Date): Match {
  const seed = draft.type === 'STARTED' ? seedAtStart(match) : match.seed;
  const last = match.events[match.version - 1]?.at;
  const event = {
    playerId: null,
    action: null,
    actionId: null,
    entropy: null,
    label: null,
    secret: false,
    epoch: 0,
    drew: false,
    ...draft,
    version: match.version + 1,
    acting: state ? acting(match.rulesOf, state, match.seatCount) : [],
    stateHash: state && seed ? stateHash(seed, state) : null,
    // Clocks of several servers differ a little: the log never goes back in time.
    at: last && last > now ? last : now,
  };
  const hashed = { ...event, hash: chain(match.hash, event) };
  return { ...fold(match, hashed, state), events: [...match.events, hashed] };
}

/** The match as it stood at an earlier version, rebuilt from its log. */
export function matchAt(match: Match, version: number): Match {
  return version === match.version ? match : advance(emptyMatch(match.rulesOf, match), match.events.slice(0, version));
}
