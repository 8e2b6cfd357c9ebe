/** A match in memory: its log, folded event by event. Objects here are never changed once they are made. */
import type { Game, Result, Seat } from '../../games/game.ts';
import { acting, clone, start, stateHash } from '../../games/play.ts';
import type { EventType } from '../../generated/prisma/enums.ts';
import { STAND_IN } from '../../players/bot-accounts.ts';
import { chain, genesis, seedOf } from '../proof/hashes.ts';
import { firstClocks, tick } from './clock.ts';
import { Log, shaped } from './events.ts';
import type { Clocks, LoggedEvent, Match, MatchRow } from './records.ts';

/** A match without events. */
export function emptyMatch(engine: Game, row: MatchRow): Match {
  const nobody = new Array<null>(row.seatCount).fill(null);
  return shapedMatch({
    ...row,
    version: 0,
    status: 'OPEN',
    seats: nobody,
    acting: [],
    result: null,
    startedAt: null,
    endedAt: null,
    engine,
    events: Log.of(),
    entropies: nobody,
    seed: null,
    state: null,
    drawn: 0,
    hash: genesis(row),
    clocks: firstClocks(row.clock, row.seatCount),
    vacant: [],
    lost: [],
    orders: nobody,
  });
}

/** The match with some fields changed. */
const changed = (match: Match, changes: Partial<Match>): Match => Object.assign(shapedMatch(match), changes);

/**
 * A copy in the one object shape that all matches in memory share. An object with so many fields that is built by
 * spreading another one becomes a hash table, which takes five times as much memory and is slower to make and to read.
 */
const shapedMatch = (match: Match): Match => ({
  id: match.id,
  game: match.game,
  rules: match.rules,
  options: match.options,
  seatCount: match.seatCount,
  visibility: match.visibility,
  invite: match.invite,
  creatorId: match.creatorId,
  serverSeed: match.serverSeed,
  draws: match.draws,
  createdAt: match.createdAt,
  origin: match.origin,
  position: match.position,
  importedAt: match.importedAt,
  clock: match.clock,
  takeover: match.takeover,
  rematchOf: match.rematchOf,
  reserved: match.reserved,
  outages: match.outages,
  version: match.version,
  status: match.status,
  seats: match.seats,
  acting: match.acting,
  result: match.result,
  startedAt: match.startedAt,
  endedAt: match.endedAt,
  engine: match.engine,
  events: match.events,
  entropies: match.entropies,
  seed: match.seed,
  state: match.state,
  drawn: match.drawn,
  hash: match.hash,
  clocks: match.clocks,
  vacant: match.vacant,
  lost: match.lost,
  orders: match.orders,
});

export const seedAtStart = (match: Match): Uint8Array => seedOf(match.serverSeed, match.entropies);

/** The number of the random stream from which the next event of this match draws. */
export const streamOf = ({ draws, version, drawn }: Pick<Match, 'draws' | 'version' | 'drawn'>): number =>
  draws === 1 ? version + 1 : drawn;

export const startingState = (match: Match): object =>
  match.position
    ? clone(match.position)
    : start(match.engine, match.options, match.seatCount, seedAtStart(match), streamOf(match));

/**
 * Folds one event into the match; `state` is the state after it. The clocks follow from who may act, unless they are
 * given: an undo restores the earlier clocks and keeps them running, so that it never earns time.
 */
export function fold(match: Match, event: LoggedEvent, state: object | null, clocks?: Clocks | null): Match {
  // These fields change with every event, and assigning each of them takes half the time of `changed`.
  const moved: { -readonly [Field in keyof Match]: Match[Field] } = shapedMatch(match);
  moved.version = event.version;
  moved.hash = event.hash;
  moved.acting = event.acting;
  moved.state = state;
  moved.drawn = match.drawn + Number(event.drew);
  moved.events = match.events.plus(event);
  const next = folds[event.type](moved, event);
  const after = clocks === undefined ? tick(match, next, event.at) : clocks;
  return after === next.clocks ? next : changed(next, { clocks: after });
}

type Fold = (match: Match, event: LoggedEvent) => Match;

const folds: Record<EventType, Fold> = {
  JOINED: (match, { seat, playerId, entropy }) =>
    (match.state ? takenOver : seated)(match, seat as Seat, playerId, entropy),
  /** Without a seat, the creator cancelled the match or, once it had begun, the operator called it off. */
  LEFT: (match, { seat, at }) => {
    if (seat === null && match.state) return changed(match, { status: 'CANCELLED', endedAt: at });
    return cancelIfEmpty(seat === null ? emptied(match) : seated(match, seat, null, null), at);
  },
  STARTED: (match, { at }) => changed(match, { status: 'ACTIVE', startedAt: at, seed: seedAtStart(match) }),
  ACTED: (match, { at }) => endIfOver(match, at),
  UNDONE: (match) => match,
  RESIGNED: (match, { seat, at }) => givenUp(match, seat as Seat, at),
  TIMED_OUT: (match, { seat, at }) =>
    match.clock?.onTimeout === 'FORFEIT' ? givenUp(match, seat as Seat, at) : leftToBot(match, seat as Seat),
  ORDERED: (match, { seat, action }) => changed(match, { orders: match.orders.with(seat as Seat, orderOf(action)) }),
};

