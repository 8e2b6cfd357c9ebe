/** The one projection that feeds every channel: what a caller may know of a match, and no more (design: secrets). */
import { AtollError } from '../errors.ts';
import type { Seat } from '../games/game.ts';
import { deadlines } from '../matches/clock.ts';
import { type Caller, isInside, seatOf } from '../matches/commands.ts';
import { documentOf, type MatchDocument } from '../matches/document.ts';
import { type LoggedEvent, type Match, matchAt, type Receipt, type Summary } from '../matches/match.ts';
import { commitment } from '../matches/proof.ts';
import { type Refusal, undoable, undoSeat } from '../matches/undo.ts';
import type { Player } from '../players/service.ts';

export const MAX_EVENTS = 500;

/** Which version is looked at, and through whose eyes. */
export interface Look {
  at?: number | null;
  seat?: number | null;
}

/** The seat whose eyes the caller looks through; null = a spectator's. After the end, any seat's. */
function eyesOf(match: Match, caller: Caller, seat: number | null | undefined): Seat | null {
  const mine = seatOf(match, caller);
  if (seat === null || seat === undefined || seat === mine) return mine;
  if (!Number.isInteger(seat) || seat < 0 || seat >= match.seatCount) {
    throw new AtollError('BAD_INPUT', `This match has the seats 0 to ${match.seatCount - 1}`);
  }
  if (match.status !== 'FINISHED' && !match.origin)
    throw new AtollError('FORBIDDEN', "Another seat's eyes are open after the end only");
  return seat;
}

/** The earlier version that was last looked at: a page asks for its view and its board, an operation perhaps for many. */
const lookedAt = new WeakMap<Match, Match>();

function earlier(match: Match, version: number): Match {
  const known = lookedAt.get(match);
  if (known?.version === version) return known;
  const found = matchAt(match, version);
  if (found !== match) lookedAt.set(match, found);
  return found;
}

function viewAt(match: Match, caller: Caller, { at, seat }: Look): object | null {
  const eyes = eyesOf(match, caller, seat);
  const version = at ?? match.version;
  if (!Number.isInteger(version) || version < 0 || version > match.version) {
    throw new AtollError('BAD_INPUT', `at is a version of this match, 0 to ${match.version}`, {
      version: match.version,
    });
  }
  const { state, rulesOf } = earlier(match, version);
  return state && rulesOf.view(state, eyes);
}

export const view = viewAt;

export function board(match: Match, caller: Caller, look: Look): string | null {
  const seen = viewAt(match, caller, look);
  return seen && match.rulesOf.svg(seen);
}

export function legalActions(match: Match, caller: Caller): { action: object; label: string }[] {
  const seat = seatOf(match, caller);
  if (seat === null || !match.state || match.endedAt) return [];
  const { rulesOf, state } = match;
  const list = rulesOf.legal(state, seat);
  if (list.length === 0) return [];
  const seen = rulesOf.view(state, seat);
  return list.map((action) => ({ action, label: rulesOf.label(action, seen) }));
}

/** An event as this caller may know it, and the match it belongs to. */
export interface SeenEvent {
  version: number;
  type: LoggedEvent['type'];
  seat: Seat | null;
  action: object | null;
  label: string | null;
  acting: readonly Seat[];
  at: Date;
  hash: string;
  match: Match;
}

/** What a caller did, and what was done for the seat it has; but an order is a word of its player, not of the seat. */
const isOwn = ({ seats }: Match, { type, seat, playerId }: LoggedEvent, caller: Caller): boolean =>
  caller !== null && (playerId === caller.id || (type !== 'ORDERED' && seat !== null && seats[seat] === caller.id));

/** A secret action of another seat stays hidden until the epoch in which it was made has passed. */
export function seenEvent(match: Match, event: LoggedEvent, caller: Caller): SeenEvent {
  const { version, type, seat, acting, at } = event;
  const hidden = event.secret && !isOwn(match, event, caller) && !isPublic(match, event);
  const [action, label] = hidden ? [null, null] : [event.action, event.label];
  return { version, type, seat, action, label, acting, at, hash: Buffer.from(event.hash).toString('hex'), match };
}

const isPublic = (match: Match, event: LoggedEvent): boolean =>
  match.status === 'FINISHED' ||
  (match.state !== null && match.rulesOf.epoch(match.state) > event.epoch && !isTakenBack(match, event));

