import { AtollError } from '../../errors.ts';
import type { Viewer } from '../../players/player.ts';

/** Headers as Node reads them. */
export type Headers = Record<string, string | string[] | undefined>;
/**
 * Undefined: no token was given. Throws UNAUTHENTICATED for one that is not, or no longer, valid.
 * `beforeLookUp` is called, and may throw, before a token that is not known yet is looked up.
 */
export type Authenticate = (headers: Headers, beforeLookUp?: () => void) => Promise<Viewer | undefined>;

/** Why a connection that could go on for ever is ended. */
export type Ending = 'revoked' | 'closing';

interface Connection {
  authorization: string | undefined;
  end: (why: Ending) => void;
}

/** Every connection that outlives a request: sockets and event streams. */
export interface Connections {
  /** Watches over one; returns what forgets it. `authorization` is the header that its player came with. */
  add(authorization: string | undefined, end: (why: Ending) => void): () => void;
  readonly size: number;
  /** Ends all, and stops watching. */
  close(): void;
}

/** Asks again now and then whether the tokens of live connections are still good: once a token, however many use it. */
export function openConnections(authenticate: Authenticate, everyMs: number): Connections {
  const connections = new Set<Connection>();
  let busy = false;

  const recheck = async () => {
    if (busy) return;
    busy = true;
    const tokens = new Set([...connections].map((c) => c.authorization));
    tokens.delete(undefined);
    for (const authorization of tokens) {
      if (!(await isRevoked(authenticate, authorization))) continue;
      for (const c of connections) if (c.authorization === authorization) c.end('revoked');
    }
    busy = false;
  };
  const timer = setInterval(() => void recheck(), everyMs).unref();

  return {
    add(authorization, end) {
      const connection = { authorization, end };
      connections.add(connection);
      return () => connections.delete(connection);
    },
    get size() {
      return connections.size;
    },
    close() {
      clearInterval(timer);
      for (const { end } of connections) end('closing');
    },
  };
}

/** A database that does not answer revokes nothing. */
async function isRevoked(authenticate: Authenticate, authorization: string | undefined): Promise<boolean> {
  try {
    return (await authenticate({ authorization })) === undefined;
  } catch (error) {
    return error instanceof AtollError && error.code === 'UNAUTHENTICATED';
  }
}

/** The same items; calls `done` once when they end, however they end. */
export function whenDone<T>(items: AsyncIterator<T>, done: () => void): AsyncIterableIterator<T> {
  const passed = (result: IteratorResult<T>) => {
    if (result.done) done();
    return result;
  };
  const failed = (error: unknown) => {
    done();
    throw error;
  };
  return {
    next: () => items.next().then(passed, failed),
    return: () => {
      done(); // at once: what waits may take its time to notice
      return items.return?.() ?? Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
