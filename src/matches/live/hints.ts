/** Who is told that something happened. Tells ids only, after the commit: whoever is told reads the log. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { newClient } from '../../database/address.ts';
import { giveUpWhenSilent } from '../../database/silence.ts';

/** A match has reached this version, and these players have gained or lost a turn by it. */
export interface Hint {
  match: string;
  version: number;
  players: string[];
}

export interface Watcher {
  /** Resolves at the next hint, or at once if one came since the last wait. Hints that come together count as one. */
  wait(): Promise<void>;
  /** The greatest version that hints have named. */
  readonly version: number;
  /** Also wakes whoever waits. */
  close(): void;
}

export interface Live {
  tell(hint: Hint): void;
  /** The log has only this much of a match left: whoever watches it looks again. */
  cutBack(match: string, version: number): void;
  watchMatch(id: string): Watcher;
  watchTurns(playerId: string): Watcher;
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
  warn(message: string, error?: unknown): void;
  pollMs?: number;
}

const CHANNEL = 'atoll';
const CONNECT_MS = 3000;
/** How long the connection may leave a statement without an answer. */
const SILENCE_MS = 4000;
/** PostgreSQL takes less than 8000 bytes. */
const MAX_PAYLOAD = 7800;

interface Listener {
  wake(version: number): void;
  /** Wakes as well, and counts from this version on. */
  restart(version: number): void;
}

/** Rejects if the first connection fails; later ones are retried for ever. */
export async function openLive({ url, versions, onPolled, warn, pollMs = 2000 }: LiveOptions): Promise<Live> {
  const self = randomUUID();
  const closing = new AbortController();
  const matches = new Map<string, Set<Listener>>();
  const players = new Map<string, Set<Listener>>();
  let client: pg.Client | undefined;
  let reconnects = 0;
  let outbox: Hint[] = [];
  let sending = false;

  function deliver({ match, version, players: changed }: Hint): void {
    for (const listener of matches.get(match) ?? []) listener.wake(version);
    for (const player of changed) for (const listener of players.get(player) ?? []) listener.wake(0);
  }

  /** What hints would have said, asked for: finds whatever happened while nobody listened. */
  async function poll(turnsToo: boolean): Promise<void> {
    if (turnsToo) for (const set of players.values()) for (const listener of set) listener.wake(0);
    if (matches.size === 0) return;
    try {
      for (const [match, version] of await versions([...matches.keys()])) {
        onPolled?.(match, version);
        deliver({ match, version, players: [] });
      }
    } catch (error) {
      warn('matches could not be polled', error);
    }
  }

  /** Hints that come while one statement is under way go out together in the next. */
  async function send(): Promise<void> {
    if (sending || !client || outbox.length === 0) return;
    sending = true;
    try {
      while (client && outbox.length > 0) {
        const payloads = pack(self, outbox);
        outbox = [];
        await client.query({
          name: 'notify',
          text: `SELECT pg_notify('${CHANNEL}', p) FROM unnest($1::text[]) AS p`,
          values: [payloads],
        });
      }
    } catch (error) {
      warn('hints were lost, others will find the events by polling', error);
    } finally {
      sending = false;
    }
  }

  /** A connection that is dead without saying so ends by this. */
  async function ping(): Promise<void> {
    if (sending || !client) return;
    sending = true;
    await client.query('SELECT 1').catch(() => {});
    sending = false;
    void send();
  }

  function hear(payload: string | undefined): void {
    const [sender, ...hints] = JSON.parse(payload ?? '[]') as [string, ...[string, number, ...string[]][]];
    if (sender === self) return;
    for (const [match, version, ...changed] of hints) deliver({ match, version, players: changed });
  }

  async function connect(): Promise<{ lost: Promise<unknown> }> {
    const next = newClient(url, {
      application_name: 'atoll live',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    const lost = new Promise<unknown>((resolve) => {
      next.on('error', resolve);
      next.on('end', () => resolve(undefined));
    });
    next.on('notification', ({ payload }) => hear(payload));
    try {
      await next.connect();
      giveUpWhenSilent(next, SILENCE_MS);
      // A hint that is lost in a crash is no loss, so it need not wait for the disk.
      await next.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
    } catch (error) {
      void next.end().catch(() => {});
      throw error;
    }
    client = next;
    void lost.then(() => {
      if (client === next) client = undefined;
      void next.end().catch(() => {});
    });
    if (closing.signal.aborted) void next.end().catch(() => {}); // closed while this was on its way
    void poll(true);
    void send();
    return { lost };
  }

  /** The only place that reconnects: a failing client both rejects and emits, so retrying from its events would multiply. */
  async function stayConnected(session: { lost: Promise<unknown> }): Promise<void> {
    const { signal } = closing;
    for (;;) {
      const error = await session.lost;
      if (signal.aborted) return;
      warn('the connection for hints was lost', error);
      for (let ms = 100; ; ms = Math.min(ms * 2, 1500)) {
        await sleep(ms * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        reconnects++;
        try {
          session = await connect();
          break;
        } catch (failure) {
          warn('the connection for hints could not be restored', failure);
        }
      }
    }
  }

  async function keepPolling(): Promise<void> {
    const { signal } = closing;
    // Each player who watches turns costs a query, all matches together cost one: so turns are polled less often.
    for (let n = 1; !signal.aborted; n++) {
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      void ping();
      await poll(n % 5 === 0);
    }
  }

  const loop = stayConnected(await connect());
  void keepPolling();

  return {
    tell(hint) {
      deliver(hint);
      outbox.push(hint);
      void send();
    },
    cutBack(match, version) {
      for (const listener of matches.get(match) ?? []) listener.restart(version);
    },
    watchMatch: (id) => watch(matches, id),
    watchTurns: (id) => watch(players, id),
    get watchers() {
      let n = 0;
      for (const set of [...matches.values(), ...players.values()]) n += set.size;
      return n;
    },
    get reconnects() {
      return reconnects;
    },
    async close() {
      closing.abort();
      await client?.end().catch(() => {});
      await loop;
    },
  };
}

/** Payloads of hints, each below the limit; the sender is named so that it can pass over its own. */
function pack(self: string, hints: readonly Hint[]): string[] {
  const payloads: string[] = [];
  let current = `["${self}"`;
  for (const { match, version, players } of hints) {
    const item = `,${JSON.stringify([match, version, ...players])}`;
    if (current.length + item.length + 1 > MAX_PAYLOAD) {
      payloads.push(`${current}]`);
      current = `["${self}"`;
    }
    current += item;
  }
  payloads.push(`${current}]`);
  return payloads;
}

function watch(all: Map<string, Set<Listener>>, id: string): Watcher {
  let dirty = false;
  let closed = false;
  let version = 0;
  let release: (() => void) | undefined;
  const wake = () => {
    dirty = true;
    release?.();
  };
  const listener: Listener = {
    wake(hinted) {
      if (hinted > 0 && hinted <= version) return; // heard before
      version = Math.max(version, hinted);
      wake();
    },
    restart(from) {
      version = from;
      wake();
    },
  };
  const set = all.get(id) ?? new Set();
  all.set(id, set.add(listener));
  return {
    async wait() {
      if (!dirty && !closed) await new Promise<void>((resolve) => (release = resolve));
      release = undefined;
      dirty = false;
    },
    get version() {
      return version;
    },
    close() {
      closed = true;
      set.delete(listener);
      if (set.size === 0 && all.get(id) === set) all.delete(id);
      release?.();
    },
  };
}
