/**
 * The address of the database. A URL may name several hosts, as in libpq
 * (`postgresql://a:5432,b:5432/db?target_session_attrs=read-write`). Each new connection goes to the host that accepts
 * changes, so that after a failover every part finds the new primary by itself.
 */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A plain URL for each host. */
export function hostsOf(url: string): string[] {
  const { prefix, hosts, path, query } = partsOf(url);
  const inQuery = query.get('host')?.split(',') ?? [];
  const ports = query.get('port')?.split(',') ?? [];
  query.delete('target_session_attrs');
  if (hosts.length <= 1 && inQuery.length <= 1) return [joined(prefix, hosts[0] ?? '', path, query)];
  if (inQuery.length <= 1) return hosts.map((host) => joined(prefix, host, path, query));
  return inQuery.map((host, i) => {
    const own = new URLSearchParams(query);
    own.set('host', host);
    const port = ports[i] ?? ports[0];
    if (port !== undefined) own.set('port', port);
    return joined(prefix, hosts[0] ?? '', path, own);
  });
}

interface Parts {
  /** The scheme and the credentials. */
  prefix: string;
  hosts: string[];
  path: string;
  query: URLSearchParams;
}

function partsOf(url: string): Parts {
  const [, prefix = '', hosts = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)\??(.*)$/.exec(url) ?? [];
  return { prefix, hosts: hosts.split(','), path, query: new URLSearchParams(query) };
}

const joined = (prefix: string, host: string, path: string, query: URLSearchParams): string =>
  `${prefix}${host}${path}${query.size > 0 ? `?${query}` : ''}`;

/** Whether any host is good enough, including a read-only one. */
const anyWillDo = (url: string): boolean =>
  ['any', undefined].includes(partsOf(url).query.get('target_session_attrs') ?? undefined);

export interface Connecting {
  connectionString: string;
  Client: typeof pg.Client;
}

/** The options with which a client or a pool is made. */
export function connectingTo(url: string): Connecting {
  const urls = hostsOf(url);
  const [first = url] = urls;
  if (urls.length === 1 && anyWillDo(url)) return { connectionString: first, Client: pg.Client };
  return { connectionString: first, Client: clientOf(urls) };
}

/** A separate client that is not connected yet. */
export function newClient(url: string, config: pg.ClientConfig = {}): pg.Client {
  const { connectionString, Client } = connectingTo(url);
  return new Client({ ...config, connectionString });
}

/** How long a host may take to say whether it accepts changes. */
const LOOK_MS = 4000;
/** A host that has refused is asked again after this long, while others have not answered: it may be promoted meanwhile. */
const AGAIN_MS = 300;

/** PostgreSQL's code for a change that a read-only host was asked for. */
export const READ_ONLY = '25006';

/** Refuses a host that is read-only: a standby, or a primary that an operator has closed for changes. */
export async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'on') return;
  throw Object.assign(new Error('This host of the database accepts no changes'), { code: READ_ONLY });
}

async function look(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'atoll look',
    connectionTimeoutMillis: LOOK_MS,
    query_timeout: LOOK_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await refuseReadOnly(client);
    return url;
  } finally {
    void client.end().catch(() => {});
  }
}

/** The first host that accepts changes. Fails once every host has refused or failed. */
async function firstOf(urls: readonly string[]): Promise<string> {
  const unheard = new Set(urls);
  let found: string | undefined;
  const ask = async (url: string): Promise<string> => {
    for (;;) {
      try {
        found = await look(url);
        return found;
      } catch (error) {
        unheard.delete(url);
        if (unheard.size > 0) await sleep(AGAIN_MS);
        if (unheard.size === 0 || found !== undefined) throw error;
      }
    }
  };
  return Promise.any(urls.map(ask));
}

/**
 * A client class that connects to the host that accepts changes. It searches for that host when the last known one
 * fails.
 */
function clientOf(urls: readonly string[]): typeof pg.Client {
  let known: string | undefined;
  let looking: Promise<string> | undefined;

  async function primary(): Promise<string> {
    if (known !== undefined) return known;
    looking ??= firstOf(urls).finally(() => {
      looking = undefined;
    });
    try {
      known = await looking;
    } catch (error) {
      throw ((error as AggregateError).errors ?? [error])[0];
    }
    return known;
  }

  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: pg types its callback in two ways that one signature cannot meet
    override connect(callback?: (...said: any[]) => void): any {
      const reached = this.#reach();
      if (callback) reached.then(() => callback(null, this), callback);
      else return reached;
    }

    async #reach(): Promise<pg.Client> {
      // A pool listens only after this has returned. Until then, losing the connection would end the process, although
      // the statement under way fails as well.
      this.on('error', () => {});
      const url = await primary();
      // The pool has given up meanwhile. A destroyed socket would try to connect without ever reporting the result.
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
      if (stream.destroyed) throw new Error('Connection terminated while the primary was looked for');
      const { host, port } = new pg.Client({ connectionString: url });
      Object.assign(this, { host, port });
      try {
        await super.connect();
        await refuseReadOnly(this);
        return this;
      } catch (error) {
        if (known === url) known = undefined;
        throw error;
      }
    }
  };
}
