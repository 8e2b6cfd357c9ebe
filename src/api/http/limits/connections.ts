import { AtollError } from '../../../errors.ts';
import type { Viewer } from '../../../players/player.ts';
import type { TicketHolder } from '../../../players/tokens/tickets.ts';

/** What identifies a player: a header with a bearer token, the secret of a browser's session, or a ticket. */
export interface Credentials {
  authorization?: string | undefined;
  session?: string | undefined;
  /** The holder of a ticket that was valid when the request came. Its token or session is checked again later. */
  ticket?: TicketHolder | undefined;
}
/**
 * Undefined if nothing was given. Throws UNAUTHENTICATED for credentials that are not or no longer valid, and FORBIDDEN
 * for a banned player. `beforeLookUp` is called before unknown credentials are looked up, and may throw.
 */
export type Authenticate = (credentials: Credentials, beforeLookUp?: () => void) => Promise<Viewer | undefined>;

/** Why a connection that could last for ever is ended. */
export type Ending = 'revoked' | 'closing';

interface Connection {
  credentials: Credentials;
  end: (why: Ending) => void;
}

/** Every connection that outlives a request: sockets and event streams. */
export interface Connections {
  /** Watches over a connection. Returns a function that stops watching. */
  add(credentials: Credentials, end: (why: Ending) => void): () => void;
  readonly size: number;
  /** Ends all connections and stops watching. */
  close(): void;
}

const keyOf = ({ authorization, session, ticket }: Credentials): string | undefined =>
  authorization ?? session ?? ticket?.id;

/**
 * Checks regularly whether the tokens of open connections are still valid: once per token, however many connections use
 * it.
 */
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

/** If the database does not answer, nothing counts as revoked. */
async function isRevoked(authenticate: Authenticate, credentials: Credentials): Promise<boolean> {
  try {
    return (await authenticate(credentials)) === undefined;
  } catch (error) {
    return error instanceof AtollError && ['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code);
  }
}

/** Passes the items through, and calls `done` once when they end for whatever reason. */
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
      done(); // at once, because a waiting source may take a while to notice
      return items.return?.() ?? Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
