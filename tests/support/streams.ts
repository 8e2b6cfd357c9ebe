/** The three transports of live events, behind one interface. */
import { createClient as createSse } from 'graphql-sse';
import { createClient as createSocket } from 'graphql-ws';
import { WebSocket } from 'ws';
import { bearer, type EventJson, type Json } from './api.ts';
import { EVENT } from './api-graphql.ts';

export interface Stream<T = EventJson> {
  seen: T[];
  /** `complete`, `cut`, `closed <code>` or `refused <code>`. */
  ended: Promise<string>;
  /** Breaks the connection off. */
  cut(): void;
}

export interface Subject {
  id: string;
  token?: string | undefined;
  after?: number | undefined;
  invite?: string | undefined;
}

export type Open = (url: string, subject: Subject) => Stream;

const EVENTS = `subscription ($id: ID!, $after: Int, $invite: String) {
  matchEvents(matchId: $id, after: $after, invite: $invite) { ${EVENT} } }`;

interface Result {
  data?: Json | null;
  errors?: readonly { extensions?: Json | undefined }[];
}

/** Collects what a client of either protocol receives in a stream. */
function sinkOf<T>(stream: { seen: T[] }, end: (how: string) => void) {
  return {
    next({ data, errors }: Result) {
      if (errors) end(`refused ${String(errors[0]?.extensions?.code)}`);
      else stream.seen.push(Object.values(data ?? {})[0] as T);
    },
    error(error: unknown) {
      const { code } = error as { code?: unknown };
      const [first] = Array.isArray(error) ? (error as { extensions?: Json }[]) : [];
      if (first) end(`refused ${String(first.extensions?.code)}`);
      else end(typeof code === 'number' ? `closed ${code}` : 'cut');
    },
    complete: () => end('complete'),
  };
}

export function socketSubscription<T>(
  url: string,
  token: string | undefined,
  query: string,
  variables: Json,
): Stream<T> {
  let socket: WebSocket | undefined;
  class Tracked extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols);
      this.on('error', () => {}); // a close follows
      socket = this;
    }
  }
  const client = createSocket({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: Tracked,
    retryAttempts: 0,
    ...(token !== undefined && { connectionParams: { token } }),
  });
  const seen: T[] = [];
  const ended = new Promise<string>((end) => {
    client.subscribe({ query, variables }, sinkOf({ seen }, end));
  }).finally(() => client.dispose());
  return { seen, ended, cut: () => socket?.terminate() };
}

export const bySocket: Open = (url, { token, ...variables }) => socketSubscription(url, token, EVENTS, variables);

export const bySse: Open = (url, { token, ...variables }) => {
  const client = createSse({ url: `${url}/graphql`, headers: bearer(token), retryAttempts: 0 });
  const seen: EventJson[] = [];
  let cut = () => {};
  const ended = new Promise<string>((end) => {
    const leave = client.subscribe({ query: EVENTS, variables }, sinkOf({ seen }, end));
    cut = () => {
      leave();
      end('cut');
    };
  });
  return { seen, ended, cut: () => cut() };
};

export const byRest: Open = (url, { id, token, after, invite }) => {
  const controller = new AbortController();
  const seen: EventJson[] = [];
  const read = async (): Promise<string> => {
    const headers = {
      accept: 'text/event-stream',
      ...bearer(token),
      ...(after !== undefined && { 'last-event-id': String(after) }),
    };
    const query = invite === undefined ? '' : `?invite=${invite}`;
    const { signal } = controller;
    const response = await fetch(`${url}/v1/matches/${id}/events${query}`, { headers, signal });
    if (response.status === 204) return 'complete';
    if (!response.ok) return `refused ${((await response.json()) as Json).code}`;
    let text = '';
    let ended = 'cut';
    for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const messages = (text + chunk).split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const fields = Object.fromEntries(message.split('\n').map((line) => line.split(/: (.*)/s)));
        if (fields.event === 'end') ended = 'complete';
        else if (fields.id !== undefined) seen.push(checked(fields.id, JSON.parse(fields.data)));
      }
    }
    return ended;
  };
  return { seen, ended: read().catch(() => 'cut'), cut: () => controller.abort() };
};

/** A reader resumes by the message's id, so it must be the event's version. */
function checked(id: string, event: EventJson): EventJson {
  if (id !== String(event.version)) throw new Error(`id ${id} for version ${event.version}`);
  return event;
}

export const ways: [string, Open][] = [
  ['graphql-ws', bySocket],
  ['graphql-sse', bySse],
  ['REST', byRest],
];
