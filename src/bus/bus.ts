/**
 * A message bus (Redis or Valkey) besides the database, for what may be lost: hints between servers, and counts that
 * they share. While it is away, everything continues without it. Its users are told when it is lost and when it is
 * back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, GOODBYE_MS } from '../database/silence.ts';
import { type BusSession, openSession } from './session.ts';

export interface Bus {
  readonly isConnected: boolean;
  /** How often the connection was lost, or could not be made at the start. */
  readonly losses: number;
  /** Sends to every server that follows the subject. Returns false if the bus is away. */
  publish(subject: string, text: string): boolean;
  /** Starts or stops following a subject. Requests within one turn of the event loop are sent together. */
  follow(subject: string): void;
  unfollow(subject: string): void;
  /** Runs a script on keys; resolves to undefined if the bus is away. */
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Registers a listener; to be called before `open`. */
  attach(ear: BusEar): void;
  /** Resolves after the first attempt to connect, whether or not it succeeded, and soon in any case. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export interface BusEar {
  hear?(subject: string, text: string): void;
  /** Called when these subjects are followed; earlier messages about them were not received. */
  followed?(subjects: readonly string[]): void;
  connected?(): void;
  lost?(): void;
}

export interface BusOptions {
  url: string;
  /** The prefix of the names of subjects and keys. */
  prefix: string;
  warn(message: string): void;
  inform(message: string): void;
}

/** How long an attempt to connect, or an answer to a ping, may take. */
const PATIENCE_MS = 3000;
/** How long a start waits for the bus. */
const OPEN_MS = 1000;
const PING_EVERY_MS = 2000;
const LONGEST_PAUSE_MS = 3000;

const AWAY = 'until it is back, hints go through the database and limits are counted by each process on its own';

export function openBus({ url, prefix, warn, inform }: BusOptions): Bus {
  const ears: BusEar[] = [];
  const subjects = new Set<string>();
  const closing = new AbortController();
  let session: BusSession | undefined;
  /** Whether everything that should be followed is followed. */
  let isReady = false;
  let losses = 0;
  let loop = Promise.resolve();

  function away(error: unknown): void {
    losses++;
    warn(`The message bus is away (${reasonOf(error)}): ${AWAY}.`);
  }

  async function connect(): Promise<BusSession> {
    const made = await openSession({
      url,
      prefix,
      patienceMs: PATIENCE_MS,
      hear: (subject, text) => {
        for (const { hear } of ears) hear?.(subject, text);
      },
      followed: (names) => {
        for (const { followed } of ears) followed?.(names);
      },
    });
    if (closing.signal.aborted) made.end();
    session = made;
    for (const subject of subjects) made.follow(subject);
    await made.settled();
    isReady = true;
    for (const { connected } of ears) connected?.();
    return made;
  }

  /** The only place that reconnects. The first loss and the return are logged; attempts in between are not. */
  async function stayConnected(first: BusSession | undefined): Promise<void> {
    for (let current = first; ; ) {
      if (current) {
        const error = await current.lost;
        session = undefined;
        isReady = false;
        if (closing.signal.aborted) return;
        away(error);
        for (const { lost } of ears) lost?.();
      }
      current = await reconnected();
      if (!current) return;
      inform('The message bus is back.');
    }
  }

  /** Undefined if the bus was closed meanwhile. */
  async function reconnected(): Promise<BusSession | undefined> {
    const { signal } = closing;
    for (let ms = 100; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      await sleep(ms * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return undefined;
      const made = await connect().catch(() => undefined);
      if (made) return made;
    }
  }

  const pinging = setInterval(() => void session?.ping(), PING_EVERY_MS).unref();

  return {
    get isConnected() {
      return isReady;
    },
    get losses() {
      return losses;
    },
    publish: (subject, text) => isReady && (session?.publish(subject, text) ?? false),
    follow(subject) {
      subjects.add(subject);
      session?.follow(subject);
    },
    unfollow(subject) {
      subjects.delete(subject);
      session?.unfollow(subject);
    },
    run: async (script, keys, args) => (isReady ? session?.run(script, keys, args) : undefined),
    attach: (ear) => void ears.push(ear),
    async open() {
      const first = connect().catch(away);
      loop = first.then((made) => stayConnected(made ?? undefined));
      await atMost(OPEN_MS, first);
    },
    async close() {
      clearInterval(pinging);
      closing.abort();
      session?.end();
      await atMost(GOODBYE_MS, loop);
    },
  };
}

/** Never the error itself, because some contain the URL and with it the password. */
function reasonOf(error: unknown): string {
  const { message, code, name, errors } = error as Error & { code?: string; errors?: unknown[] };
  return message || code || (errors?.[0] ? reasonOf(errors[0]) : name);
}