/** What was taken back was never played, so no step reveals it: that a seat could have played it is told at the end. */
const isTakenBack = (match: Match, { type, version }: LoggedEvent): boolean =>
  type === 'UNDONE' || match.events.isUndone(version);

export function history(match: Match, caller: Caller, after = 0, first = 100): SeenEvent[] {
  if (!Number.isInteger(after) || after < 0) throw new AtollError('BAD_INPUT', 'after is a version, 0 or more');
  if (!Number.isInteger(first) || first < 1 || first > MAX_EVENTS) {
    throw new AtollError('BAD_INPUT', `first is a number from 1 to ${MAX_EVENTS}`);
  }
  return match.events.slice(after, after + first).map((event) => seenEvent(match, event, caller));
}

/** Whether an action has been taken back by now. */
export const isUndone = ({ match, version }: SeenEvent): boolean => match.events.isUndone(version);

/** The standing order of the caller's own seat. */
export function myOrder(match: Match, caller: Caller): object | null {
  const seat = seatOf(match, caller);
  return seat === null ? null : (match.orders[seat] ?? null);
}

export interface UndoCheck {
  possible: boolean;
  reason: Refusal | null;
}

export function canUndo(match: Match, caller: Caller): UndoCheck {
  const target = undoable(match, undoSeat(match, caller));
  return typeof target === 'string' ? { possible: false, reason: target } : { possible: true, reason: null };
}

/** The whole document after the end; before it, only what the caller may know: no seed, no hash of a state, no secret. */
export function exported(match: Match, caller: Caller, names: readonly string[]): MatchDocument {
  const document = documentOf(match, names);
  if (match.endedAt) return document;
  const events = document.events.map((event, i) => {
    const { action } = seenEvent(match, match.events.at(i) as LoggedEvent, caller);
    return { ...event, action: action as typeof event.action, entropy: null, stateHash: null };
  });
  return { ...document, serverSeed: null, events };
}

export interface PresentReceipt {
  version: number;
  event: SeenEvent;
  match: Match;
}

export const receipt = ({ event, match }: Receipt, caller: Caller): PresentReceipt => ({
  version: event.version,
  event: seenEvent(match, event, caller),
  match,
});

export interface PresentSeat {
  index: number;
  playerId: string | null;
  acting: boolean;
  deadline: Date | null;
  bankSeconds: number | null;
  vacant: boolean;
}

export function seats(match: Match): PresentSeat[] {
  const until = deadlines(match);
  return match.seats.map((playerId, index) => ({
    index,
    playerId,
    acting: match.acting.includes(index),
    deadline: until[index] ?? null,
    bankSeconds: match.clocks ? Math.floor((match.clocks.bank[index] as number) / 1000) : null,
    vacant: match.vacant.includes(index),
  }));
}

/** What lists show of seats: the log, from which the clocks follow, is not read for them. */
const briefSeats = (match: Summary) =>
  match.seats.map((playerId, index) => ({ index, playerId, acting: match.acting.includes(index) }));

export const mySeat = (match: Summary, caller: Caller): Seat | null => seatOf(match, caller);

export const invite = (match: Summary, caller: Caller): string | null =>
  isInside(match, caller) ? match.invite : null;

export const commitmentOf = (match: Summary): string => commitment(match.serverSeed);

/** Published once nothing is left to be drawn from it. */
export const seed = (match: Summary): string | null =>
  match.endedAt ? Buffer.from(match.serverSeed).toString('hex') : null;

/** A match as the REST face shows it. */
export function matchJson(match: Summary, caller: Caller, playerOf: (id: string) => Player | null) {
  const { id, game, rules, options, status, visibility, version, acting, result, createdAt, startedAt, endedAt } =
    match;
  return {
    id,
    game,
    rules,
    options,
    status,
    visibility,
    invite: invite(match, caller),
    version,
    seats: ('events' in match ? seats(match as Match) : briefSeats(match)).map(({ playerId, ...seat }) => ({
      ...seat,
      player: playerId && playerOf(playerId),
    })),
    acting,
    mySeat: mySeat(match, caller),
    ...('events' in match && { canUndo: canUndo(match as Match, caller) }),
    clock: match.clock,
    takeover: match.takeover,
    rematchOf: match.rematchOf,
    origin: match.origin && { matchId: match.origin.match, at: match.origin.at, seat: match.origin.seat },
    importedAt: match.importedAt,
    result,
    commitment: commitmentOf(match),
    seed: seed(match),
    createdAt,
    startedAt,
    endedAt,
  };
}
