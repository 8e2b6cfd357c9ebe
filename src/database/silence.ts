/**
 * Connections that fell silent. A statement that gets no answer, because the network swallows it or because the database
 * waits for a standby that is away, must not keep its caller waiting: the connection is given up, and with it those that
 * lay idle meanwhile, which lead the same way.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';

/** Whether the statement was carried out is not known. */
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

/** Gives the connection up once a statement has waited this long; the socket's own timer costs a statement nothing. */
export function giveUpWhenSilent(client: pg.ClientBase, milliseconds: number, onSilence = () => {}): void {
  const { stream } = inside(client).connection;
  stream.setTimeout(milliseconds, () => {
    if (!inside(client)._getActiveQuery()) return; // nothing was asked
    onSilence();
    stream.destroy(new SilentDatabase(milliseconds));
  });
}

/** How long a statement may go without an answer once the process is stopping. */
const LAST_MS = 1500;

export interface Patience {
  /** To be called for each new connection. */
  watch(client: pg.ClientBase, onSilence?: () => void): void;
  /** The process is stopping: from now on a connection is given up sooner, so that a dead one does not keep it. */
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

/** How long a goodbye may take. */
export const GOODBYE_MS = 2000;

/** A goodbye that nobody answers must not keep a process from ending. */
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

/** Gives up what lies idle in a pool when it is called. */
export function endIdleOf(pool: pg.Pool, milliseconds: number): () => void {
  const idle = new Set<pg.ClientBase>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));
  return () => {
    for (const client of idle) inside(client).connection.stream.destroy(new SilentDatabase(milliseconds));
    idle.clear();
  };
}