const orderOf = (action: object | null): object | null => (action as { order: object | null } | null)?.order ?? null;

function seated(match: Match, seat: Seat, player: string | null, entropy: string | null): Match {
  return changed(match, { seats: match.seats.with(seat, player), entropies: match.entropies.with(seat, entropy) });
}

const emptied = (match: Match): Match => changed(match, { seats: match.seats.map(() => null) });

const cancelIfEmpty = (match: Match, at: Date): Match =>
  match.seats.every((player) => player === null) ? changed(match, { status: 'CANCELLED', endedAt: at }) : match;

function takenOver(match: Match, seat: Seat, player: string | null): Match {
  const others = (seats: readonly Seat[]) => seats.filter((other) => other !== seat);
  return changed(match, {
    seats: match.seats.with(seat, player),
    vacant: others(match.vacant),
    lost: others(match.lost),
  });
}

const leftToBot = (match: Match, seat: Seat): Match =>
  changed(match, {
    seats: match.seats.with(seat, STAND_IN.id),
    vacant: [...match.vacant, seat],
    orders: match.orders.with(seat, null),
  });

/** The seat ranks last. A bot plays on for it while at least two others play for the ranks above. */
function givenUp(match: Match, seat: Seat, at: Date): Match {
  const lost = [...match.lost, seat];
  if (!endsMatch(match, seat)) return changed(leftToBot(match, seat), { lost });
  const ranks = match.seats.map((_, i) =>
    lost.includes(i) && match.seatCount > 1 ? match.seatCount - lost.length + 1 : 1,
  );
  const result = { scores: ranks.map(() => 0), ranks };
  return changed(match, { lost, status: 'FINISHED', acting: [], result, endedAt: at });
}

/** Whether the match ends when this seat is given up, because nobody is left to play against. */
export const endsMatch = (match: Match, seat: Seat): boolean =>
  match.seatCount - new Set([...match.lost, seat]).size <= 1;

function endIfOver(match: Match, at: Date): Match {
  const result = match.engine.result(match.state as object);
  return result ? changed(match, { status: 'FINISHED', result: withLost(result, match.lost), endedAt: at }) : match;
}

/** Seats that were given up rank behind all others, and among themselves in the order in which they finished. */
function withLost({ scores, ranks }: Result, lost: readonly Seat[]): Result {
  if (lost.length === 0) return { scores, ranks };
  const worse = (a: Seat, b: Seat) =>
    Number(lost.includes(a)) - Number(lost.includes(b)) || (ranks[a] as number) - (ranks[b] as number);
  return { scores, ranks: ranks.map((_, a) => 1 + ranks.filter((_rank, b) => worse(a, b) > 0).length) };
}

/** What a command specifies of the event it wants to append; the rest follows from the match. */
export type Draft = Pick<LoggedEvent, 'type' | 'seat'> & Partial<LoggedEvent>;

/**
 * The match after a new event, which becomes the last of its log. `state` is the state after it; `clocks` is as for
 * `fold`.
 */
export function compose(match: Match, draft: Draft, state: object | null, now: Date, clocks?: Clocks | null): Match {
  const { type, seat, action = null, entropy = null } = draft;
  const seed = type === 'STARTED' ? seedAtStart(match) : match.seed;
  const last = match.events.at(match.version - 1)?.at;
  const version = match.version + 1;
  const hashOfState = state && seed ? stateHash(seed, state) : null;
  // Clocks of several servers differ a little, but the log never goes back in time.
  const at = last && last > now ? last : now;
  const event = shaped({
    version,
    type,
    seat,
    playerId: draft.playerId ?? null,
    action,
    actionId: draft.actionId ?? null,
    entropy,
    label: draft.label ?? null,
    targets: draft.targets ?? null,
    effects: draft.effects ?? null,
    secret: draft.secret ?? false,
    epoch: draft.epoch ?? 0,
    drew: draft.drew ?? false,
    acting:
      state && !isCalledOff(draft) && !isLastToGo(match, draft) ? acting(match.engine, state, match.seatCount) : [],
    stateHash: hashOfState,
    hash: chain(match.hash, { version, type, seat, action, entropy, at, stateHash: hashOfState }),
    at,
  });
  return fold(match, event, state, clocks);
}

const isCalledOff = ({ type, seat }: Draft): boolean => type === 'LEFT' && seat === null;

/** Whether the draft gives up a seat and thereby ends the match, whatever the rules would still allow. */
const isLastToGo = (match: Match, { type, seat }: Draft): boolean =>
  seat !== null &&
  (type === 'RESIGNED' || (type === 'TIMED_OUT' && match.clock?.onTimeout === 'FORFEIT')) &&
  endsMatch(match, seat);
