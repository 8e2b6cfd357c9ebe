/** How long a match may become. Giving up is always possible, so that every match can come to an end. */
import { AtollError } from '../../errors.ts';
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
    const message = `A match has no more than ${events} events, and this one has reached that: all that is left is to resign`;
    throw new AtollError('QUOTA_EXCEEDED', message, { quota: 'events', limit: events });
  }

  function check(match: Match, seat: Seat | null, type: EventType, limit: number, message: string): void {
    checkMatch(match);
    if (seat === null || match.version < limit) return; // shorter than the limit: nothing to be counted
    const used = match.events.filter((event) => event.type === type && event.seat === seat).length;
    if (used >= limit) throw new AtollError('QUOTA_EXCEEDED', message, { quota: type.toLowerCase(), limit });
  }

  return {
    isFull,
    checkMatch,
    checkOrder: (match, seat) =>
      check(
        match,
        seat,
        'ORDERED',
        orders,
        `A seat changes its standing order no more than ${orders} times in a match`,
      ),
    checkUndo: (match, seat) =>
      check(match, seat, 'UNDONE', undos, `A seat takes back no more than ${undos} actions in a match`),
  };
}
