/** Standing orders: decisions made in advance, for games that have them. */
import { useEffect, useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { Orders, type OrdersQuery, SetOrder } from '../generated/operations.ts';
import { OptionFields, type OptionsSchema } from '../parts/options.tsx';
import type { TableMatch } from './feed.ts';

type Order = Record<string, unknown>;

export function StandingOrder({ match }: { match: TableMatch }) {
  const [found, setFound] = useState<OrdersQuery['match']>(null);
  const [message, setMessage] = useState<string | null>(null);
  const { id } = match;
  useEffect(() => {
    ask(Orders, { id }).then(
      (answer) => setFound(answer.match),
      () => {}, // the table works without it
    );
  }, [id]);
  const schema = found?.game.ordersSchema as OptionsSchema | null | undefined;
  if (!found || !schema) return null;
  const save = async (order: Order | null) => {
    setMessage(null);
    try {
      const { setOrder } = await ask(SetOrder, { id, order });
      setFound({ ...found, myOrder: setOrder.match.myOrder });
      setMessage(
        order ? 'This is done from now on. Nobody else can see it before the end.' : 'You are asked each time.',
      );
    } catch (failure) {
      setMessage(sentence(failure));
    }
  };
  return (
    <details class="orders">
      <summary>Standing order</summary>
      <OptionFields
        schema={schema}
        value={(found.myOrder as Order | null) ?? {}}
        onChange={(order) => void save(order)}
      />
      {found.myOrder !== null && (
        <button type="button" onClick={() => void save(null)}>
          Withdraw it
        </button>
      )}
      {message && (
        <p class="quiet" role="status">
          {message}
        </p>
      )}
    </details>
  );
}
