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
