/** Which seat a caller has in a match, and what the caller may know of it. */
import type { Seat } from '../../games/game.ts';
import type { Player } from '../../players/player.ts';
import type { Match, Summary } from '../log/records.ts';

/** The player who asks, or null for a caller who is not signed in. */
export type Caller = Player | null;

/** A caller with several seats, as in an analysis match, acts for the first one that may act. */
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

/** Whether the caller is seated or created the match: those players may pass on the invite. */
export const isInside = (match: Summary, caller: Caller): boolean =>
  caller !== null && (match.creatorId === caller.id || seatOf(match, caller) !== null);

/** A player who gave up a seat may still watch, and may join the rematch. */
const hasPlayed = ({ events }: Match, caller: Caller): boolean =>
  caller !== null &&
  events.findLast(({ type, playerId }) => playerId === caller.id && (type === 'RESIGNED' || type === 'TIMED_OUT')) !==
    undefined;
