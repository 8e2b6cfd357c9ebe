/** How the answers of a subscription reach a socket. */
import type { MatchEvents } from '../../matches/live/streams.ts';
import type { Receipt } from '../../matches/log/records.ts';
import type { Paid } from '../http/limits/work.ts';

/** Returns undefined if there is room for more. Otherwise the promise resolves when there is. */
export type Send = (text: string) => Promise<void> | undefined;

/** Sends every item, and resolves when they have ended. */
export async function delivered<T>(
  items: AsyncIterableIterator<T>,
  textOf: (item: T) => string,
  send: Send,
): Promise<void> {
  for await (const item of items) {
    const full = send(textOf(item));
    if (full) await full;
  }
}

interface Source {
  events: MatchEvents;
  paid: Paid<unknown>;
  /** The same events. To be returned when they have ended. */
  items: AsyncIterator<unknown>;
}

/**
 * The same for the events of a match, without a promise for each event and subscriber: an event is sent while the
 * subscribers are told of it.
 */
export async function deliveredAtOnce(
  { events, paid, items }: Source,
  textOf: (receipt: Receipt) => string,
  send: Send,
): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      function deliver(): void {
        try {
          for (let receipt = events.take(); receipt; receipt = events.take()) {
            const full = send(textOf(receipt));
            const debt = paid.pay();
            if (full || debt) return void Promise.all([full, debt]).then(deliver, reject);
          }
          if (events.isOver) resolve();
          else events.callWhenReady(deliver);
        } catch (error) {
          reject(error);
        }
      }
      deliver();
    });
  } finally {
    await items.return?.();
  }
}
