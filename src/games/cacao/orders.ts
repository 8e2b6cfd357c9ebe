import { type Static, Type } from 'typebox';
import type { Orders } from '../game.ts';
import type { Action, ActionOf } from './actions.ts';
import { CACAO_SPACES, JUNGLE_TILES, SIDES } from './data.ts';
import { steps } from './rules.ts';
import type { State } from './state.ts';
import { cellAt } from './table.ts';
import { atPlantation } from './work.ts';

const OrderSchema = Type.Object(
  {
    work: Type.Enum(['ask', 'sell'], {
      description:
        "What activated workers do on another seat's turn: ask, or sell as much as possible at the best price",
    }),
  },
  { additionalProperties: false },
);

/** Workers of other seats are activated on a foreign turn, and the table waits for them: a seat may decide that in advance. */
export const orders: Orders<State, Action> = {
  schema: OrderSchema,
  action(state, seat, order) {
    if (state.step !== 'work' || seat === state.active) return null;
    return (order as Static<typeof OrderSchema>).work === 'sell' ? sellMost(state, seat) : null;
  },
};

/** Harvests while there is room and the markets could take more than is in stock, else sells where the price is best. */
function sellMost(state: State, seat: number): Action | null {
  const { edges, cacao } = state.villages[seat]!;
  const list = steps.work.legal(state, seat);
  const demand = edges.reduce((sum, edge) => sum + (atPlantation(edge) ? 0 : edge.workers), 0);
  const harvest = list.find(({ type }) => type === 'harvest');
  if (harvest && cacao < Math.min(demand, CACAO_SPACES)) return harvest;
  let best: ActionOf<'sell'> | null = null;
  let most = -1;
  for (const action of list) {
    if (action.type !== 'sell') continue;
    const gold = action.count * priceAt(state, seat, action);
    if (gold > most) [best, most] = [action, gold];
  }
  return best ?? harvest ?? null;
}

function priceAt(state: State, seat: number, { row, col, side }: ActionOf<'sell'>): number {
  const cell = cellAt(row, col);
  const edge = state.villages[seat]!.edges.find((one) => one.cell === cell && SIDES[one.side] === side);
  return JUNGLE_TILES[edge!.kind]!.value;
}
