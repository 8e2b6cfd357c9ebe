import { AtollError } from '../../../errors.ts';
import type { Viewer } from '../../../players/player.ts';
import type { TicketHolder } from '../../../players/tokens/tickets.ts';

/** What somebody proves to be a player by: the header with a bearer token, the secret of a browser's session, or a ticket. */
export interface Credentials {
  authorization?: string | undefined;
  session?: string | undefined;
  /** Of a ticket that was good when the request came; whether what it was made with still is, is asked again. */
  ticket?: TicketHolder | undefined;
}
/**
 * Undefined: nothing was given. Throws UNAUTHENTICATED for what is not, or no longer, valid, and FORBIDDEN for a player
 * who is banned.
 * `beforeLookUp` is called, and may throw, before what is not known yet is looked up.
 */
export type Authenticate = (credentials: Credentials, beforeLookUp?: () => void) => Promise<Viewer | undefined>;

/** Why a connection that could go on for ever is ended. */
export type Ending = 'revoked' | 'closing';

interface Connection {
  credentials: Credentials;
  end: (why: Ending) => void;
}

/** Every connection that outlives a request: sockets and event streams. */
export interface Connections {
  /** Watches over one; returns what forgets it. */
  add(credentials: Credentials, end: (why: Ending) => void): () => void;
  readonly size: number;
  /** Ends all, and stops watching. */
  close(): void;
}

const keyOf = ({ authorization, session, ticket }: Credentials): string | undefined =>
  authorization ?? session ?? ticket?.id;

/** Asks again now and then whether the tokens of live connections are still good: once a token, however many use it. */
export function openConnections(authenticate: Authenticate, everyMs: number): Connections {
  const connections = new Set<Connection>();
  let busy = false;

  const recheck = async () => {
    if (busy) return;
    busy = true;
    const tokens = new Map([...connections].map(({ credentials }) => [keyOf(credentials), credentials]));
    tokens.delete(undefined);
    for (const [key, credentials] of tokens) {
      if (!(await isRevoked(authenticate, credentials))) continue;
      for (const c of connections) if (keyOf(c.credentials) === key) c.end('revoked');
    }
    busy = false;
  };
  const timer = setInterval(() => void recheck(), everyMs).unref();

  return {
    add(credentials, end) {
      const connection = { credentials, end };
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
async function isRevoked(authenticate: Authenticate, credentials: Credentials): Promise<boolean> {
  try {
    return (await authenticate(credentials)) === undefined;
  } catch (error) {
    return error instanceof AtollError && ['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code);
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
