/** One connection to the message bus. It is never repaired: a new one replaces it. */
import type { createClient as CreateClient } from '@redis/client';

export interface BusSession {
  publish(subject: string, text: string): boolean;
  follow(subject: string): void;
  unfollow(subject: string): void;
  /** Resolves when everything that should be followed is followed; rejects if that failed. */
  settled(): Promise<void>;
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Checks whether the other end still answers, and ends the connection if it does not. */
  ping(): Promise<void>;
  end(): void;
  /** Resolves to the reason when the connection has ended. */
  readonly lost: Promise<unknown>;
}

export interface SessionOptions {
  url: string;
  prefix: string;
  patienceMs: number;
  hear(subject: string, text: string): void;
  followed(subjects: readonly string[]): void;
}

/** The most commands under way: a bus that is slower than we are must not fill our memory. */
const MOST_WAITING = 20_000;
/** How many subjects, or channels and their texts, are sent in one command. The number must be even. */
const TOGETHER = 1000;
/**
 * The bus refuses what we need, like a primary that has become a replica. Another connection may lead to another
 * server.
 */
const USELESS = /^(READONLY|LOADING|MASTERDOWN|NOAUTH|NOPERM)/;

/** Detects a replica, or an account without the permission to write, at once. */
const WRITES = "return redis.call('SET', KEYS[1], '1', 'PX', 60000)";

const PUBLISH = "for i = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end";

export async function openSession(options: SessionOptions): Promise<BusSession> {
  const { url, prefix, patienceMs, hear } = options;
  const { createClient } = await import('@redis/client'); // loaded only if there is a bus, because it costs memory
  const client = newClient(createClient, url, patienceMs);
  let fail: (reason: unknown) => void = () => {};
  const lost = new Promise<unknown>((resolve) => {
    fail = (reason) => {
      resolve(reason);
      client.destroy(); // everything that waits for an answer is rejected
    };
  });
  client.on('error', fail);
  client.on('end', () => fail(new Error('it was closed')));
  await inTime(client.connect(), patienceMs, fail);

  /** A command that fails for a permanent reason ends the connection. */
  const sent = <T>(command: Promise<T>): Promise<T> => {
    command.catch((error: Error) => USELESS.test(error.message) && fail(error));
    return command;
  };
  const subscriptions = openSubscriptions({
    subscribe: (names) => sent(client.subscribe(named(prefix, names), heard)),
    unsubscribe: (names) => sent(client.unsubscribe(named(prefix, names))),
    followed: options.followed,
  });
  const heard = (text: string, channel: string) => hear(channel.slice(prefix.length + 1), text);
  const run: BusSession['run'] = (script, keys, args) =>
    sent(client.sendCommand(['EVAL', script, String(keys.length), ...named(prefix, keys), ...args]));
  await inTime(run(WRITES, ['up'], []), patienceMs, fail);
  const post = together((pairs) => {
    run(PUBLISH, [], pairs).catch(() => {});
  });

  return {
    publish(subject, text) {
      if (!client.isReady) return false;
      post(`${prefix}:${subject}`, text);
      return true;
    },
    follow: subscriptions.want,
    unfollow: subscriptions.unwant,
    settled: () => inTime(subscriptions.settled(), patienceMs, fail),
    run,
    async ping() {
      await inTime(client.sendCommand(['PING']), patienceMs, fail).catch(() => {});
    },
    end: () => fail(new Error('it was closed')),
    lost,
  };
}

const named = (prefix: string, names: readonly string[]): string[] => names.map((name) => `${prefix}:${name}`);

function newClient(create: typeof CreateClient, url: string, connectTimeout: number) {
  return create({
    url: url.replace(/^valkey/, 'redis'),
    name: 'atoll',
    RESP: 3, // so that one connection can both send commands and receive messages
    socket: { connectTimeout, reconnectStrategy: false },
    commandOptions: { timeout: 0 }, // a timer for each command costs more than the command, and pings detect silence too
    commandsQueueMaxLength: MOST_WAITING,
    maintNotifications: 'disabled',
  });
}

/** The result of the work; if it takes too long, the connection is ended. */
async function inTime<T>(work: Promise<T>, ms: number, fail: (reason: unknown) => void): Promise<T> {
  const late = setTimeout(() => fail(new Error(`it did not answer within ${ms} ms`)), ms);
  try {
    return await work;
  } catch (error) {
    fail(error);
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/**
 * Messages within one turn of the event loop are sent in one command, because each command costs more than its content.
 */
function together(send: (pairs: string[]) => void): (channel: string, text: string) => void {
  let pairs: string[] = [];
  const flush = () => {
    const all = pairs;
    pairs = [];
    for (const part of chunks(all)) send(part);
  };
  return (channel, text) => {
    if (pairs.length === 0) setImmediate(flush);
    pairs.push(channel, text);
  };
}

interface SubscriptionParts {
  subscribe(names: string[]): Promise<void>;
  unsubscribe(names: string[]): Promise<void>;
  followed(names: readonly string[]): void;
}

/** Sends what has changed since the last turn of the event loop. Commands keep their order, so the last one counts. */
function openSubscriptions({ subscribe, unsubscribe, followed }: SubscriptionParts) {
  const wanted = new Set<string>();
  const subscribed = new Set<string>();
  const changed = new Set<string>();
  let sending: Promise<unknown> | undefined;

  async function send(): Promise<void> {
    await new Promise(setImmediate);
    sending = undefined;
    const names = [...changed];
    changed.clear();
    const begins = names.filter((name) => wanted.has(name) && !subscribed.has(name));
    const ends = names.filter((name) => !wanted.has(name) && subscribed.has(name));
    for (const name of begins) subscribed.add(name);
    for (const name of ends) subscribed.delete(name);
    const commands = [...chunks(begins).map(subscribe), ...chunks(ends).map(unsubscribe)];
    await Promise.all(commands);
    if (begins.length > 0) followed(begins);
  }

  function change(name: string): void {
    changed.add(name);
    if (sending) return;
    sending = send();
    sending.catch(() => {}); // the connection has ended or will end, and the next one starts again
  }

  return {
    want(name: string): void {
      wanted.add(name);
      change(name);
    },
    unwant(name: string): void {
      wanted.delete(name);
      change(name);
    },
    async settled(): Promise<void> {
      await sending;
    },
  };
}

function chunks<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let i = 0; i < items.length; i += TOGETHER) parts.push(items.slice(i, i + TOGETHER));
  return parts;
}
