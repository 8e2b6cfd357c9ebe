/** What each command makes of a match: pure, so that a verifier can run the same steps without a server. */
import { AtollError } from '../errors.ts';
import type { Seat } from '../games/game.ts';
import { lookUp, same, take } from '../games/play.ts';
import { rngFor } from '../games/rng.ts';
import type { Player } from '../players/service.ts';
import { whenNeeded } from './lazy.ts';
import { compose, type LoggedEvent, type Match, type Summary } from './match.ts';

/** Who asks: a player, or anybody. */
export type Caller = Player | null;

export interface Submission {
  matchId: string;
  expectedVersion?: number | null;
  actionId?: string | null;
  action: unknown;
}

const MAX_TEXT = 100;
/** Whoever has several seats, as in an analysis match, acts for the first that may act. */
export function seatOf(match: Summary, caller: Caller): Seat | null {
  if (!caller) return null;
  const seat = match.acting.find((acting) => match.seats[acting] === caller.id) ?? match.seats.indexOf(caller.id);
  return seat < 0 ? null : seat;
}

/** Whether this caller may know that the match exists. */
export const maySee = (match: Match, caller: Caller, invite?: string | null): boolean =>
  match.visibility === 'PUBLIC' ||
  isInside(match, caller) ||
  (match.invite !== null && match.invite === invite) ||
  hasPlayed(match, caller);

/** Seated, or the creator: those who may hand on the invite. */
export const isInside = (match: Summary, caller: Caller): boolean =>
  caller !== null && (match.creatorId === caller.id || seatOf(match, caller) !== null);

/** Whoever gave up a seat may still look on, and come to the rematch. */
const hasPlayed = ({ events }: Match, caller: Caller): boolean =>
  caller !== null &&
  events.findLast(({ type, playerId }) => playerId === caller.id && (type === 'RESIGNED' || type === 'TIMED_OUT')) !==
    undefined;

/** PostgreSQL keeps no NUL, and half a surrogate pair would come back as another text than the one that was hashed. */
export const isText = (value: string): boolean => !/[\0\p{Cs}]/u.test(value);

export function shortText(what: string, value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (value.length >= 1 && value.length <= MAX_TEXT && isText(value)) return value;
  throw new AtollError(
    'BAD_INPUT',
    `${what} is a text of 1 to ${MAX_TEXT} characters, without NUL or half a character`,
  );
}

export const stale = ({ version }: Match) =>
  new AtollError('STALE_VERSION', `This match is at version ${version} by now`, { version });

/** Steps 2 to 4: the earlier event if this action was taken already, else the match after it. */
export function decide(match: Match, player: Player, submission: Submission, now: Date): Match | LoggedEvent {
  // 2 action id seen before: its receipt, whatever has become of the player's seat since
  const actionId = shortText('actionId', submission.actionId);
  const earlier = actionId === null ? undefined : match.events.byActionId(player.id, actionId);
  if (earlier) {
    if (same(earlier.action, submission.action)) return earlier;
    throw new AtollError('ACTION_ID_REUSED', 'This actionId was used for another action', { version: earlier.version });
  }
  const seat = seatOf(match, player);
  if (seat === null) throw new AtollError('NOT_SEATED', 'You have no seat in this match');
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
  const label = game.label(
    action,
    whenNeeded(() => game.view(before, null)),
  );
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
  if (!couldAct(match.events.at(expected - 1))) return false;
  return match.events
    .slice(expected)
    .every((event) => event.type === 'ORDERED' || (event.type === 'ACTED' && event.seat !== seat && couldAct(event)));
}
