/** How long a match may become. Giving up is always allowed, so that every match can come to an end. */
import { type AtollError, refusals } from '../../errors.ts';
import type { Seat } from '../../games/game.ts';
import type { EventType } from '../../generated/prisma/enums.ts';
import type { Match } from '../log/records.ts';

/** Each of these checks throws QUOTA_EXCEEDED. */
export interface Lengths {
  /** To be called before an event that is not needed to end the match. */
  checkMatch(match: Match): void;
  /** To be called before this seat leaves a standing order. */
  checkOrder(match: Match, seat: Seat | null): void;
  /** To be called before this seat takes an action back. */
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
    if (seat === null || match.version < limit) return; // A log shorter than the limit need not be counted.
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
