/** Subscriptions by event stream (graphql-sse, distinct connections mode), which need only fetch. */
import { AtollError } from './errors.ts';
import { firstError, type GraphqlAnswer, type Line, refusalOf, send } from './http.ts';

/** The server writes a comment every 12 seconds, so a longer silence means that the connection is dead. */
const SILENCE_MS = 30_000;

interface Message {
  event: string;
  data: string;
}

function parse(text: string): Message {
  const message = { event: 'message', data: '' };
  for (const line of text.split('\n')) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') message.event = value;
    else if (field === 'data') message.data += value;
  }
  return message;
}

async function* messages(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Message> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      const parts = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) yield parse(part);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Yields what the server sends until it is complete. A stream that is cut throws OFFLINE. */
export async function* subscribeBySse(
  line: Line,
  query: string,
  variables: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown> {
  const stop = new AbortController();
  const aborted = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', aborted, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(new AtollError('OFFLINE', 'The stream fell silent.')), SILENCE_MS);
  };
  try {
    heard();
    const body = { query, variables };
    const response = await send(line, '/graphql', { accept: 'text/event-stream', body, signal: stop.signal });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!response.ok || !isStream || !response.body) throw await refusalOf(response);
    for await (const { event, data } of messages(response.body, heard)) {
      if (event === 'complete') return;
      if (event !== 'next') continue; // a comment that keeps the connection open
      const answer = JSON.parse(data) as GraphqlAnswer;
      const error = firstError(answer);
      if (error) throw error;
      yield answer.data;
    }
    throw new AtollError('OFFLINE', 'The stream was cut.');
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (stop.signal.aborted) throw stop.signal.reason;
    if (cause instanceof AtollError) throw cause;
    throw Object.assign(new AtollError('OFFLINE', 'The stream was cut.'), { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
  }
}
