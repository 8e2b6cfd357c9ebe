/**
 * How servers that share a database tell each other of events: by NOTIFY, on a separate connection, and by ids only.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { newClient } from '../../database/address.ts';
import { atMost, GOODBYE_MS, giveUpWhenSilent } from '../../database/silence.ts';
import { steady } from '../../database/time.ts';
import type { Hint } from './watchers.ts';

export interface Channel {
  /** Tells the other servers, if there are any. */
  send(hint: Hint): void;
  /** To be called regularly: announces this server, and detects a dead connection. */
  beat(): void;
  readonly reconnects: number;
  close(): Promise<void>;
}

export interface ChannelOptions {
  url: string;
  hear(hint: Hint): void;
  /** Called when a connection is made: hints sent before that were not received. */
  onConnected(): void;
  warn(message: string, error?: unknown): void;
  /** After this time without a word from another server, this one considers itself alone and sends nothing. */
  aloneAfterMs?: number;
}

/** The number is the version of the message format: servers that use another format must not receive it. */
const CHANNEL = 'atoll_2';
const NOTIFY = `SELECT pg_notify('${CHANNEL}', p) FROM unnest($1::text[]) AS p`;
const CONNECT_MS = 3000;
/** How long a statement may go unanswered before the connection counts as dead. */
const SILENCE_MS = 4000;
/** Longer than several beats, so that a server that misses one is not considered gone. */
const ALONE_AFTER_MS = 10_000;
/** How many hints are kept while there is no connection. Other servers find what they were not told by polling. */
const MOST_WAITING = 10_000;
/** PostgreSQL limits a payload to less than 8000 bytes. */
const MAX_PAYLOAD = 7800;

/** Rejects if the first connection fails; later ones are retried for ever. */
export async function openChannel(options: ChannelOptions): Promise<Channel> {
  const self = randomUUID();
  const closing = new AbortController();
  const others = company(options.aloneAfterMs ?? ALONE_AFTER_MS);
  const sender = openSender(self, options.warn);
  let reconnects = 0;

  function hear(payload = ''): void {
    const [from = '', ...hints] = payload.split(' ');
    if (from === self) return;
    if (others.heard(from)) sender.beat(); // a server that has just started must not believe that it is alone
    for (const hint of hints) options.hear(unpacked(hint));
  }

  async function connect(): Promise<Session> {
    const session = await newSession(options.url, hear);
    const { client, lost } = session;
    sender.use(client);
    void lost.then(() => sender.drop(client));
    if (closing.signal.aborted) void client.end().catch(() => {}); // the channel was closed meanwhile
    others.mayBeThere();
    sender.beat();
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
      if (!others.areGone()) sender.send(hint);
    },
    beat: sender.beat,
    get reconnects() {
      return reconnects;
    },
    async close() {
      closing.abort();
      await atMost(GOODBYE_MS, sender.close());
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
    // Losing a hint in a crash does no harm, so the commit need not wait for the disk.
    await client.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  return { client, lost };
}

/**
 * Which other servers there are. While no other server listens nothing is sent, which saves a commit for each batch.
 */
function company(aloneAfterMs: number) {
  const heardAt = new Map<string, number>();
  let since = steady();
  return {
    /** Returns true if this server was not known before. */
    heard(server: string): boolean {
      const isNew = !heardAt.has(server);
      heardAt.set(server, steady());
      return isNew;
    },
    /** Assumes that there are others until they have had time to announce themselves. */
    mayBeThere(): void {
      since = steady();
    },
    areGone(): boolean {
      const now = steady();
      for (const [server, at] of heardAt) if (now - at > aloneAfterMs) heardAt.delete(server);
      return heardAt.size === 0 && now - since > aloneAfterMs;
    },
  };
}

/** Hints that arrive while a statement is running are sent together in the next one. */
function openSender(self: string, warn: ChannelOptions['warn']) {
  let client: pg.Client | undefined;
  let waiting: Hint[] = [];
  let beatWaits = false;
  let sending = false;

  async function pump(): Promise<void> {
    if (sending) return;
    sending = true;
    try {
      while (client && (beatWaits || waiting.length > 0)) {
        const payloads = packed(self, waiting);
        waiting = [];
        beatWaits = false;
        await client.query({ name: 'notify', text: NOTIFY, values: [payloads] });
      }
    } catch (error) {
      warn('hints were lost, others will find the events by polling', error);
    } finally {
      sending = false;
    }
  }

  return {
    send(hint: Hint): void {
      if (waiting.length < MOST_WAITING) waiting.push(hint);
      void pump();
    },
    beat(): void {
      beatWaits = true;
      void pump();
    },
    use(next: pg.Client): void {
      client = next;
    },
    drop(old: pg.Client): void {
      if (client === old) client = undefined;
      void old.end().catch(() => {});
    },
    async close(): Promise<void> {
      await client?.end().catch(() => {});
    },
  };
}

/** For a process that does not listen itself, such as an operator's command: tells every server. */
export async function tellAll(pool: pg.Pool, hints: readonly Hint[]): Promise<void> {
  if (hints.length > 0) await pool.query(NOTIFY, [packed(randomUUID(), hints)]);
}

/**
 * Payloads of hints, each below the size limit. They name the sender, which ignores its own. An empty list makes a
 * beat.
 */
function packed(self: string, hints: readonly Hint[]): string[] {
  const payloads: string[] = [];
  let current = self;
  for (const { match, version, players } of hints) {
    const item = ` ${match}:${version}:${players.join()}`;
    if (current.length + item.length > MAX_PAYLOAD) {
      payloads.push(current);
      current = self;
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
