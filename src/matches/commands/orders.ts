/** Standing orders: what a seat says in advance, privately and revocably, about its decisions off turn. */
import { Value } from 'typebox/value';
import { refusals } from '../../errors.ts';
import type { Game, Seat } from '../../games/game.ts';
import { compose } from '../log/match.ts';
import type { Match } from '../log/records.ts';
import { acted } from './act.ts';

/** Beyond every epoch of every game: public when the match is over, and not before. */
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

/** An order that this game takes; null withdraws one. */
export function orderFor({ orders, name }: Game, order: unknown): object | null {
  if (!orders) throw refusals.noOrders(name);
  const wanted = order ?? null;
  if (wanted !== null && !Value.Check(orders.schema, wanted)) {
    throw refusals.badOrder(name);
  }
  return wanted as object | null;
}

/** The match after everything that standing orders decide at once. */
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
