/**
 * Streams that continue for as long as somebody listens. Each ends at once when it is returned, even while it waits.
 */
import { AtollError, refusals } from '../../errors.ts';
import type { Player } from '../../players/player.ts';
import type { Memo } from '../log/memo.ts';
import { type LoggedEvent, type Match, type Receipt, sameHash } from '../log/records.ts';
import type { Store } from '../log/store.ts';
import type { Live } from './hints.ts';
import type { Watcher } from './watchers.ts';

export interface Turn {
  match: Match;
  acting: boolean;
}

export interface Follow {
  memo: Memo;
  live: Live;
  id: string;
  after: number;
  /** Called again whenever the match has moved on. Throws once the caller may no longer see it. */
  check(match: Match): void;
}

const ENDED = { done: true, value: undefined } as const;

/**
 * Every event after a version, first the past ones and then live, each with the match as it was when the event was
 * handed out. This is not a generator because each event passes here once for each subscriber, and a generator is
 * slower. Call `next` once at a time.
 */
export class MatchEvents implements AsyncIterableIterator<Receipt, void> {
  readonly #of: Follow;
  #closed = false;
  #watcher: Watcher | undefined;
  #match: Match | null = null;
  #at: number;

  constructor(of: Follow) {
    this.#of = of;
    this.#at = of.after;
  }

  async next(): Promise<IteratorResult<Receipt, void>> {
    if (this.#closed) return ENDED;
    try {
      const watcher = this.#watcher ?? (await this.#open());
      while (!this.#closed && this.#match) {
        const match = this.#match;
        this.#of.check(match);
        if (this.#at < match.version) {
          return { done: false, value: { event: match.events.at(this.#at++) as LoggedEvent, match } };
        }
        if (match.endedAt) break;
        await watcher.wait();
        if (this.#closed) break;
        const reached = this.#reach(watcher.version);
        this.#match = this.#continuing(match, reached instanceof Promise ? await reached : reached);
      }
    } catch (error) {
      this.#close();
      throw error;
    }
    return this.return();
  }

  /** Watching begins before the first read, so that nothing can fall between the two. */
  async #open(): Promise<Watcher> {
    const { memo, live, id } = this.#of;
    const watcher = live.watchMatch(id);
    memo.pin(id);
    this.#watcher = watcher;
    this.#match = await memo.fresh(id);
    if (this.#match && this.#match.version < this.#at) throw cutAt(this.#match);
    return watcher;
  }

  /** Usually the match in memory already has the event that a hint announces. */
  #reach(version: number): Match | Promise<Match | null> {
    const { memo, id } = this.#of;
    const known = memo.peek(id);
    return known && known.version >= version ? known : memo.reach(id, version);
  }

  /** The events that were handed out must still be there: after a failover the log may have lost them. */
  #continuing(before: Match, now: Match | null): Match {
    if (now && now.version >= this.#at) {
      if (now.events.line === before.events.line || this.#at === 0) return now;
      const [known, logged] = [before.events.at(this.#at - 1), now.events.at(this.#at - 1)];
      if (known && logged && sameHash(known, logged)) return now;
    }
    throw cutAt(now);
  }

  async return(): Promise<IteratorResult<Receipt, void>> {
    this.#close();
    return ENDED;
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#watcher) return;
    this.#watcher.close();
    this.#of.memo.unpin(this.#of.id);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function cutAt(match: Match | null): AtollError {
  const version = match?.version ?? 0;
  return refusals.historyCut(version, { version });
}

/** All turns that the player has now, then each turn gained or lost. */
export const turnsOf = (player: Player, parts: { store: Store; memo: Memo; live: Live }) =>
  cancellable((signal) => followTurns(player, parts, signal));

async function* followTurns(
  player: Player,
  { store, memo, live }: { store: Store; memo: Memo; live: Live },
  signal: AbortSignal,
): AsyncGenerator<Turn, void> {
  const watcher = live.watchTurns(player.id);
  signal.addEventListener('abort', () => watcher.close(), { once: true });
  try {
    let known = new Set<string>();
    while (!signal.aborted) {
      const current = new Set(await store.turnsOf(player.id));
      const changed = [...current].filter((id) => !known.has(id)).concat([...known].filter((id) => !current.has(id)));
      for (const id of changed) {
        const match = await memo.fresh(id).catch(passOver);
        if (match && !signal.aborted) yield { match, acting: current.has(id) };
      }
      known = current;
      await watcher.wait();
    }
  } finally {
    watcher.close();
  }
}

/** A match whose rules only a newer server has must not end the stream of all the others. */
function passOver(error: unknown): null {
  if (error instanceof AtollError) return null;
  throw error;
}

/** An async iterator whose return() also ends a generator that is waiting, not only one that is at a yield. */
export function cancellable<T>(run: (signal: AbortSignal) => AsyncGenerator<T, void>): AsyncIterableIterator<T, void> {
  const controller = new AbortController();
  const generator = run(controller.signal);
  return {
    next: () => generator.next(),
    return: () => {
      controller.abort();
      return generator.return();
    },
    throw: (error) => {
      controller.abort();
      return generator.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
