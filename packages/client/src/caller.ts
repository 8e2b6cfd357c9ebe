/**
 * How the server is called: requests that do no harm are repeated patiently, until they are answered or the caller
 * aborts.
 */
import { persistence, untilAnswered } from './backoff.ts';
import type { Operation } from './generated/operations.ts';
import { askOnce, type Line } from './http.ts';

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface QueryOptions extends CallOptions {
  /** Whether to send it again until it is answered. By default, queries are. */
  retry?: boolean;
}

/** The source of subscriptions: a socket, or event streams. Each call is one attempt. */
export interface Streams {
  subscribe(query: string, variables: object, signal: AbortSignal | undefined): AsyncGenerator<unknown>;
  close(): void;
}

export interface Caller {
  query<A, V extends object>(operation: Operation<A, V>, variables: V, options?: QueryOptions): Promise<A>;
  /** For commands that carry a key, or that change nothing when they are sent again. */
  surely<A, V extends object>(operation: Operation<A, V>, variables: V, signal?: AbortSignal): Promise<A>;
  subscribe<A, V extends object>(
    operation: Operation<A, V>,
    variables: V | (() => V),
    options?: CallOptions,
  ): AsyncGenerator<A, void>;
  /** Repeats any other work that may be done twice. */
  persist<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function openCaller(line: Line, streams: Streams, patienceMs: number): Caller {
  const query: Caller['query'] = <A, V extends object>(
    operation: Operation<A, V>,
    variables: V,
    { signal, retry = !/^\s*mutation\b/.test(operation) }: QueryOptions = {},
  ) => {
    const ask = () => askOnce<A>(line, operation, variables, signal);
    return retry ? untilAnswered(ask, { patienceMs, signal }) : ask();
  };

  async function* subscribe<A, V extends object>(
    operation: Operation<A, V>,
    variables: V | (() => V),
    { signal }: CallOptions = {},
  ): AsyncGenerator<A, void> {
    const attempts = persistence({ patienceMs, signal });
    for (;;) {
      try {
        const now = typeof variables === 'function' ? variables() : variables;
        for await (const data of streams.subscribe(operation, now, signal)) {
          attempts.succeeded();
          yield data as A;
        }
        return;
      } catch (error) {
        await attempts.failed(error);
      }
    }
  }

  return {
    query,
    surely: (operation, variables, signal) => query(operation, variables, { retry: true, signal }),
    subscribe,
    persist: (work, signal) => untilAnswered(work, { patienceMs, signal }),
  };
}
