/** One socket for all live updates. It reconnects by itself and resumes where it stopped. */
import { effect, signal } from '@preact/signals';
import { type Client, createClient } from 'graphql-ws';
import { Refusal } from './api.ts';
import type { Operation } from './generated/operations.ts';
import { session, sessionEnded } from './session.ts';

/** Whether the socket is connected; true before it is needed. */
export const connected = signal(true);

const FORBIDDEN = 4403;
/** Without an answer to a ping for this long, the connection counts as cut. */
const SILENCE_MS = 5000;

function open(): Client {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let socket: WebSocket | undefined;
  return createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    // The browser sends the cookie by itself.
    connectionParams: () => (session.value?.token ? { token: session.value.token } : {}),
    keepAlive: 10_000,
    lazyCloseTimeout: 3000,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: async (n) => {
      const ms = Math.min(500 * 1.6 ** n, 8000) * (0.7 + Math.random() * 0.6);
      await new Promise((resolve) => {
        setTimeout(resolve, ms);
        addEventListener('online', resolve, { once: true });
      });
    },
    // If nobody is signed in, the cookie is old, and the next answer makes this browser forget it.
    shouldRetry: (error) => (error as CloseEvent).code !== FORBIDDEN || !session.peek(),
    on: {
      opened: (opened) => {
        socket = opened as WebSocket;
      },
      connected: () => {
        connected.value = true;
      },
      ping: (received) => {
        if (received) return;
        waiting = setTimeout(() => socket?.close(4408, 'No answer'), SILENCE_MS);
      },
      pong: (received) => {
        if (received) clearTimeout(waiting);
      },
      closed: (event) => {
        clearTimeout(waiting);
        const { code, wasClean } = event as CloseEvent;
        if (code === FORBIDDEN && session.peek()) sessionEnded.value = true;
        // 1000 means that the socket is no longer needed.
        connected.value = code === 1000 && wasClean;
      },
    },
  });
}

let client: Client | undefined;
let player: string | undefined;

/** Another player needs another socket. */
effect(() => {
  const now = session.value?.id;
  if (now === player) return;
  player = now;
  void client?.dispose();
  client = undefined;
});

export interface Listener<T> {
  next(data: T): void;
  failed?(error: unknown): void;
  /** Called when the server has nothing more to send. */
  done?(): void;
}

/**
 * Returns a function that ends the subscription. The variables are read again each time the socket reconnects, so a
 * getter resumes from where it is then.
 */
export function listen<T, V>(operation: Operation<T, V>, variables: V, listener: Listener<T>): () => void {
  client ??= open();
  return client.subscribe<T>(
    { query: operation, variables: variables as Record<string, unknown> },
    {
      next: ({ data }) => data && listener.next(data),
      error: (cause) => {
        const [first] = Array.isArray(cause) ? cause : [];
        listener.failed?.(
          first ? new Refusal(first.extensions?.code ?? 'BAD_INPUT', first.message, first.extensions) : cause,
        );
      },
      complete: () => listener.done?.(),
    },
  );
}
