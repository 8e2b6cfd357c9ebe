/** Streams of the REST face: the same messages as server-sent events or as lines of JSON, as requested. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { refusals } from '../../errors.ts';
import { type Form, sendEventStream } from '../http/answers/event-stream.ts';
import { addressKey } from '../http/limits/admission.ts';
import { whenDone } from '../http/limits/connections.ts';
import { paidFor } from '../http/limits/work.ts';
import type { RestOptions } from './route.ts';

export interface Message {
  /** The id with which a reader resumes: Last-Event-ID. */
  id?: number;
  /** Named messages are about the stream itself: `end` and `cut`. */
  event?: string;
  data: unknown;
}

export interface Streamed<T> {
  form: Form;
  items: AsyncIterator<T>;
  /** What each item costs. */
  units: number;
  /** Returns null if this caller is not told of the item. */
  message: (item: T) => Message | null | Promise<Message | null>;
  /** Sent when the items have ended. */
  complete?: Message;
  failed?: (error: unknown) => Message | null;
}

function written(form: Form, { id, event, data }: Message): string {
  const text = JSON.stringify(data);
  if (form === 'application/x-ndjson') return event ? `{"event":"${event}","data":${text}}\n` : `${text}\n`;
  return `${event ? `event: ${event}\n` : ''}${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`;
}

/** Counts as one of the caller's subscriptions, and is paid for as it is delivered. */
export async function sendStream<T>(
  { services: { limits }, connections, subscriptions }: RestOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, items, units, message, complete, failed }: Streamed<T>,
): Promise<FastifyReply> {
  const release = await subscriptions.taken(request.viewer?.id ?? addressKey(request.ip));
  if (!release) {
    void items.return?.();
    throw refusals.tooManyStreams({ retryAfter: 10 });
  }
  const paid = paidFor(items, limits.work(request.viewer, request), units);
  return sendEventStream(reply, connections, {
    form,
    items: whenDone(mapped(paid, message), release),
    encode: (one) => (one === null ? '' : written(form, one)),
    ...(complete && { complete: written(form, complete) }),
    ...(failed && {
      failed: (error) => {
        const last = failed(error);
        return last === null ? '' : written(form, last);
      },
    }),
  });
}

function mapped<T, U>(items: AsyncIterator<T>, of: (item: T) => U | Promise<U>): AsyncIterator<U> {
  return {
    async next() {
      const result = await items.next();
      return result.done ? { done: true, value: undefined } : { done: false, value: await of(result.value) };
    },
    return: async () => {
      await items.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** A JSON answer, or a stream whose messages have this schema. */
export const pageOrStream = (page: string, message: string) => ({
  200: {
    description: 'The JSON answer, or a stream of it',
    content: {
      'application/json': { schema: Type.Ref(page) },
      'text/event-stream': { schema: Type.String({ description: `The data of each message is a ${message}.` }) },
      'application/x-ndjson': { schema: Type.String({ description: `Each line that is not empty is a ${message}.` }) },
    },
  },
});
