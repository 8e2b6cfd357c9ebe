/** Who a caller is at a table, and what it may know of it. */
import type { Seat } from '../../games/game.ts';
import type { Player } from '../../players/player.ts';
import type { Match, Summary } from '../log/records.ts';

/** Who asks: a player, or anybody. */
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

/** Seated, or the creator: those who may hand on the invite. */
export const isInside = (match: Summary, caller: Caller): boolean =>
  caller !== null && (match.creatorId === caller.id || seatOf(match, caller) !== null);

/** Whoever gave up a seat may still look on, and come to the rematch. */
const hasPlayed = ({ events }: Match, caller: Caller): boolean =>
  caller !== null &&
  events.findLast(({ type, playerId }) => playerId === caller.id && (type === 'RESIGNED' || type === 'TIMED_OUT')) !==
    undefined;
