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
  /** Whether the caller has a seat in a match that is not over. */
  isPlayed: boolean;
  /** Called again whenever the match has moved on. Throws once the caller may no longer see it. */
  check(match: Match): void;
}

const ENDED = { done: true, value: undefined } as const;

/**
 * Every event after a version, first the past ones and then live, each with the match as it was when the event was
 * handed out. Each event passes here once for each subscriber. Therefore this is not a generator, and whoever has many
 * subscribers can do without promises: `take` what is there, then let `callWhenReady` call. Call `next` once at a time.
 */
export class MatchEvents implements AsyncIterableIterator<Receipt, void> {
  readonly #of: Follow;
  #closed = false;
  #watcher: Watcher | undefined;
  #match: Match | null = null;
  #at: number;
  /** Why the match could not be read. Thrown by the next `take`. */
  #failure: { error: unknown } | undefined;
  #call: (() => void) | undefined;

  constructor(of: Follow) {
    this.#of = of;
    this.#at = of.after;
  }

  async next(): Promise<IteratorResult<Receipt, void>> {
    while (!this.#closed) {
      const value = this.take();
      if (value) return { done: false, value };
      if (!this.#closed) await new Promise<void>((resolve) => this.callWhenReady(resolve));
    }
    return ENDED;
  }

  /** Whether whoever follows these events had a seat in the match when they were asked for, and it was not over. */
  get isPlayed(): boolean {
    return this.#of.isPlayed;
  }

  /** Whether there is nothing more to take, now and later. */
  get isOver(): boolean {
    return this.#closed;
  }

  /** The next event if it is here already. Throws if the caller may no longer see the match, or if it cannot be read. */
  take(): Receipt | undefined {
    const match = this.#match;
    if (this.#closed) return undefined;
    try {
      if (this.#failure) throw this.#failure.error;
      if (!match) return undefined;
      this.#of.check(match);
    } catch (error) {
      this.#close();
      throw error;
    }
    if (this.#at < match.version) return { event: match.events.at(this.#at++) as LoggedEvent, match };
    if (match.endedAt) this.#close();
    return undefined;
  }

  /** Calls once when there may be something to take, or when the stream is over. */
  callWhenReady(call: () => void): void {
    this.#call = call;
    if (!this.#watcher) this.#continueWith(this.#open());
    else if (!this.#watcher.callWhenWoken(this.#woken)) this.#woken();
  }

  /** Watching begins before the first read, so that nothing can fall between the two. */
  #open(): Promise<Match | null> {
    const { memo, live, id } = this.#of;
    this.#watcher = live.watchMatch(id);
    memo.pin(id);
    return memo.fresh(id);
  }

  /** Usually the match in memory already has the event that a hint announces. */
  readonly #woken = (): void => {
    const { memo, id } = this.#of;
    const version = this.#watcher?.version ?? 0;
    const known = memo.peek(id);
    if (this.#closed) this.#ready();
    else if (known && known.version >= version) this.#continue(known);
    else this.#continueWith(memo.reach(id, version));
  };

  #continueWith(read: Promise<Match | null>): void {
    read.then(
      (match) => this.#continue(match),
      (error) => {
        this.#failure = { error };
        this.#ready();
      },
    );
  }

  #continue(now: Match | null): void {
    if (!this.#isContinuedBy(now)) this.#failure = { error: cutAt(now) };
    else if (now) this.#match = now;
    else this.#close();
    this.#ready();
  }

  /** The events that were handed out must still be there: after a failover the log may have lost them. */
  #isContinuedBy(now: Match | null): boolean {
    const before = this.#match?.events;
    if (!before) return !now || now.version >= this.#at;
    if (!now || now.version < this.#at) return false;
    if (now.events.line === before.line || this.#at === 0) return true;
    const [known, logged] = [before.at(this.#at - 1), now.events.at(this.#at - 1)];
    return known !== undefined && logged !== undefined && sameHash(known, logged);
  }

  #ready(): void {
    const call = this.#call;
    this.#call = undefined;
    call?.();
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
