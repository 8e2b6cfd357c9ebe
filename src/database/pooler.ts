/** Poolers between us and PostgreSQL: in transaction mode each statement may meet another session. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { newClient } from './address.ts';

const WAIT_MS = 3000;

/** A pooler invents the process id that it tells its clients. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
}

const seen = async (client: pg.Client): Promise<string | null> =>
  (await client.query<{ mark: string | null }>("SELECT current_setting('atoll.mark', true) AS mark")).rows[0]?.mark ??
  null;

/** Whether what one statement sets in its session is lost to the next, or seen by another client. */
export async function losesSessions(url: string): Promise<boolean> {
  const clients = [0, 1].map(() => newClient(url, { connectionTimeoutMillis: WAIT_MS, query_timeout: WAIT_MS }));
  const [one, two] = clients as [pg.Client, pg.Client];
  for (const client of clients) client.on('error', () => {});
  try {
    await one.connect();
    if (!(await isPooled(one))) return false;
    await two.connect();
    const mark = randomUUID();
    await one.query("SELECT set_config('atoll.mark', $1, false)", [mark]);
    await two.query('BEGIN'); // most poolers hand out first what came back last: this takes it from the other
    if ((await seen(two)) === mark) return true;
    // With one session for all, the other waits in vain.
    const own = await seen(one).catch(() => null);
    return own !== mark;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** Named statements are of the session that prepared them, so here none is named. */
export function withoutNames(Client: typeof pg.Client): typeof pg.Client {
  const query = Client.prototype.query as (...args: unknown[]) => unknown;
  return class extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg cannot be written down once more
    override query(config: any, ...rest: unknown[]): any {
      const unnamed = typeof config === 'object' && config?.name ? { ...config, name: undefined } : config;
      return query.call(this, unnamed, ...rest);
    }
  };
}
