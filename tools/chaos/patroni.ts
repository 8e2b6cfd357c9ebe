/** Two nodes under Patroni, which agree through one etcd on which of them leads: only they decide on a failover. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findOwner, type Owner } from '../../src/database/embedded/binaries.ts';
import { folderFor, freePort, program } from '../../tests/support/programs.ts';
import { type Cluster, type Node, newNodes, pidOf, SETTINGS, sqlOn, untilInSync } from './cluster.ts';

const run = promisify(execFile);

const NEEDS = ['patroni', 'etcd', 'initdb', 'pg_basebackup', 'pg_rewind'];

/** The programs that Patroni needs and that are missing here. */
export const missingForPatroni = (): string[] => NEEDS.filter((name) => !program(name));

const IS_STANDBY = 'SELECT pg_is_in_recovery() AS "isStandby"';

/** In seconds. Shorter than one would choose for a cluster of machines, so that more happens in an hour. */
const TIMES = { ttl: 8, loop_wait: 1, retry_timeout: 3 };

interface Kept extends Node {
  /** The port at which Patroni itself answers. */
  restPort: number;
  config: string;
  patroni: ChildProcess | undefined;
}

export async function openPatroni(logs: string): Promise<Cluster> {
  const owner = await findOwner();
  const dir = folderFor(owner);
  const api = await etcdApi();
  const etcd = await startEtcd(dir, logs, owner, api === 'etcd');
  const nodes: Kept[] = [];
  for (const node of await newNodes(dir, ['one', 'two'], owner)) {
    node.log = join(logs, `patroni-${node.name}.log`); // PostgreSQL inherits it
    const kept = { ...node, restPort: await freePort(), config: join(dir, `${node.name}.json`), patroni: undefined };
    writeFileSync(
      kept.config,
      JSON.stringify(configOf(kept, dir, { [api]: { host: `127.0.0.1:${etcd.port}` } }), null, 2),
      { mode: 0o644 },
    );
    nodes.push(kept);
  }

  function keep(node: Kept): void {
    const log = openSync(node.log, 'a');
    const env = {
      ...process.env,
      LC_ALL: 'C',
      TZ: 'UTC',
      PATH: `${dirname(program('initdb') as string)}:${process.env.PATH}`,
    };
    node.patroni = spawn(program('patroni') as string, [node.config], {
      ...owner,
      cwd: '/',
      env,
      stdio: ['ignore', log, log],
    });
  }

  const answers = async ({ restPort }: Kept, path: string) => {
    const signal = AbortSignal.timeout(1000);
    return (await fetch(`http://127.0.0.1:${restPort}${path}`, { signal }).catch(() => undefined))?.ok ?? false;
  };

  /** The node for which Patroni answers this path with success; `except` is not asked. */
  async function find(path: string, except?: Node): Promise<Kept> {
    for (const patience = performance.now() + 60_000; performance.now() < patience; await sleep(50)) {
      for (const node of nodes) if (node !== except && (await answers(node, path))) return node;
    }
    throw new Error(`Patroni knows of no node that is ${path.slice(1)}`);
  }

  const primary = () => find('/primary');
  const sql: Cluster['sql'] = async (text, values = [], database = 'postgres') =>
    sqlOn(await primary(), text, values, database);
  /** PostgreSQL reports this first, but a standby may take over only once Patroni has recorded it. */
  const inSync = async () => {
    await untilInSync(sql);
    await find('/sync');
  };
  /** Resolves once a node other than `old` leads and accepts changes: Patroni calls it the primary a little earlier. */
  const untilReplaced = async (old: Node) => {
    const next = await find('/primary', old);
    for (let tries = 0; tries < 600; tries++, await sleep(50)) {
      const rows = await sqlOn<{ isStandby: boolean }>(next, IS_STANDBY, [], 'postgres').catch(() => []);
      if (rows[0]?.isStandby === false) return;
    }
    throw new Error(`${next.name} leads, but accepts no changes`);
  };

  const [one, two] = nodes as [Kept, Kept];
  async function stop(): Promise<void> {
    for (const node of nodes) for (const pid of await processesOf(node)) signal(pid, 'SIGKILL');
    etcd.child.kill('SIGKILL');
    await sleep(500);
    for (const { disk } of nodes) await disk?.unmount();
    rmSync(dir, { recursive: true, force: true });
  }
  try {
    keep(one);
    await find('/primary');
    keep(two);
    await inSync();
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    nodes,
    hasStandby: true,
    primary,
    standby: () => find('/replica'),
    sql,
    inSync,
    async start() {
      await primary(); // Patroni starts it, or lets the other one lead
    },
    async failover() {
      await inSync();
      const old = await primary();
      for (const pid of await processesOf(old)) signal(pid, 'SIGKILL');
      let promoted: number;
      try {
        await untilReplaced(old);
      } finally {
        promoted = performance.now();
        keep(old);
      }
      await inSync();
      return promoted;
    },
    keeper: {
      async freezeLeader() {
        await inSync();
        const old = await primary();
        const frozen = await processesOf(old);
        for (const pid of frozen) signal(pid, 'SIGSTOP');
        try {
          await untilReplaced(old);
        } finally {
          for (const pid of frozen) signal(pid, 'SIGCONT');
        }
        const promoted = performance.now();
        await inSync();
        return promoted;
      },
      async freezeStore(milliseconds) {
        signal(etcd.child.pid, 'SIGSTOP');
        await sleep(milliseconds);
        signal(etcd.child.pid, 'SIGCONT');
        await primary();
      },
    },
    stop,
  };
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid) process.kill(pid, name);
  } catch {
    // it has ended
  }
}

