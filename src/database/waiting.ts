/**
 * How long callers wait for a connection of the pool. The pool has one time limit for both: when it is over, the caller
 * is told so, and the connection that was being made is thrown away. On a machine that is so busy that a connection
 * takes longer than that, no connection would ever be made. So the pool is given more time than callers are.
 */
import type pg from 'pg';

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: unknown) => void) => void;

/** Callers of `connect` and `query` wait at most this long. A connection that comes too late for one is kept for others. */
export function waitAtMost(pool: pg.Pool, milliseconds: number): void {
  const connect = pool.connect.bind(pool) as (taken: Taken) => void;

  function take(taken: Taken): void {
    if (pool.idleCount > 0) return void connect(taken); // it is free at once
    let isOver = false;
    const late = setTimeout(() => {
      isOver = true;
      taken(new Error('timeout exceeded when trying to connect'), undefined, () => {});
    }, milliseconds);
    connect((error, client, release) => {
      if (isOver) return void (client && release());
      clearTimeout(late);
      taken(error, client, release);
    });
  }

  const promised = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      take((error, client) => (client ? resolve(client) : reject(error)));
    });
  pool.connect = ((taken?: Taken) => (taken ? take(taken) : promised())) as pg.Pool['connect'];
}
