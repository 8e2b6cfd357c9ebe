/**
 * Connections that have fallen silent. A statement may get no answer because the network drops it, or because the
 * database waits for a standby that is away. It must not keep its caller waiting, so the connection is closed, together
 * with the idle ones, which lead the same way.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';

/** Whether the statement was carried out is unknown. */
export class SilentDatabase extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(milliseconds: number) {
    super(`Connection terminated: the database said nothing for ${milliseconds} ms`);
  }
}

interface Inside {
  connection: { stream: Socket };
  _getActiveQuery(): unknown;
}

const inside = (client: pg.ClientBase): Inside => client as unknown as Inside;

/**
 * Closes the connection once a statement has waited this long. The socket's own timer is used, which costs a statement
 * nothing.
 */
export function giveUpWhenSilent(client: pg.ClientBase, milliseconds: number, onSilence = () => {}): void {
  const { stream } = inside(client).connection;
  stream.setTimeout(milliseconds);
  // Not as the callback of setTimeout, which is called only once: a connection that was idle for this long would never
  // be closed afterwards.
  stream.on('timeout', () => {
    if (!inside(client)._getActiveQuery()) return; // nothing was asked
    onSilence();
    stream.destroy(new SilentDatabase(stream.timeout ?? milliseconds));
  });
}

/** How long a statement may go without an answer once the process is stopping. */
const LAST_MS = 1500;

export interface Patience {
  /** To be called for each new connection. */
  watch(client: pg.ClientBase, onSilence?: () => void): void;
  /** To be called when the process is stopping: connections are then closed sooner, so that a dead one cannot delay it. */
  hurry(): void;
}

/** How long the connections of a pool may leave a statement without an answer. */
export function patienceOf(milliseconds: number): Patience {
  const clients = new Set<pg.ClientBase>();
  let limit = milliseconds;
  return {
    watch(client, onSilence) {
      giveUpWhenSilent(client, limit, onSilence);
      clients.add(client);
      client.once('end', () => clients.delete(client));
    },
    hurry() {
      limit = Math.min(limit, LAST_MS);
      for (const client of clients) inside(client).connection.stream.setTimeout(limit);
    },
  };
}

/** How long closing a connection may take. */
export const GOODBYE_MS = 2000;

/** A connection that does not close must not keep a process from ending. */
export function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, milliseconds);
    work.then(
      () => resolve(),
      () => resolve(),
    );
    void work.finally(() => clearTimeout(late)).catch(() => {});
  });
}

/** Returns a function that closes the idle connections of a pool, with the error that each of them then reports. */
export function endIdleOf(pool: pg.Pool): (why: Error) => void {
  const idle = new Set<pg.ClientBase>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));
  return (why) => {
    for (const client of idle) inside(client).connection.stream.destroy(why);
    idle.clear();
  };
}
