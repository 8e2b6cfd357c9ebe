import { type Static, Type } from 'typebox';
import type { Orders, Seat } from '../game.ts';
import type { Action, ActionOf } from './actions.ts';
import { CACAO_SPACES } from './data.ts';
import type { State, Village } from './state.ts';
import { doWork, listWork } from './work.ts';

const OrderSchema = Type.Object(
  {
    work: Type.Enum(['ask', 'sell'], {
      description:
        "What activated workers do on another seat's turn: ask, or harvest and sell for as much gold as possible",
    }),
  },
  { additionalProperties: false },
);

/**
 * Workers can be activated on another seat's turn, and the table then waits for their owner, who may decide in advance
 * (R7).
 */
export const orders: Orders<State, Action> = {
  schema: OrderSchema,
  action(state, seat, order) {
    if (state.step !== 'work' || seat === state.active) return null;
    return (order as Static<typeof OrderSchema>).work === 'sell' ? sellMost(state.villages[seat]!, seat) : null;
  },
};

/**
 * The action that leads to the most gold and, among those, to the most cacao left. Neither the best price nor the
 * greatest harvest always comes first: it can help to sell from a full storage before a harvest. So all orders of
 * actions are tried, and each combination of remaining edges and stock is examined once.
 */
function sellMost(village: Village, seat: Seat): Action | null {
  const known = new Map<string, number>();

  function worth({ gold, cacao, edges }: Village): number {
    const key = `${cacao}:${edges.map(({ cell, side }) => `${cell}.${side}`)}`;
    let more = known.get(key);
    if (more === undefined) {
      const start = { ...village, gold: 0, cacao, edges };
      const ends = listWork(start).map((action) => worth(after(start, seat, action)));
      more = ends.length > 0 ? Math.max(...ends) : cacao;
      known.set(key, more);
    }
    return gold * (CACAO_SPACES + 1) + more;
  }

  let best: Action | null = null;
  let most = -1;
  for (const action of listWork(village)) {
    const end = worth(after(village, seat, action));
    if (end > most) [best, most] = [action, end];
  }
  return best;
}

function after(village: Village, seat: Seat, action: ActionOf<'harvest' | 'sell'>): Village {
  const next = { ...village, edges: [...village.edges] };
  doWork(next, seat, action);
  return next;
}
