/**
 * Subscriptions over one WebSocket (graphql-transport-ws), which is opened when needed and closed when no longer
 * needed.
 */
import { AtollError } from './errors.ts';
import { firstError, type GraphqlAnswer, type Line } from './http.ts';

/** Available in every browser, in Node from version 22 on, and from the package ws. */
export type WebSocketConstructor = new (url: string, protocol: string) => object;

const PING_MS = 10_000;
/** How long the connection may be silent after a ping. */
const SILENCE_MS = 5000;
const FORBIDDEN = 4403;

interface Sink {
  next(data: unknown): void;
  /** Undefined if the server has nothing more to send. */
  end(error: AtollError | undefined): void;
}

interface Connection {
  subscribe(query: string, variables: object, sink: Sink): () => void;
  close(): void;
}

interface Message {
  type: string;
  id?: string;
  payload?: GraphqlAnswer | GraphqlAnswer['errors'];
}

const wasCut = (code: number) =>
  code === FORBIDDEN
    ? new AtollError('UNAUTHENTICATED', 'This token is not valid: it was revoked, has expired, or never existed.')
    : new AtollError('OFFLINE', `The socket was closed with ${code}.`);

function connect(url: string, Socket: WebSocketConstructor, token: string | undefined, gone: () => void): Connection {
  const socket = new Socket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws') as WebSocket;
  const sinks = new Map<string, Sink>();
  const waiting: string[] = [];
  let acknowledged = false;
  let subscribed = 0;
  let answered = true;
  const write = (message: object) => socket.send(JSON.stringify(message));
  const finish = (code: number) => {
    clearInterval(pinging);
    gone();
    for (const sink of sinks.values()) sink.end(wasCut(code));
    sinks.clear();
  };
  // Some sockets take long to close when the connection is dead, so whoever waits is told at once.
  const drop = () => {
    socket.close();
    finish(1006);
  };
  let silence: ReturnType<typeof setTimeout> | undefined;
  const pinging = setInterval(() => {
    if (!acknowledged) return;
    answered = false;
    write({ type: 'ping' });
    silence = setTimeout(() => answered || drop(), SILENCE_MS);
  }, PING_MS);
  socket.addEventListener('open', () =>
    write({ type: 'connection_init', payload: token === undefined ? {} : { token } }),
  );
  socket.addEventListener('error', () => {}); // followed by close
  socket.addEventListener('close', ({ code }) => {
    clearTimeout(silence);
    finish(code);
  });
  socket.addEventListener('message', ({ data }) => {
    answered = true;
    const { type, id = '', payload } = JSON.parse(String(data)) as Message;
    if (type === 'connection_ack') {
      acknowledged = true;
      for (const text of waiting.splice(0)) socket.send(text);
    } else if (type === 'ping') write({ type: 'pong' });
    else if (type === 'next') next(id, payload as GraphqlAnswer);
    else if (type === 'error') end(id, firstError({ errors: payload as NonNullable<GraphqlAnswer['errors']> }));
    else if (type === 'complete') end(id, undefined);
  });

  function next(id: string, answer: GraphqlAnswer): void {
    const error = firstError(answer);
    if (error) end(id, error);
    else sinks.get(id)?.next(answer.data);
  }

  function end(id: string, error: AtollError | undefined): void {
    const sink = sinks.get(id);
    sinks.delete(id);
    sink?.end(error);
  }

  return {
    subscribe(query, variables, sink) {
      const id = String(++subscribed);
      sinks.set(id, sink);
      const text = JSON.stringify({ type: 'subscribe', id, payload: { query, variables } });
      if (acknowledged) socket.send(text);
      else waiting.push(text);
      return () => {
        if (sinks.delete(id) && acknowledged && socket.readyState === 1) write({ type: 'complete', id });
      };
    },
    close() {
      clearInterval(pinging);
      clearTimeout(silence);
      socket.close(1000);
    },
  };
}

export interface Sockets {
  subscribe(query: string, variables: object, signal: AbortSignal | undefined): AsyncGenerator<unknown>;
  close(): void;
}

/** All subscriptions of one client share a socket, which is open as long as there are any. */
export function openSockets(line: Line, Socket: WebSocketConstructor): Sockets {
  let current: { connection: Promise<Connection>; users: number } | undefined;

  function join() {
    current ??= open();
    current.users++;
    return current;
  }

  function open() {
    const made = { users: 0, connection: line.token().then((token) => connect(line.url, Socket, token, gone)) };
    const gone = () => {
      if (current === made) current = undefined;
    };
    return made;
  }

  async function leave(used: NonNullable<typeof current>): Promise<void> {
    if (--used.users > 0) return;
    if (current === used) current = undefined;
    (await used.connection.catch(() => undefined))?.close();
  }

  async function* subscribe(
    query: string,
    variables: object,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<unknown> {
    const queue: unknown[] = [];
    let ended: { error: AtollError | undefined } | undefined;
    let wake = () => {};
    const aborted = () => wake();
    signal?.addEventListener('abort', aborted, { once: true });
    const used = join();
    let stop = () => {};
    try {
      const connection = await used.connection;
      stop = connection.subscribe(query, variables, {
        next(data) {
          queue.push(data);
          wake();
        },
        end(error) {
          ended = { error };
          wake();
        },
      });
      for (;;) {
        if (signal?.aborted) throw signal.reason;
        if (queue.length > 0) yield queue.shift();
        else if (ended?.error) throw ended.error;
        else if (ended) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      signal?.removeEventListener('abort', aborted);
      stop();
      await leave(used);
    }
  }

  return {
    subscribe,
    close() {
      const used = current;
      current = undefined;
      void used?.connection.then((connection) => connection.close()).catch(() => {});
    },
  };
}
