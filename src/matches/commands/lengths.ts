/** How long a match may become. Giving up is always possible, so that every match can come to an end. */
import { type AtollError, refusals } from '../../errors.ts';
import type { Seat } from '../../games/game.ts';
import type { EventType } from '../../generated/prisma/enums.ts';
import type { Match } from '../log/records.ts';

/** Each throws QUOTA_EXCEEDED. */
export interface Lengths {
  /** Before an event that is not needed to end the match. */
  checkMatch(match: Match): void;
  /** Before a standing order of this seat. */
  checkOrder(match: Match, seat: Seat | null): void;
  /** Before this seat takes something back. */
  checkUndo(match: Match, seat: Seat | null): void;
  isFull(match: Match): boolean;
}

export interface LengthLimits {
  events: number;
  orders: number;
  undos: number;
}

const UNLIMITED = Number.POSITIVE_INFINITY;

export function lengthsOf(limits: Partial<LengthLimits> = {}): Lengths {
  const { events = UNLIMITED, orders = UNLIMITED, undos = UNLIMITED } = limits;
  const isFull = ({ version }: Match) => version >= events;

  function checkMatch(match: Match): void {
    if (!isFull(match)) return;
    throw refusals.matchTooLong(events);
  }

  function check(
    match: Match,
    seat: Seat | null,
    type: EventType,
    limit: number,
    refuse: (limit: number) => AtollError,
  ): void {
    checkMatch(match);
    if (seat === null || match.version < limit) return; // shorter than the limit: nothing to be counted
    const used = match.events.filter((event) => event.type === type && event.seat === seat).length;
    if (used >= limit) throw refuse(limit);
  }

  return {
    isFull,
    checkMatch,
    checkOrder: (match, seat) => check(match, seat, 'ORDERED', orders, refusals.tooManyOrders),
    checkUndo: (match, seat) => check(match, seat, 'UNDONE', undos, refusals.tooManyUndos),
  };
}
