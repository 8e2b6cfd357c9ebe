import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Connections } from '../limits/connections.ts';
import { negotiate } from './negotiate.ts';

/** Keeps proxies from closing an idle stream. */
const KEEP_ALIVE_MS = 12_000;

/** The formats of a stream: what is sent while nothing happens, and the media type. */
export const FORMS = {
  'text/event-stream': { type: 'text/event-stream; charset=utf-8', quiet: ':\n\n' },
  /** One JSON value per line; empty lines have no meaning. */
  'application/x-ndjson': { type: 'application/x-ndjson; charset=utf-8', quiet: '\n' },
};
export type Form = keyof typeof FORMS;
export const STREAM_FORMS = Object.keys(FORMS) as Form[];

/** The format of stream that the caller asks for; undefined if it wants an ordinary answer. */
export function formOf({ headers }: Pick<FastifyRequest, 'headers'>): Form | undefined {
  if (headers.accept === undefined) return undefined;
  const form = negotiate(headers.accept, ['application/json', ...STREAM_FORMS]);
  return STREAM_FORMS.find((one) => one === form);
}

export interface EventStream<T> {
  /** Server-sent events unless another format is named. */
  form?: Form;
  items: AsyncIterator<T>;
  /** The text of one event, including its blank line. */
  encode: (item: T) => string;
  /** Sent when the items have ended, but not when the stream is cut short. */
  complete?: string;
  /** The text to send when the items throw. Without it, the stream just ends. */
  failed?: (error: unknown) => string;
}

/** Answers with server-sent events until the items end, the caller leaves, its token is revoked or the server stops. */
export function sendEventStream<T>(
  reply: FastifyReply,
  connections: Connections,
  stream: EventStream<T>,
): FastifyReply {
  const stop = new AbortController();
  // A generator that is waiting ignores its own return(). Ending its source wakes it.
  stop.signal.addEventListener('abort', () => void stream.items.return?.()?.catch(() => {}), { once: true });
  const forget = connections.add(reply.request.credentials, () => stop.abort());
  const leave = () => {
    forget();
    stop.abort();
  };
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
  // A small buffer, because a slow reader costs us as much memory as it has not read.
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
