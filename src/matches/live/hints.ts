/**
 * Hints tell watchers that something happened. They carry ids only and are sent after the commit; whoever receives one
 * reads the log.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../../bus/bus.ts';
import { type Channel, openChannel } from './channel.ts';
import { type Committed, openSiblings, type Place, type SiblingsOptions } from './siblings.ts';
import { audiencesOf, type Direction, openSubjects } from './subjects.ts';
import { type Hint, openWatchers, type Watchers } from './watchers.ts';

export interface Live extends Pick<Watchers, 'cutBack' | 'watchMatch' | 'watchTurns'> {
  /** Tells all watchers, here and on other servers. Siblings on this machine are also told what was committed. */
  tell(hint: Hint, committed?: Committed): void;
  /** Somebody who played this match here does so at a sibling from now on. */
  playedElsewhere(match: string): void;
  /** The number of watchers. */
  readonly watchers: number;
  readonly reconnects: number;
  /** How many other workers of this machine are told directly. */
  readonly siblings: number;
  close(): Promise<void>;
}

export interface LiveOptions {
  url: string;
  /**
   * Opened here. Hints go there while it is connected, and through the database to servers that do not receive them
   * there.
   */
  bus?: Bus | undefined;
  /** Set if this server is one of several workers on one machine. */
  siblings?: (Place & Pick<SiblingsOptions, 'take' | 'remembered' | 'mostUsed'>) | undefined;
  /** Counts hints. */
  count?(way: 'bus' | 'database' | 'sibling', direction: Direction): void;
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
  /** Called when the connection to the database was lost. */
  onLost?(): void;
  warn(message: string, error?: unknown): void;
  pollMs?: number;
  aloneAfterMs?: number;
}

const WITHOUT_SIBLINGS =
  'the workers of this machine cannot tell each other directly, so hints go through the database';

/** The version of a hint that is not about an event. */
export const ROW_CHANGED = 0;

/** Rejects if the first connection to the database fails; later ones are retried for ever. */
export async function openLive(options: LiveOptions): Promise<Live> {
  const { url, bus, warn, forget = () => {}, count = () => {}, pollMs = 2000, aloneAfterMs } = options;
  const name = randomUUID();
  const siblings =
    options.siblings &&
    openSiblings({
      ...options.siblings,
      name,
      hear: (hint) => watchers.wake(hint),
      mayHaveMissed: () => void poll(watchers.matches(), true),
      count: (direction) => count('sibling', direction),
    });
  const watchers = openWatchers(...[bus && audiencesOf(bus), siblings?.audiences].filter((one) => one !== undefined));
  const poll = poller(watchers, options);
  const rounds = { turnsToo: false };
  let channel: Channel | undefined;
  const publish = bus && joinBus(bus, { watchers, poll, rounds, count, announce: () => channel?.announce() });
  await siblings?.open().catch((error) => warn(WITHOUT_SIBLINGS, error));
  await bus?.open(); // first, so that the others are told at once that this server hears by it
  channel = await openChannel({
    url,
    name,
    warn,
    hear(hint) {
      if (hint.version === ROW_CHANGED) forget(hint.match);
      watchers.wake(hint);
    },
    onConnected() {
      forget(null); // hints that were sent meanwhile were not received
      void poll(watchers.matches(), true);
    },
    count: (direction) => count('database', direction),
    ...(options.onLost && { onLost: options.onLost }),
    ...(bus && { hearsElsewhere: () => bus.isConnected }),
    ...(siblings && { isTold: siblings.isTold }),
    ...(aloneAfterMs !== undefined && { aloneAfterMs }),
  });
  const { beat, send, close } = channel;
  const closing = new AbortController();
  void keepPolling(closing.signal, pollMs, (turnsToo) => {
    beat();
    const withTurns = turnsToo || rounds.turnsToo;
    rounds.turnsToo = false;
    return poll(watchers.matches(), withTurns);
  });

  return {
    tell(hint, committed) {
      watchers.wake(hint);
      siblings?.tell(hint, committed);
      publish?.(hint);
      send(hint);
    },
    playedElsewhere: (match) => siblings?.playedElsewhere(match),
    cutBack: watchers.cutBack,
    watchMatch: watchers.watchMatch,
    watchTurns: watchers.watchTurns,
    get watchers() {
      return watchers.size;
    },
    get reconnects() {
      return channel?.reconnects ?? 0;
    },
    get siblings() {
      return siblings?.size ?? 0;
    },
    async close() {
      closing.abort();
      siblings?.close();
      await close();
    },
  };
}

interface BusParts {
  watchers: Watchers;
  poll: Poll;
  /** Whether the next round of polling also includes turns. */
  rounds: { turnsToo: boolean };
  count: NonNullable<LiveOptions['count']>;
  /** Tells other servers through the database whether this one receives hints by the bus. */
  announce(): void;
}

/** Returns a function that sends a hint to the bus. */
function joinBus(bus: Bus, { watchers, poll, rounds, count, announce }: BusParts): (hint: Hint) => void {
  return openSubjects(bus, {
    hear: watchers.wake,
    mayHaveMissed(matches, players) {
      watchers.wakeTurns(players);
      void poll(matches, false);
    },
    connected: announce,
    lost() {
      announce();
      rounds.turnsToo = true; // until the others have heard that, they may still tell only the bus
      void poll(watchers.matches(), true);
    },
    count: (direction) => count('bus', direction),
  });
}

type Poll = (matches: readonly string[], turnsToo: boolean) => Promise<void>;

/** Asks for what hints would have said, and so finds whatever happened while this server could not hear them. */
function poller(watchers: Watchers, { versions, onPolled, warn }: LiveOptions): Poll {
  return async (matches, turnsToo) => {
    if (turnsToo) watchers.wakeTurns();
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

async function keepPolling(
  signal: AbortSignal,
  everyMs: number,
  poll: (turnsToo: boolean) => Promise<void>,
): Promise<void> {
  // All matches together cost one query, but each player who watches turns costs one, so turns are polled less often.
  for (let n = 1; !signal.aborted; n++) {
    await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
    if (!signal.aborted) await poll(n % 5 === 0);
  }
}
