/** A match in memory: what its log says, folded event by event. Objects here are never changed once made. */
import type { Game, Result, Seat } from '../games/game.ts';
import { acting, clone, stateHash } from '../games/play.ts';
import { rngFor } from '../games/rng.ts';
import type { EventType, MatchStatus, Visibility } from '../generated/prisma/enums.ts';
import { STAND_IN } from '../players/bots.ts';
import { type Clock, type Clocks, firstClocks, type Outage, tick } from './clock.ts';
import { Log, undoneBy } from './log.ts';
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
  readonly events: Log;
  readonly entropies: readonly (string | null)[];
  /** From the start on. */
  readonly seed: Uint8Array | null;
  readonly state: object | null;
  readonly hash: Uint8Array;
  readonly clocks: Clocks | null;
  /** Seats that a bot plays for a player who left. */
  readonly vacant: readonly Seat[];
  /** Seats that were given up: they rank last. */
  readonly lost: readonly Seat[];
  /** Standing orders, by seat. */
  readonly orders: readonly (object | null)[];
}

/** An event, and the match as it stood when the event was handed out. */
export interface Receipt {
  event: LoggedEvent;
  match: Match;
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
    events: Log.of(),
    entropies: nobody,
    seed: null,
    state: null,
    hash: genesis(row),
    clocks: firstClocks(row.clock, row.seatCount),
    vacant: [],
    lost: [],
    orders: nobody,
  };
}

/** The match after committed events: trusted, replayed on a copy of the state, made once for all of them. */
export function advance(match: Match, events: readonly LoggedEvent[]): Match {
  // What is taken back within these events need not be played at all: undoing leads back to the very state before.
  const undone = undoneVersions(events);
  const before = new Map<number, Clocks | null>(); // the clocks as they stood when an action came that is taken back
  let next = match;
  let state = match.state && events.length > 0 ? clone(match.state) : match.state;
  for (const event of events) {
    if (event.type === 'STARTED') state = startingState(next, event.version);
    let clocks: Clocks | null | undefined;
    if (event.type === 'ACTED') {
      if (undone.has(event.version)) {
        clocks = next.clocks;
        before.set(event.version, clocks);
      } else
        next.rulesOf.apply(
          state as object,
          event.seat as Seat,
          event.action as object,
          rngFor(next.seed as Uint8Array, event.version),
        );
    }
    if (event.type === 'UNDONE') {
      const earlier = undoneBy(event) <= match.version ? matchAt(match, undoneBy(event) - 1) : null;
      if (earlier) state = clone(earlier.state);
      // Not those of now: an order may have come in between, and its event ticks.
      clocks = earlier ? earlier.clocks : before.get(undoneBy(event));
    }
    next = fold(next, event, state, clocks);
  }
  return next;
}

/** The versions of all actions that these events took back. */
const undoneVersions = (events: readonly LoggedEvent[]): Set<number> =>
  new Set(events.filter(({ type }) => type === 'UNDONE').map(undoneBy));

export const seedAtStart = (match: Match): Uint8Array => seedOf(match.serverSeed, match.entropies);

export const startingState = (match: Match, version: number): object =>
  match.position
    ? clone(match.position)
    : match.rulesOf.setup(match.options, match.seatCount, rngFor(seedAtStart(match), version));

/**
 * One event folded into the match; `state` is the one after it. The clocks follow from who may
 * act, unless they are given: an undo puts them back to where they were, and running, so that it never earns time.
 */
function fold(match: Match, event: LoggedEvent, state: object | null, clocks?: Clocks | null): Match {
  const { version, hash, acting } = event;
  const next = folds[event.type]({ ...match, version, hash, acting, state, events: match.events.plus(event) }, event);
  const after = clocks === undefined ? tick(match, next, event.at) : clocks;
  return after === next.clocks ? next : { ...next, clocks: after };
}

type Fold = (match: Match, event: LoggedEvent) => Match;

const folds: Record<EventType, Fold> = {
  JOINED: (match, { seat, playerId, entropy }) =>
    (match.state ? takenOver : seated)(match, seat as Seat, playerId, entropy),
  /** Without a seat: the creator cancelled the match. */
  LEFT: (match, { seat, at }) => cancelIfEmpty(seat === null ? emptied(match) : seated(match, seat, null, null), at),
  STARTED: (match, { at }) => ({ ...match, status: 'ACTIVE', startedAt: at, seed: seedAtStart(match) }),
  ACTED: (match, { at }) => endIfOver(match, at),
  UNDONE: (match) => match,
  RESIGNED: (match, { seat, at }) => givenUp(match, seat as Seat, at),
  TIMED_OUT: (match, { seat, at }) =>
    match.clock?.onTimeout === 'FORFEIT' ? givenUp(match, seat as Seat, at) : leftToBot(match, seat as Seat),
  ORDERED: (match, { seat, action }) => ({ ...match, orders: match.orders.with(seat as Seat, orderOf(action)) }),
};

