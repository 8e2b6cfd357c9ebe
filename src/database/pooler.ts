/** Poolers between us and PostgreSQL. In transaction mode, each statement may run in another session. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { newClient, READ_ONLY } from './address.ts';

const WAIT_MS = 3000;

/** A pooler tells its clients a process id of its own making. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
}

const seen = async (client: pg.Client): Promise<string | null> =>
  (await client.query<{ mark: string | null }>("SELECT current_setting('atoll.mark', true) AS mark")).rows[0]?.mark ??
  null;

/** Whether a session setting is lost to the next statement, or visible to another client. */
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
    // Most poolers first hand out the connection that came back last. This takes it from the other client.
    await two.query('BEGIN');
    if ((await seen(two)) === mark) return true;
    // If there is only one session for all, the other client waits in vain.
    const own = await seen(one).catch(() => null);
    return own !== mark;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

interface Inside {
  connection: { on(event: 'errorMessage', listener: (error: { code?: string }) => void): void };
}

/** Calls back whenever a statement on this connection was refused because the host is read-only. */
export function onReadOnly(client: pg.ClientBase, call: () => void): void {
  (client as unknown as Inside).connection.on('errorMessage', ({ code }) => {
    if (code === READ_ONLY) call();
  });
}

interface Query {
  name?: string | undefined;
  submit?: unknown;
}

const isNamed = (config: unknown): config is Query =>
  typeof config === 'object' && config !== null && Boolean((config as Query).name);

/** A query that has its own way to be submitted is changed in place, because a copy would lose its methods. */
function unnamed(config: unknown): unknown {
  if (!isNamed(config)) return config;
  return config.submit ? Object.assign(config, { name: undefined }) : { ...config, name: undefined };
}

/** Named statements belong to the session that prepared them, so behind a pooler none is named. */
export function withoutNames(Client: typeof pg.Client): typeof pg.Client {
  const query = Client.prototype.query as (...args: unknown[]) => unknown;
  return class extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg cannot be written down once more
    override query(config: any, ...rest: unknown[]): any {
      return query.call(this, unnamed(config), ...rest);
    }
  };
}
