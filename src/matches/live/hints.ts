/** Who is told that something happened. Tells ids only, after the commit: whoever is told reads the log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openChannel } from './channel.ts';
import { type Hint, openWatchers, type Watchers } from './watchers.ts';

export interface Live extends Pick<Watchers, 'cutBack' | 'watchMatch' | 'watchTurns'> {
  /** Tells whoever watches, here and on other servers. */
  tell(hint: Hint): void;
  /** How many watchers there are. */
  readonly watchers: number;
  readonly reconnects: number;
  close(): Promise<void>;
}

export interface LiveOptions {
  url: string;
  /** The current versions of matches: asked now and then, so that a lost hint costs seconds, not an event. */
  versions(ids: readonly string[]): Promise<Map<string, number>>;
  /** Told the version of every match that is watched, as polled. */
  onPolled?(match: string, version: number): void;
  /** The row of this match was changed by an operator, or perhaps of any: what is remembered of it no longer holds. */
  forget?(matchId: string | null): void;
  warn(message: string, error?: unknown): void;
  pollMs?: number;
  aloneAfterMs?: number;
}

/** The version of a hint that is about no event. */
export const ROW_CHANGED = 0;

/** Rejects if the first connection fails; later ones are retried for ever. */
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
      forget(null); // what others said meanwhile was not heard
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

/** What hints would have said, asked for: finds whatever happened while nobody listened. */
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
  // Each player who watches turns costs a query, all matches together cost one: so turns are polled less often.
  for (let n = 1; !signal.aborted; n++) {
    await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
    if (!signal.aborted) await poll(n % 5 === 0);
  }
}
