/** Standing orders: what a seat says in advance, privately and revocably, about its decisions off turn. */
import { Value } from 'typebox/value';
import { AtollError } from '../errors.ts';
import type { Game, Seat } from '../games/game.ts';
import { acted } from './commands.ts';
import { compose, type Match } from './match.ts';

/** Beyond every epoch of every game: public when the match is over, and not before. */
const UNTIL_THE_END = 2 ** 31 - 1;

export function ordered(match: Match, seat: Seat | null, playerId: string, order: unknown, now: Date): Match {
  if (seat === null) throw new AtollError('NOT_SEATED', 'You have no seat in this match');
  if (match.endedAt) throw new AtollError('MATCH_OVER', 'This match is over');
  if (!match.state) throw new AtollError('MATCH_NOT_ACTIVE', 'This match has not started yet');
  const wanted = orderFor(match.rulesOf, order);
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
  if (!orders) throw new AtollError('BAD_INPUT', `${name} has no standing orders`);
  const wanted = order ?? null;
  if (wanted !== null && !Value.Check(orders.schema, wanted)) {
    throw new AtollError('BAD_INPUT', `A standing order of ${name} fits its ordersSchema`);
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

function nextByOrder({ acting, orders, rulesOf, state }: Match): { seat: Seat; action: object } | null {
  for (const seat of acting) {
    const order = orders[seat];
    const action = order && state && rulesOf.orders?.action(state, seat, order);
    if (action) return { seat, action };
  }
  return null;
}
