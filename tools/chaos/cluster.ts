/** A primary and a synchronous standby, which change places; where PostgreSQL's tools are missing, the embedded one alone. */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findBinaries, findOwner } from '../../src/database/embedded/binaries.ts';
import { folderFor, freePort, PAIR_NEEDS, program } from '../../tests/support/programs.ts';

const run = promisify(execFile);

interface Node {
  name: string;
  data: string;
  port: number;
}

export interface Cluster {
  /** Undefined where there is no standby. */
  readonly standby: Node | undefined;
  readonly nodes: readonly Node[];
  /** Runs one statement on the primary. */
  sql<T extends object>(text: string, values?: unknown[], database?: string): Promise<T[]>;
  primaryUrl(database: string): string;
  /** The process id of the postmaster. */
  pidOf(node: Node): number | undefined;
  readonly primary: Node;
  start(node: Node): Promise<void>;
  /** The standby takes over, at the moment that is returned; the old primary is made anew from it, as the new standby. */
  failover(): Promise<number>;
  /** Until everything that is committed is on the standby, too. */
  inSync(): Promise<void>;
  stop(): Promise<void>;
}

export async function openCluster(): Promise<Cluster> {
  const owner = await findOwner();
  const dir = folderFor(owner);
  const hasStandby = PAIR_NEEDS.every((name) => program(name));
  const embedded = hasStandby ? undefined : await findBinaries(owner);
  const options = { ...owner, cwd: '/', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  const binary = (name: string) =>
    ({ initdb: embedded?.initdb, pg_ctl: embedded?.pgCtl })[name] ?? (program(name) as string);
  const does = (name: string, ...args: string[]) => run(binary(name), args, { ...options, timeout: 60_000 });
  const nodes: Node[] = [];
  for (const name of hasStandby ? ['one', 'two'] : ['one']) {
    nodes.push({ name, data: join(dir, name), port: await freePort() });
  }
  let [primary, standby] = nodes as [Node, Node | undefined];

  async function start({ data, port }: Node): Promise<void> {
    const settings = `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1 -c max_connections=200 -c wal_keep_size=256MB -c wal_retrieve_retry_interval=500ms`;
    await does('pg_ctl', 'start', '-w', '-s', '-D', data, '-l', `${data}.log`, '-o', settings);
  }

  async function sql<T extends object>(text: string, values: unknown[] = [], database = 'postgres'): Promise<T[]> {
    const client = new pg.Client({ connectionString: primaryUrl(database), connectionTimeoutMillis: 5000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  const primaryUrl = (database: string) => `postgresql://postgres@127.0.0.1:${primary.port}/${database}`;

  /** Copies the primary, and waits until what is committed there is here, too. */
  async function joinAs(node: Node): Promise<void> {
    rmSync(node.data, { recursive: true, force: true });
    const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${node.name}`;
    await does('pg_basebackup', '-D', node.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', from);
    await start(node);
    await sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await sql('SELECT pg_reload_conf()');
    standby = node;
    await inSync();
  }

  async function inSync(): Promise<void> {
    if (!standby) return;
    for (let tries = 0; tries < 300; tries++) {
      const rows = await sql<{ state: string }>('SELECT sync_state AS state FROM pg_stat_replication').catch(() => []);
      if (rows.some(({ state }) => state === 'sync')) return;
      await sleep(100);
    }
    throw new Error('The standby does not follow');
  }

  await does('initdb', '-D', primary.data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '-N');
  await start(primary);
  if (standby) await joinAs(standby);

  return {
    nodes,
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    sql,
    primaryUrl,
    start,
    inSync,
    pidOf({ data }) {
      try {
        return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      } catch {
        return undefined;
      }
    },
    async failover() {
      const next = standby as Node;
      const old = primary;
      await does('pg_ctl', 'stop', '-m', 'immediate', '-s', '-D', old.data).catch(() => {});
      await does('pg_ctl', 'promote', '-w', '-s', '-D', next.data);
      primary = next;
      standby = undefined;
      // What it copied when it was made may ask for a standby, which it does not have yet.
      await sql("ALTER SYSTEM SET synchronous_standby_names = ''");
      await sql('SELECT pg_reload_conf()');
      const promoted = performance.now();
      await joinAs(old);
      return promoted;
    },
    async stop() {
      for (const { data } of nodes) await does('pg_ctl', 'stop', '-m', 'immediate', '-s', '-D', data).catch(() => {});
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
