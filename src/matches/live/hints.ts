/**
 * Hints tell watchers that something happened. They carry ids only and are sent after the commit; whoever receives one
 * reads the log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openChannel } from './channel.ts';
import { type Hint, openWatchers, type Watchers } from './watchers.ts';

export interface Live extends Pick<Watchers, 'cutBack' | 'watchMatch' | 'watchTurns'> {
  /** Tells all watchers, here and on other servers. */
  tell(hint: Hint): void;
  /** The number of watchers. */
  readonly watchers: number;
  readonly reconnects: number;
  close(): Promise<void>;
}

export interface LiveOptions {
  url: string;
  /**
   * Reads the current versions of matches. They are polled regularly, so that a lost hint costs seconds and not an
   * event.
   */
  versions(ids: readonly string[]): Promise<Map<string, number>>;
  /** Called with the polled version of every match that is watched. */
  onPolled?(match: string, version: number): void;
  /**
   * Called when an operator may have changed the row of this match, or of any match if null: copies in memory are no
   * longer valid.
   */
  forget?(matchId: string | null): void;
  warn(message: string, error?: unknown): void;
  pollMs?: number;
  aloneAfterMs?: number;
}

/** The version of a hint that is not about an event. */
export const ROW_CHANGED = 0;

/** Rejects if the first connection fails; later connections are retried for ever. */
export async function openLive(options: LiveOptions): Promise<Live> {
  const { url, warn, forget = () => {}, pollMs = 2000, aloneAfterMs } = options;
  const watchers = openWatchers();
  const poll = poller(watchers, options);
  const channel = await openChannel({
    url,
    warn,
    hear(hint) {
      if (hint.version === ROW_CHANGED) forget(hint.match);
      watchers.wake(hint);
    },
    onConnected() {
      forget(null); // hints that were sent meanwhile were not received
      void poll(true);
    },
    ...(aloneAfterMs !== undefined && { aloneAfterMs }),
  });
  const closing = new AbortController();
  void keepPolling(closing.signal, pollMs, (turnsToo) => {
    channel.beat();
    return poll(turnsToo);
  });

  return {
    tell(hint) {
      watchers.wake(hint);
      channel.send(hint);
    },
    cutBack: watchers.cutBack,
    watchMatch: watchers.watchMatch,
    watchTurns: watchers.watchTurns,
    get watchers() {
      return watchers.size;
    },
    get reconnects() {
      return channel.reconnects;
    },
    async close() {
      closing.abort();
      await channel.close();
    },
  };
}

type Poll = (turnsToo: boolean) => Promise<void>;

/** Asks for what hints would have said, and so finds whatever happened while this server could not hear them. */
function poller(watchers: Watchers, { versions, onPolled, warn }: LiveOptions): Poll {
  return async (turnsToo) => {
    if (turnsToo) watchers.wakeTurns();
    const matches = watchers.matches();
    if (matches.length === 0) return;
    try {
      for (const [match, version] of await versions(matches)) {
        onPolled?.(match, version);
        watchers.wake({ match, version, players: [] });
      }
    } catch (error) {
      warn('matches could not be polled', error);
    }
  };
}

async function keepPolling(signal: AbortSignal, everyMs: number, poll: Poll): Promise<void> {
  // All matches together cost one query, but each player who watches turns costs one, so turns are polled less often.
  for (let n = 1; !signal.aborted; n++) {
    await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
    if (!signal.aborted) await poll(n % 5 === 0);
  }
}
