/**
 * A primary and a synchronous standby that can change places. Where PostgreSQL's tools are missing, only the embedded
 * one.
 */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findBinaries, findOwner, type Owner } from '../../src/database/embedded/binaries.ts';
import { folderFor, freePort, PAIR_NEEDS, program } from '../../tests/support/programs.ts';
import { type Disk, mountDisk } from './disk.ts';

const run = promisify(execFile);

export interface Node {
  name: string;
  data: string;
  port: number;
  /** The file to which the server writes its own log. */
  log: string;
  /** The small disk that holds its files; undefined if none could be mounted. */
  disk: Disk | undefined;
}

export interface Cluster {
  readonly nodes: readonly Node[];
  readonly hasStandby: boolean;
  primary(): Promise<Node>;
  /** Throws if there is none. */
  standby(): Promise<Node>;
  /** Runs one statement on the primary. */
  sql<T extends object>(text: string, values?: unknown[], database?: string): Promise<T[]>;
  /** Starts a server if it has ended, and resolves once it serves. */
  start(node: Node): Promise<void>;
  /** The standby takes over at the moment that is returned. The old primary then follows it. */
  failover(): Promise<number>;
  /** Waits until everything that is committed is on the standby too. */
  inSync(): Promise<void>;
  /** Set only if something watches over the nodes and decides itself which one leads. */
  readonly keeper?: Keeper;
  stop(): Promise<void>;
}

export interface Keeper {
  /** Freezes the leader and all of its processes until another one leads. Returns the moment of that. */
  freezeLeader(): Promise<number>;
  /** Freezes the store in which the nodes agree on a leader, and lets it continue afterwards. */
  freezeStore(milliseconds: number): Promise<void>;
}

/** The role of the instances. It is no superuser, so that connections are left for whoever repairs the database. */
export const ROLE = 'atoll';

export const urlOf = ({ port }: Node, database: string, role = 'postgres') =>
  `postgresql://${role}@127.0.0.1:${port}/${database}`;

/** Large enough for an hour of play, and small enough to be kept in memory. */
const DISK_MB = 1024;
/** Settings that leave room on the disk beside the write-ahead log. */
export const SETTINGS = {
  max_connections: '200',
  superuser_reserved_connections: '10',
  max_wal_size: '160MB',
  wal_keep_size: '96MB',
  wal_retrieve_retry_interval: '500ms',
};

export async function newNodes(dir: string, names: readonly string[], owner: Owner | undefined): Promise<Node[]> {
  const nodes: Node[] = [];
  for (const name of names) {
    const disk = await mountDisk(join(dir, name), DISK_MB, owner);
    nodes.push({ name, data: join(dir, name, 'data'), port: await freePort(), log: join(dir, `${name}.log`), disk });
    if (!disk) rmSync(join(dir, name), { recursive: true, force: true });
  }
  return nodes;
}

/** The process id of the postmaster. */
export function pidOf({ data }: Node): number | undefined {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

function isRunning(node: Node): boolean {
  try {
    return process.kill(pidOf(node) ?? Number.NaN, 0);
  } catch {
    return false;
  }
}

export async function sqlOn<T extends object>(node: Node, text: string, values: unknown[], database: string) {
  const client = new pg.Client({
    connectionString: urlOf(node, database),
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Makes a database for the instances. */
export async function createDatabase({ sql }: Pick<Cluster, 'sql'>, database: string): Promise<void> {
  await sql(`CREATE ROLE ${ROLE} LOGIN`);
  await sql(`CREATE DATABASE ${database} OWNER ${ROLE}`);
  await sql(`ALTER DATABASE ${database} SET timezone TO 'UTC'`);
}

export async function untilInSync(sql: Cluster['sql']): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const rows = await sql<{ state: string }>('SELECT sync_state AS state FROM pg_stat_replication').catch(() => []);
    if (rows.some(({ state }) => state === 'sync')) return;
    await sleep(100);
  }
  throw new Error('The standby does not follow');
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
  const nodes = await newNodes(dir, hasStandby ? ['one', 'two'] : ['one'], owner);
  let [primary, standby] = nodes as [Node, Node | undefined];

  async function start({ data, port, log }: Node): Promise<void> {
    const settings = Object.entries(SETTINGS).map(([key, value]) => `-c ${key}=${value}`);
    const given = `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1 ${settings.join(' ')}`;
    const args = ['start', '-w', '-s', '-D', data, '-l', log, '-o', given];
    // The processes of a killed postmaster may live a little longer, and nothing starts until they have ended.
    for (let tries = 1; ; tries++) {
      try {
        return void (await does('pg_ctl', ...args));
      } catch (error) {
        if (tries === 30) throw error;
        await sleep(500);
      }
    }
  }

  const sql: Cluster['sql'] = (text, values = [], database = 'postgres') => sqlOn(primary, text, values, database);

  /** Copies the primary, and waits until what is committed there is here too. */
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
    if (standby) await untilInSync(sql);
  }

  await does('initdb', '-D', primary.data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '-N');
  await start(primary);
  if (standby) await joinAs(standby);

  return {
    nodes,
    hasStandby,
    primary: async () => primary,
    async standby() {
      if (!standby) throw new Error('There is no standby');
      return standby;
    },
    sql,
    async start(node) {
      if (!isRunning(node)) return start(node);
      for (let tries = 0; tries < 100 && isRunning(node); tries++) {
        if (await sqlOn(node, 'SELECT', [], 'postgres').catch(() => undefined)) return;
        await sleep(100); // it recovers by itself, as long as it can
      }
      await start(node);
    },
    inSync,
    async failover() {
      const next = standby as Node;
      const old = primary;
      await does('pg_ctl', 'stop', '-m', 'immediate', '-s', '-D', old.data).catch(() => {});
      await does('pg_ctl', 'promote', '-w', '-s', '-D', next.data);
      primary = next;
      standby = undefined;
      // The copied settings may require a standby, which it does not have yet.
      await sql("ALTER SYSTEM SET synchronous_standby_names = ''");
      await sql('SELECT pg_reload_conf()');
      const promoted = performance.now();
      await joinAs(old);
      return promoted;
    },
    async stop() {
      for (const { data } of nodes) await does('pg_ctl', 'stop', '-m', 'immediate', '-s', '-D', data).catch(() => {});
      for (const { disk } of nodes) await disk?.unmount();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