/** Patroni comes first, so that it does not restart what ends after it. */
async function processesOf(node: Kept): Promise<(number | undefined)[]> {
  const postmaster = pidOf(node);
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(postmaster ?? -1)]).catch(() => ({ stdout: '' }));
  return [node.patroni?.pid, postmaster, ...stdout.trim().split(/\s+/).filter(Boolean).map(Number)];
}

/**
 * Through the third version of etcd's interface, Patroni before 3.0.3 writes the leader's key without looking at it
 * (github.com/patroni/patroni/pull/2689): a leader that was frozen takes the lead back from its successor, which is
 * then stopped in the middle of its promotion and cannot be rewound. Through the second version it compares first.
 */
async function etcdApi(): Promise<'etcd' | 'etcd3'> {
  const { stdout } = await run(program('patroni') as string, ['--version']);
  const [major = 0, minor = 0, patch = 0] = (/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? '').split('.').map(Number);
  return major * 10_000 + minor * 100 + patch < 30_003 ? 'etcd' : 'etcd3';
}

async function startEtcd(dir: string, logs: string, owner: Owner | undefined, secondVersion: boolean) {
  const [port, peer] = [await freePort(), await freePort()];
  const log = openSync(join(logs, 'etcd.log'), 'a');
  const [client, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`];
  const args = [
    ...['--name', 'only', '--data-dir', join(dir, 'etcd'), '--unsafe-no-fsync'],
    ...(secondVersion ? ['--enable-v2'] : []),
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `only=${peers}`],
  ];
  const child = spawn(program('etcd') as string, args, { ...owner, cwd: '/', stdio: ['ignore', log, log] });
  for (let tries = 0; tries < 100; tries++) {
    if ((await fetch(`${client}/health`).catch(() => undefined))?.ok) return { child, port };
    await sleep(100);
  }
  throw new Error('etcd did not start');
}

function configOf({ name, data, port, restPort }: Kept, dir: string, store: object): object {
  const address = (number: number) => `127.0.0.1:${number}`;
  const user = { username: 'postgres' };
  mkdirSync(join(dir, `${name}-home`));
  chmodSync(join(dir, `${name}-home`), 0o777);
  return {
    scope: 'atoll',
    name,
    ...store,
    restapi: { listen: address(restPort), connect_address: address(restPort) },
    bootstrap: {
      dcs: {
        ...TIMES,
        // A node that takes over has every change that was confirmed.
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { ...SETTINGS, wal_log_hints: 'on' } },
      },
      initdb: [{ auth: 'trust' }, { encoding: 'UTF8' }, { locale: 'C' }, { username: 'postgres' }, 'no-sync'],
    },
    postgresql: {
      listen: address(port),
      connect_address: address(port),
      data_dir: data,
      bin_dir: dirname(program('pg_rewind') as string),
      pgpass: join(dir, `${name}-home`, 'pgpass'),
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: dir, timezone: 'UTC' },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
}
