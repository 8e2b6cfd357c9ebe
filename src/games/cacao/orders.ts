import { type Static, Type } from 'typebox';
import type { Orders } from '../game.ts';
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

/** Workers of other seats are activated on a foreign turn, and the table waits for them: a seat may decide that in advance. */
export const orders: Orders<State, Action> = {
  schema: OrderSchema,
  action(state, seat, order) {
    if (state.step !== 'work' || seat === state.active) return null;
    return (order as Static<typeof OrderSchema>).work === 'sell' ? sellMost(state.villages[seat]!) : null;
  },
};

/**
 * The action that leads to the most gold, and of those to the most cacao left. Neither the best price first nor the
 * greatest harvest first does: a full storage should be sold from before it is filled. So every way is tried, each set
 * of edges and stock once.
 */
function sellMost(village: Village): Action | null {
  const known = new Map<string, number>();

  function worth({ gold, cacao, edges }: Village): number {
    const key = `${cacao}:${edges.map(({ cell, side }) => `${cell}.${side}`)}`;
    let more = known.get(key);
    if (more === undefined) {
      const start = { ...village, gold: 0, cacao, edges };
      const ends = listWork(start).map((action) => worth(after(start, action)));
      more = ends.length > 0 ? Math.max(...ends) : cacao;
      known.set(key, more);
    }
    return gold * (CACAO_SPACES + 1) + more;
  }

  let best: Action | null = null;
  let most = -1;
  for (const action of listWork(village)) {
    const end = worth(after(village, action));
    if (end > most) [best, most] = [action, end];
  }
  return best;
}

function after(village: Village, action: ActionOf<'harvest' | 'sell'>): Village {
  const next = { ...village, edges: [...village.edges] };
  doWork(next, action);
  return next;
}
