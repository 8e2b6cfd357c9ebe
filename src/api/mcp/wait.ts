/** Waiting for the caller's turn: the request is answered when there is something to do, or after a while. */
import { refusals } from '../../errors.ts';
import { seatOf } from '../../matches/commands/access.ts';
import type { Match } from '../../matches/log/records.ts';
import { timeLimit } from '../../time-limit.ts';
import { isMyTurn } from './table.ts';
import type { Call } from './tool.ts';

/** Ends the wait when the time is up or the caller has left. */
async function first<T>(
  items: AsyncIterableIterator<T>,
  test: (item: T) => boolean,
  signal: AbortSignal,
): Promise<T | null> {
  const stop = () => void items.return?.();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const item of items) if (test(item)) return item;
    return null;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** The match in which the caller may act or which is over; null if there is none within the time. */
export async function turnWithin(call: Call, seconds: number, id?: string): Promise<Match | null> {
  const { services, player, subscriptions } = call;
  const release = await subscriptions.taken(player.id);
  if (!release) throw refusals.tooManyStreams({ retryAfter: 10 });
  const limit = timeLimit(seconds * 1000, call.signal);
  const { signal } = limit;
  try {
    if (id === undefined) {
      const turn = await first(services.matches.turns(player), ({ acting }) => acting, signal);
      return turn?.match ?? null;
    }
    const match = await services.matches.see(player, id);
    if (seatOf(match, player) === null) throw refusals.notSeated();
    const isDone = (current: Match) => current.endedAt !== null || isMyTurn(current, call);
    if (isDone(match)) return match;
    const events = await services.matches.events(player, id, match.version);
    return (await first(events, (receipt) => isDone(receipt.match), signal))?.match ?? null;
  } finally {
    limit.clear();
    release();
  }
}