const orderOf = (action: object | null): object | null => (action as { order: object | null } | null)?.order ?? null;

function seated(match: Match, seat: Seat, player: string | null, entropy: string | null): Match {
  return { ...match, seats: match.seats.with(seat, player), entropies: match.entropies.with(seat, entropy) };
}

const emptied = (match: Match): Match => ({ ...match, seats: match.seats.map(() => null) });

const cancelIfEmpty = (match: Match, at: Date): Match =>
  match.seats.every((player) => player === null) ? { ...match, status: 'CANCELLED', endedAt: at } : match;

function takenOver(match: Match, seat: Seat, player: string | null): Match {
  const others = (seats: readonly Seat[]) => seats.filter((other) => other !== seat);
  return { ...match, seats: match.seats.with(seat, player), vacant: others(match.vacant), lost: others(match.lost) };
}

const leftToBot = (match: Match, seat: Seat): Match => ({
  ...match,
  seats: match.seats.with(seat, STAND_IN.id),
  vacant: [...match.vacant, seat],
  orders: match.orders.with(seat, null),
});

/** The seat ranks last; a bot plays it on while at least two others play for the ranks above. */
function givenUp(match: Match, seat: Seat, at: Date): Match {
  const lost = [...match.lost, seat];
  if (!endsMatch(match, seat)) return { ...leftToBot(match, seat), lost };
  const ranks = match.seats.map((_, i) =>
    lost.includes(i) && match.seatCount > 1 ? match.seatCount - lost.length + 1 : 1,
  );
  return { ...match, lost, status: 'FINISHED', acting: [], result: { scores: ranks.map(() => 0), ranks }, endedAt: at };
}

/** Whether the match is over once this seat is given up: nobody is left to play against. */
export const endsMatch = (match: Match, seat: Seat): boolean =>
  match.seatCount - new Set([...match.lost, seat]).size <= 1;

function endIfOver(match: Match, at: Date): Match {
  const result = match.rulesOf.result(match.state as object);
  return result ? { ...match, status: 'FINISHED', result: withLost(result, match.lost), endedAt: at } : match;
}

/** Seats that were given up rank behind all others, among themselves as they finished. */
function withLost({ scores, ranks }: Result, lost: readonly Seat[]): Result {
  if (lost.length === 0) return { scores, ranks };
  const worse = (a: Seat, b: Seat) =>
    Number(lost.includes(a)) - Number(lost.includes(b)) || (ranks[a] as number) - (ranks[b] as number);
  return { scores, ranks: ranks.map((_, a) => 1 + ranks.filter((_rank, b) => worse(a, b) > 0).length) };
}

/** What a command says of the event it wants to append; the rest follows from the match. */
export type Draft = Pick<LoggedEvent, 'type' | 'seat'> & Partial<LoggedEvent>;

/** The match after a new event, which is the last of its list. `state` is the one after it; `clocks` as for `fold`. */
export function compose(match: Match, draft: Draft, state: object | null, now: Date, clocks?: Clocks | null): Match {
  const seed = draft.type === 'STARTED' ? seedAtStart(match) : match.seed;
  const last = match.events.at(match.version - 1)?.at;
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
    acting: state && !isLastToGo(match, draft) ? acting(match.rulesOf, state, match.seatCount) : [],
    stateHash: state && seed ? stateHash(seed, state) : null,
    // Clocks of several servers differ a little: the log never goes back in time.
    at: last && last > now ? last : now,
  };
  return fold(match, { ...event, hash: chain(match.hash, event) }, state, clocks);
}

/** Whether the draft gives up a seat and so ends the match, whatever the rules would still allow. */
const isLastToGo = (match: Match, { type, seat }: Draft): boolean =>
  seat !== null &&
  (type === 'RESIGNED' || (type === 'TIMED_OUT' && match.clock?.onTimeout === 'FORFEIT')) &&
  endsMatch(match, seat);

/** The match as it stood at an earlier version, rebuilt from its log. */
export function matchAt(match: Match, version: number): Match {
  return version === match.version ? match : advance(emptyMatch(match.rulesOf, match), match.events.slice(0, version));
}
