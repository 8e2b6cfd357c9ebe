/** What each command makes of a match: pure, so that a verifier can run the same steps without a server. */
import { randomBytes } from 'node:crypto';
import { AtollError } from '../errors.ts';
import type { Seat } from '../games/game.ts';
import { lookUp, optionsFor, same, seatsFor, take } from '../games/play.ts';
import type { Registry } from '../games/registry.ts';
import { rngFor } from '../games/rng.ts';
import type { Visibility } from '../generated/prisma/enums.ts';
import { newId } from '../id.ts';
import type { Player } from '../players/service.ts';
import { compose, emptyMatch, type LoggedEvent, type Match, type Summary, startingState } from './match.ts';

/** Who asks: a player, or anybody. */
export type Caller = Player | null;

export interface CreateInput {
  game: string;
  seats: number;
  options?: unknown;
  visibility?: Visibility | null;
  sit?: boolean | null;
  entropy?: string | null;
}

export interface Submission {
  matchId: string;
  expectedVersion?: number | null;
  actionId?: string | null;
  action: unknown;
}

const MAX_TEXT = 100;
/** In an analysis match one player has every seat: it acts for whichever is to act first. */
export function seatOf(match: Summary, caller: Caller): Seat | null {
  if (match.origin && caller?.id === match.creatorId) return match.acting[0] ?? 0;
  const seat = caller ? match.seats.indexOf(caller.id) : -1;
  return seat < 0 ? null : seat;
}

/** Whether this caller may know that the match exists. */
export const maySee = (match: Summary, caller: Caller, invite?: string | null): boolean =>
  match.visibility === 'PUBLIC' || isInside(match, caller) || (match.invite !== null && match.invite === invite);

/** Seated, or the creator: those who may hand on the invite. */
export const isInside = (match: Summary, caller: Caller): boolean =>
  caller !== null && (match.creatorId === caller.id || seatOf(match, caller) !== null);

export function shortText(what: string, value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (value.length >= 1 && value.length <= MAX_TEXT) return value;
  throw new AtollError('BAD_INPUT', `${what} has 1 to ${MAX_TEXT} characters`);
}

export const stale = ({ version }: Match) =>
  new AtollError('STALE_VERSION', `This match is at version ${version} by now`, { version });

/** A new match, with its creator seated and, if that fills it, already started. */
export function openingOf(registry: Registry, player: Player, input: CreateInput, now: Date): Match {
  const game = registry.game(input.game);
  const match = emptyMatch(game, {
    id: newId(now.getTime()),
    game: game.id,
    rules: game.rules,
    options: optionsFor(game, input.options),
    seatCount: seatsFor(game, input.seats),
    visibility: input.visibility ?? 'PUBLIC',
    invite: input.visibility === 'PRIVATE' ? randomBytes(12).toString('base64url') : null,
    creatorId: player.id,
    serverSeed: randomBytes(32),
    createdAt: now,
    origin: null,
    position: null,
    importedAt: null,
  });
  const entropy = shortText('entropy', input.entropy);
  return (input.sit ?? true) ? joined(match, player, 0, entropy, now) : match;
}

/** The match after this player sat down; it starts with the last seat taken. */
export function joined(match: Match, player: Player, wanted: Seat | null, entropy: string | null, now: Date): Match {
  const mine = seatOf(match, player);
  if (mine !== null && (wanted === null || wanted === mine)) return match;
  if (mine !== null) throw new AtollError('BAD_INPUT', `You already have seat ${mine}`);
  if (wanted !== null && !(Number.isInteger(wanted) && wanted >= 0 && wanted < match.seatCount)) {
    throw new AtollError('BAD_INPUT', `This match has the seats 0 to ${match.seatCount - 1}`);
  }
  if (match.status === 'CANCELLED') throw new AtollError('MATCH_OVER', 'This match was cancelled');
  const seat = wanted ?? match.seats.indexOf(null);
  if (seat < 0) throw new AtollError('MATCH_FULL', 'Every seat of this match is taken');
  if (match.seats[seat] !== null) throw new AtollError('MATCH_FULL', `Seat ${seat} of this match is taken`);
  const sat = compose(match, { type: 'JOINED', seat, playerId: player.id, entropy }, null, now);
  if (sat.seats.includes(null)) return sat;
  const state = startingState(sat, sat.version + 1);
  return compose(sat, { type: 'STARTED', seat: null, drew: true }, state, now);
}

export function left(match: Match, player: Player, now: Date): Match {
  const seat = seatOf(match, player);
  if (seat === null) throw new AtollError('NOT_SEATED', 'You have no seat in this match');
  if (match.status !== 'OPEN') throw new AtollError('FORBIDDEN', 'A match can be left before its start only');
  return compose(match, { type: 'LEFT', seat, playerId: player.id }, null, now);
}

/** Steps 2 to 4: the earlier event if this action was taken already, else the match after it. */
export function decide(match: Match, player: Player, submission: Submission, now: Date): Match | LoggedEvent {
  const seat = seatOf(match, player);
  if (seat === null) throw new AtollError('NOT_SEATED', 'You have no seat in this match');
  // 2 action id seen before: its receipt
  const actionId = shortText('actionId', submission.actionId);
  const earlier = actionId === null ? undefined : match.events.find((e) => e.seat === seat && e.actionId === actionId);
  if (earlier) {
    if (same(earlier.action, submission.action)) return earlier;
    throw new AtollError('ACTION_ID_REUSED', 'This actionId was used for another action', { version: earlier.version });
  }
  if (match.endedAt) throw new AtollError('MATCH_OVER', 'This match is over', { version: match.version });
  if (!match.state) throw new AtollError('MATCH_NOT_ACTIVE', 'This match has not started yet');
  // 3 stale version: only if nothing since then could matter to this seat
  if (!isCurrent(match, seat, submission.expectedVersion)) {
    throw new AtollError('STALE_VERSION', `This match is at version ${match.version} by now`, {
      version: match.version,
    });
  }
  // 4 play
  const action = lookUp(match.rulesOf, match.state, seat, submission.action);
  return acted(match, seat, player.id, action, actionId, now);
}

/** The match after a legal action. */
export function acted(
  match: Match,
  seat: Seat,
  playerId: string | null,
  action: object,
  actionId: string | null,
  now: Date,
): Match {
  const { rulesOf: game, state: before, seed } = match;
  if (!before || !seed) throw new AtollError('MATCH_NOT_ACTIVE', 'This match has not started yet');
  const rng = rngFor(seed, match.version + 1);
  const state = take(game, before, seat, action, rng);
  const label = game.label(action, game.view(before, null));
  const [epoch, secret] = [game.epoch(before), game.isSecret(action)];
  return compose(
    match,
    { type: 'ACTED', seat, playerId, action, actionId, label, secret, epoch, drew: rng.used },
    state,
    now,
  );
}

/** Whether a decision made at that version still stands: since then only others acted, and this seat could act throughout. */
function isCurrent(match: Match, seat: Seat, expected: number | null | undefined): boolean {
  if (expected === null || expected === undefined || expected === match.version) return true;
  if (!Number.isInteger(expected) || expected < 1 || expected > match.version) return false;
  const couldAct = (event: LoggedEvent | undefined) => event?.acting.includes(seat) ?? false;
  if (!couldAct(match.events[expected - 1])) return false;
  return match.events
    .slice(expected)
    .every((event) => event.type === 'ACTED' && event.seat !== seat && couldAct(event));
}
