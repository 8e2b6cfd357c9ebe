import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Connections } from '../limits/connections.ts';
import { negotiate } from './negotiate.ts';

/** Keeps proxies from closing an idle stream. */
const KEEP_ALIVE_MS = 12_000;

/** The forms that a stream can have: what it says while nothing happens, and how a reader knows it. */
export const FORMS = {
  'text/event-stream': { type: 'text/event-stream; charset=utf-8', quiet: ':\n\n' },
  /** A JSON value a line; empty lines mean nothing. */
  'application/x-ndjson': { type: 'application/x-ndjson; charset=utf-8', quiet: '\n' },
};
export type Form = keyof typeof FORMS;
export const STREAM_FORMS = Object.keys(FORMS) as Form[];

/** The stream that is asked for; undefined: an answer that ends. */
export function formOf({ headers }: Pick<FastifyRequest, 'headers'>): Form | undefined {
  if (headers.accept === undefined) return undefined;
  const form = negotiate(headers.accept, ['application/json', ...STREAM_FORMS]);
  return STREAM_FORMS.find((one) => one === form);
}

export interface EventStream<T> {
  /** Server-sent events unless another is named. */
  form?: Form;
  items: AsyncIterator<T>;
  /** The text of one event, with its blank line. */
  encode: (item: T) => string;
  /** Sent when the items have come to their end; not when the stream is cut short. */
  complete?: string;
  /** The text to send when the items throw; none: the stream just ends. */
  failed?: (error: unknown) => string;
}

/** Answers with server-sent events until the items end, the caller leaves, its token is revoked or the server stops. */
export function sendEventStream<T>(
  reply: FastifyReply,
  connections: Connections,
  stream: EventStream<T>,
): FastifyReply {
  const stop = new AbortController();
  // A generator that waits ignores its own return(); ending its source is what wakes it.
  stop.signal.addEventListener('abort', () => void stream.items.return?.()?.catch(() => {}), { once: true });
  const forget = connections.add(reply.request.credentials, () => stop.abort());
  const leave = () => {
    forget();
    stop.abort();
  };
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
  // Small: what a slow reader has not taken yet is what it costs us.
  const body = Readable.from(texts(stream, stop.signal), { objectMode: false, highWaterMark: 16_384 });
  return reply
    .headers({
      'content-type': FORMS[stream.form ?? 'text/event-stream'].type,
      'cache-control': 'private, no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    .send(body);
}

async function* texts<T>(stream: EventStream<T>, signal: AbortSignal): AsyncGenerator<string> {
  const { items, encode, complete, failed } = stream;
  const { quiet } = FORMS[stream.form ?? 'text/event-stream'];
  try {
    yield quiet;
    for (let pending = items.next(); ; ) {
      const result = await orQuiet(pending);
      if (result === 'quiet') {
        yield quiet;
        continue;
      }
      if (result.done) break;
      yield encode(result.value);
      pending = items.next();
    }
    if (complete && !signal.aborted) yield complete;
  } catch (error) {
    const text = failed?.(error);
    if (text) yield text;
  }
}

async function orQuiet<T>(pending: Promise<T>): Promise<T | 'quiet'> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<'quiet'>((resolve) => {
    timer = setTimeout(resolve, KEEP_ALIVE_MS, 'quiet');
  });
  try {
    return await Promise.race([pending, quiet]);
  } finally {
    clearTimeout(timer);
  }
}
