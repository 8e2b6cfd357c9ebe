/** Spectators on every transport: they return whenever they are cut off, and continue where they were. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Rng } from '../../src/games/game.ts';
import type { Instance } from './instances.ts';
import type { Record, Stream } from './record.ts';

const QUERY = 'subscription ($id: ID!, $after: Int) { matchEvents(matchId: $id, after: $after) { version hash } }';

interface Event {
  version: number;
  hash: string;
}

/** Reads events after a version until the stream breaks or ends. Resolves to true if the match is over. */
type Follow = (
  url: string,
  id: string,
  after: number,
  hear: (event: Event) => void,
  signal: AbortSignal,
) => Promise<boolean>;

type Errors = readonly { extensions?: { code?: unknown } | undefined }[];

/** Undefined if the errors say something other than that history was cut back. */
const cutError = (errors: Errors) =>
  errors[0]?.extensions?.code === 'HISTORY_CUT' ? new Error('HISTORY_CUT') : undefined;

const bySocket: Follow = (url, id, after, hear, signal) =>
  new Promise((resolve, reject) => {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      keepAlive: 5000,
      connectionAckWaitTimeout: 10_000,
      on: {
        ping: (received) => {
          if (!received) silent = setTimeout(() => client.terminate(), 15_000);
        },
        pong: () => clearTimeout(silent),
      },
    });
    let silent: NodeJS.Timeout | undefined;
    const done = (over: boolean, error?: Error) => {
      clearTimeout(silent);
      void client.dispose();
      if (error) reject(error);
      else resolve(over);
    };
    signal.addEventListener('abort', () => done(false), { once: true });
    client.subscribe<{ matchEvents: Event }>(
      { query: QUERY, variables: { id, after } },
      {
        // A failure before the stream has begun arrives as a last item, and only then as the end.
        next: ({ data, errors }) => {
          if (errors) done(false, cutError(errors));
          else if (data) hear(data.matchEvents);
        },
        complete: () => done(true),
        error: (errors) => done(false, Array.isArray(errors) ? cutError(errors) : undefined),
      },
    );
  });

const byEvents: Follow = async (url, id, after, hear, signal) => {
  const client = createSseClient({ url: `${url}/graphql`, retryAttempts: 0 });
  signal.addEventListener('abort', () => client.dispose(), { once: true });
  try {
    for await (const { data, errors } of client.iterate<{ matchEvents: Event }>({
      query: QUERY,
      variables: { id, after },
    })) {
      const cut = errors && cutError(errors);
      if (cut) throw cut;
      if (errors) return false;
      if (data) hear(data.matchEvents);
    }
    return true;
  } finally {
    client.dispose();
  }
};

const byRest: Follow = async (url, id, after, hear, signal) => {
  const response = await fetch(`${url}/v1/matches/${id}/events?after=${after}`, {
    headers: { accept: 'text/event-stream' },
    signal,
  });
  if (response.status === 204) return true;
  if (!response.ok || !response.body) return false;
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      if (message.startsWith('event: end')) return true;
      if (message.startsWith('event: cut')) throw new Error('HISTORY_CUT');
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (data) hear(JSON.parse(data) as Event);
    }
  }
  return false;
};

export const TRANSPORTS: [string, Follow][] = [
  ['WebSocket', bySocket],
  ['GraphQL event stream', byEvents],
  ['REST event stream', byRest],
];

/** A stream that is frozen with its server sends nothing at all, so it is opened again after this time. */
const RENEW_MS = 30_000;

/** Whether a match is over and this was its last event; undefined if no server can say at present. */
async function isWhole(url: string, match: string, version: number): Promise<boolean | undefined> {
  const response = await fetch(`${url}/v1/matches/${match}`);
  if (!response.ok) return undefined;
  const found = (await response.json()) as { endedAt: string | null; version: number };
  return found.endedAt !== null && found.version === version;
}

/** Watches a match from its first event to its end, or until `over`. */
export async function watch(
  [transport, follow]: [string, Follow],
  match: string,
  { instances, rng, record, over }: { instances: readonly Instance[]; rng: Rng; record: Record; over: () => boolean },
): Promise<void> {
  const stream: Stream = { match, transport, seen: [] };
  record.streams.push(stream);
  const last = () => stream.seen.at(-1)?.[0] ?? 0;
  while (!over()) {
    const stop = new AbortController();
    const renew = setTimeout(() => stop.abort(), RENEW_MS);
    const check = setInterval(() => over() && stop.abort(), 500);
    try {
      const { url } = rng.pick(instances);
      const hear = ({ version, hash }: Event) => {
        if (version !== last() + 1) record.violate(`${transport} ${match}: ${version} came after ${last()}`);
        stream.seen.push([version, hash]);
      };
      const ended = await follow(url, match, last(), hear, stop.signal);
      if (ended && !stop.signal.aborted) {
        const whole = await isWhole(url, match, last());
        if (whole) return;
        if (whole === false) record.violate(`${transport} ${match}: ended after ${last()}, and the match goes on`);
      }
    } catch (error) {
      if ((error as Error).message === 'HISTORY_CUT') record.violate(`${transport} ${match}: history was cut back`);
    } finally {
      clearTimeout(renew);
      clearInterval(check);
      stop.abort();
    }
    await sleep(100 + rng.int(400));
  }
}
