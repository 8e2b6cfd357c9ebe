/**
 * How servers that share a database tell each other of events: by NOTIFY, on a separate connection, and by ids only.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { newClient } from '../../database/address.ts';
import { atMost, GOODBYE_MS, giveUpWhenSilent } from '../../database/silence.ts';
import { steady } from '../../database/time.ts';
import { LOCK_MS } from '../../database/writes.ts';
import type { Direction } from './subjects.ts';
import type { Hint } from './watchers.ts';

export interface Channel {
  /** Tells the other servers, if there are any. */
  send(hint: Hint): void;
  /** To be called regularly: announces this server, and detects a dead connection. */
  beat(): void;
  /** Announces at once whether this server receives hints elsewhere, after that has changed. */
  announce(): void;
  readonly reconnects: number;
  close(): Promise<void>;
}

export interface ChannelOptions {
  url: string;
  /** The name of this server, by which others know it. */
  name: string;
  hear(hint: Hint): void;
  /** Called when a connection is made: hints sent before that were not received. */
  onConnected(): void;
  /** Called when a connection was lost. */
  onLost?(): void;
  warn(message: string, error?: unknown): void;
  /** After this time without a word from another server, this one considers itself alone and sends nothing. */
  aloneAfterMs?: number;
  /** Counts hints. */
  count?(direction: Direction): void;
  /**
   * Whether this server currently sends and receives hints by a message bus, so that it need not be told of them here.
   */
  hearsElsewhere?(): boolean;
  /** Whether this server tells the one with this name directly, so that it need not be told here. */
  isTold?(name: string): boolean;
}

/** The number is the version of the message format: servers that use another format must not receive it. */
const CHANNEL = 'atoll_2';
const NOTIFY = `SELECT pg_notify('${CHANNEL}', p) FROM unnest($1::text[]) AS p`;
const CONNECT_MS = 3000;
/** How long a statement may go unanswered before the connection counts as dead. */
const SILENCE_MS = 4000;
/** The suffix of the name of a server that receives hints by the message bus. */
const ELSEWHERE = '+bus';
/** Longer than several beats, so that a server that misses one is not considered gone. */
const ALONE_AFTER_MS = 10_000;
/** How many hints are kept while there is no connection. Other servers find what they were not told by polling. */
const MOST_WAITING = 10_000;
/** PostgreSQL limits a payload to less than 8000 bytes. */
const MAX_PAYLOAD = 7800;

/** Rejects if the first connection fails; later ones are retried for ever. */
export async function openChannel(options: ChannelOptions): Promise<Channel> {
  const self = options.name;
  const closing = new AbortController();
  const { hearsElsewhere = () => false, isTold = () => false, count = () => {} } = options;
  const others = company(options.aloneAfterMs ?? ALONE_AFTER_MS, hearsElsewhere, isTold);
  const sender = openSender(() => (hearsElsewhere() ? self + ELSEWHERE : self), options.warn);
  let reconnects = 0;

  function hear(payload = ''): void {
    const [name = '', ...hints] = payload.split(' ');
    const isElsewhere = name.endsWith(ELSEWHERE);
    const from = isElsewhere ? name.slice(0, -ELSEWHERE.length) : name;
    if (from === self) return;
    if (others.heard(from, isElsewhere)) beat(); // a server that has just started must not believe that it is alone
    for (const hint of hints) {
      count('received');
      options.hear(unpacked(hint));
    }
  }

  function beat(): void {
    if (others.wantBeats()) sender.beat();
    else sender.check();
  }

  function announce(): void {
    others.mayBeThere();
    sender.beat();
  }

  async function connect(): Promise<Session> {
    const session = await newSession(options.url, hear);
    const { client, lost } = session;
    sender.use(client);
    void lost.then(() => sender.drop(client));
    if (closing.signal.aborted) void client.end().catch(() => {}); // the channel was closed meanwhile
    announce();
    options.onConnected();
    return session;
  }

  /**
   * The only place that reconnects. A failing client both rejects and emits an error, so retrying from its events would
   * multiply connections.
   */
  async function stayConnected(first: Session): Promise<void> {
    for (let session: Session | undefined = first; session; session = await reconnected()) {
      const error = await session.lost;
      if (closing.signal.aborted) return;
      options.warn('the connection for hints was lost', error);
      options.onLost?.();
    }
  }

  /** Undefined if the channel was closed meanwhile. */
  async function reconnected(): Promise<Session | undefined> {
    const { signal } = closing;
    for (let ms = 100; ; ms = Math.min(ms * 2, 1500)) {
      await sleep(ms * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
      if (signal.aborted) return undefined;
      reconnects++;
      try {
        return await connect();
      } catch (failure) {
        options.warn('the connection for hints could not be restored', failure);
      }
    }
  }

  const loop = stayConnected(await connect());
  return {
    send(hint) {
      if (others.areGone()) return;
      count('sent');
      sender.send(hint);
    },
    beat,
    announce,
    get reconnects() {
      return reconnects;
    },
    async close() {
      closing.abort();
      await atMost(2 * GOODBYE_MS, sender.close());
      await atMost(GOODBYE_MS, loop);
    },
  };
}

interface Session {
  client: pg.Client;
  /** Resolves when the connection has ended, with the error if there was one. */
  lost: Promise<unknown>;
}

async function newSession(url: string, hear: (payload: string | undefined) => void): Promise<Session> {
  const client = newClient(url, {
    application_name: 'atoll live',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  });
  const lost = new Promise<unknown>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(undefined));
  });
  client.on('notification', ({ payload }) => hear(payload));
  try {
    await client.connect();
    giveUpWhenSilent(client, SILENCE_MS);
    // Losing a hint in a crash does no harm, so the commit need not wait for the disk. All notifications of a database
    // server pass through one lock, which another session may hold for as long as its commit waits for a standby.
    await client.query(`SET synchronous_commit = off; SET lock_timeout = '${LOCK_MS}ms'; LISTEN ${CHANNEL}`);
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  return { client, lost };
}

