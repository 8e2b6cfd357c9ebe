/**
 * Standing orders: what a seat decides in advance about decisions that may come up off turn. They are private and can
 * be withdrawn.
 */
import { Value } from 'typebox/value';
import { refusals } from '../../errors.ts';
import type { Game, Seat } from '../../games/game.ts';
import { compose } from '../log/match.ts';
import type { Match } from '../log/records.ts';
import { acted } from './act.ts';

/** Later than any epoch of any game: an order becomes public only when the match is over. */
const UNTIL_THE_END = 2 ** 31 - 1;

export function ordered(match: Match, seat: Seat | null, playerId: string, order: unknown, now: Date): Match {
  if (seat === null) throw refusals.notSeated();
  if (match.endedAt) throw refusals.matchOver();
  if (!match.state) throw refusals.notStarted();
  const wanted = orderFor(match.engine, order);
  const draft = {
    type: 'ORDERED',
    seat,
    playerId,
    action: { order: wanted },
    secret: true,
    epoch: UNTIL_THE_END,
  } as const;
  return followed(compose(match, draft, match.state, now), now);
}

/** Validates an order for this game; null withdraws the current one. */
export function orderFor({ orders, name }: Game, order: unknown): object | null {
  if (!orders) throw refusals.noOrders(name);
  const wanted = order ?? null;
  if (wanted !== null && !Value.Check(orders.schema, wanted)) {
    throw refusals.badOrder(name);
  }
  return wanted as object | null;
}

/** The match after everything that standing orders decide immediately. */
export function followed(match: Match, now: Date): Match {
  let next = match;
  for (;;) {
    const step = nextByOrder(next);
    if (!step) return next;
    next = acted(next, step.seat, next.seats[step.seat] ?? null, step.action, null, now);
  }
}

function nextByOrder({ acting, orders, engine, state }: Match): { seat: Seat; action: object } | null {
  for (const seat of acting) {
    const order = orders[seat];
    const action = order && state && engine.orders?.action(state, seat, order);
    if (action) return { seat, action };
  }
  return null;
}