/**
 * Which other servers there are. While no other server has to be told here, nothing is sent, which saves a commit for
 * each batch. Servers that receive hints elsewhere also listen here, for those that do not.
 */
function company(aloneAfterMs: number, hearsElsewhere: () => boolean, isTold: (server: string) => boolean) {
  const known = new Map<string, { at: number; isElsewhere: boolean }>();
  let since = steady();

  function forgetSilent(): void {
    const now = steady();
    for (const [server, { at }] of known) if (now - at > aloneAfterMs) known.delete(server);
  }

  const someHearOnlyHere = () => {
    forgetSilent();
    for (const [server, { isElsewhere }] of known) {
      if (!(isElsewhere && hearsElsewhere()) && !isTold(server)) return true;
    }
    return false;
  };

  return {
    /** Returns true if this server was not known before, or receives hints in another way than before. */
    heard(server: string, isElsewhere: boolean): boolean {
      const before = known.get(server);
      known.set(server, { at: steady(), isElsewhere });
      return before?.isElsewhere !== isElsewhere;
    },
    /** Assumes that there are others until they have had time to announce themselves. */
    mayBeThere(): void {
      since = steady();
    },
    /** A server that receives hints elsewhere announces itself only to those that do not. */
    wantBeats: () => !hearsElsewhere() || someHearOnlyHere(),
    areGone: () => !someHearOnlyHere() && (hearsElsewhere() || steady() - since > aloneAfterMs),
  };
}

/** Hints that arrive while a statement is running are sent together in the next one. */
function openSender(name: () => string, warn: ChannelOptions['warn']) {
  let client: pg.Client | undefined;
  let waiting: Hint[] = [];
  let beatWaits = false;
  let checkWaits = false;
  let sending = false;
  let sent = Promise.resolve();
  let closed = false;

  function pump(): void {
    if (!sending) sent = sendWaiting();
  }

  async function sendWaiting(): Promise<void> {
    sending = true;
    try {
      while (client && (beatWaits || checkWaits || waiting.length > 0)) {
        const isCheck = !beatWaits && waiting.length === 0;
        const payloads = packed(name(), waiting);
        waiting = [];
        beatWaits = false;
        checkWaits = false;
        await client.query(isCheck ? 'SELECT 1' : { name: 'notify', text: NOTIFY, values: [payloads] });
      }
    } catch (error) {
      if (!closed) warn('hints were lost, others will find the events by polling', error);
    } finally {
      sending = false;
    }
  }

  return {
    send(hint: Hint): void {
      if (waiting.length < MOST_WAITING) waiting.push(hint);
      pump();
    },
    beat(): void {
      beatWaits = true;
      pump();
    },
    /** Sends nothing to others, but detects a dead connection. */
    check(): void {
      checkWaits = true;
      pump();
    },
    use(next: pg.Client): void {
      client = next;
    },
    drop(old: pg.Client): void {
      if (client === old) client = undefined;
      void old.end().catch(() => {});
    },
    /** The end of a connection would cut off the statement under way, so it waits for that. */
    async close(): Promise<void> {
      closed = true;
      await atMost(GOODBYE_MS, sent);
      await client?.end().catch(() => {});
    },
  };
}

/** For a process that does not listen itself, such as an operator's command: tells every server. */
export async function tellAll(pool: pg.Pool, hints: readonly Hint[]): Promise<void> {
  if (hints.length > 0) await pool.query(NOTIFY, [packed(randomUUID() + ELSEWHERE, hints)]);
}

/**
 * Payloads of hints, each below the size limit. They name the sender, which ignores its own. An empty list makes a
 * beat.
 */
function packed(name: string, hints: readonly Hint[]): string[] {
  const payloads: string[] = [];
  let current = name;
  for (const { match, version, players } of hints) {
    const item = ` ${match}:${version}:${players.join()}`;
    if (current.length + item.length > MAX_PAYLOAD) {
      payloads.push(current);
      current = name;
    }
    current += item;
  }
  payloads.push(current);
  return payloads;
}

function unpacked(item: string): Hint {
  const [match = '', version, players] = item.split(':');
  return { match, version: Number(version), players: players ? players.split(',') : [] };
}
