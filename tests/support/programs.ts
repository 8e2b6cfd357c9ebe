/** Programs that not every machine has: the tools of PostgreSQL, and servers that are used together with it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findOwner, type Owner } from '../../src/database/embedded/binaries.ts';

const run = promisify(execFile);

/** The path of a program, if it is installed. */
export function program(name: string): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', ...versions];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Below those that systems give to whoever asks for any, so that nobody else gets it before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 26_000); // no well-known ones among them, to which webhooks may not lead
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** A folder for a program that may not run as root. */
export function folderFor(owner: Owner | undefined): string {
  const dir = mkdtempSync(join(tmpdir(), 'atoll-'));
  chmodSync(dir, 0o700);
  if (owner) chownSync(dir, owner.uid, owner.gid);
  return dir;
}

const listensOn = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });

export interface Pooler {
  url: string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** PgBouncer in front of the PostgreSQL of a URL with a socket's folder. */
export async function startPgBouncer(databaseUrl: string, mode: 'transaction' | 'session'): Promise<Pooler> {
  const url = new URL(databaseUrl);
  const owner = await findOwner();
  const dir = folderFor(owner);
  const port = await freePort();
  const upstream = `host=${url.searchParams.get('host') ?? url.hostname} port=${url.port || url.searchParams.get('port') || 5432} user=${url.username || 'postgres'}`;
  const ini = join(dir, 'pgbouncer.ini');
  writeFileSync(
    ini,
    `[databases]\n* = ${upstream}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n` +
      `auth_type = any\npool_mode = ${mode}\ndefault_pool_size = 4\nmax_client_conn = 200\nserver_login_retry = 1\n`,
  );
  chmodSync(ini, 0o644);
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(program('pgbouncer') as string, [ini], { ...owner, cwd: '/', stdio: 'ignore' });
    while (!(await listensOn(port))) await sleep(20);
  };
  const stop = async () => {
    if (child?.exitCode !== null || child.signalCode !== null) return; // it has ended
    const exit = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await exit;
  };
  await start();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}${url.pathname}`,
    async restart() {
      await stop();
      await start();
    },
    async stop() {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export interface Pair {
  /** The URL that names both hosts. */
  url(database: string): string;
  /** The URL of the standby, which is read-only. */
  standbyUrl(database: string): string;
  /** Kills the primary and makes the standby the primary. */
  failover(): Promise<void>;
  /** Freezes the standby, or lets it go on. */
  pauseStandby(): Promise<void>;
  resumeStandby(): void;
  stop(): Promise<void>;
}

export const PAIR_NEEDS = ['initdb', 'pg_ctl', 'pg_basebackup', 'psql'];

/** A primary with a synchronous standby, on ports of 127.0.0.1. */
export async function startPair(): Promise<Pair> {
  const owner = await findOwner();
  const dir = folderFor(owner);
  const options = { ...owner, cwd: '/', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  const [primary, standby] = [join(dir, 'one'), join(dir, 'two')];
  const [onePort, twoPort] = [await freePort(), await freePort()];
  const does = (name: string, ...args: string[]) => run(program(name) as string, args, options);
  const startServer = (data: string, port: number) =>
    does(
      'pg_ctl',
      'start',
      '-w',
      '-s',
      '-D',
      data,
      '-l',
      `${data}.log`,
      '-o',
      `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1`,
    );
  const pidOf = async (data: string) =>
    Number((await run('head', ['-1', join(data, 'postmaster.pid')], options)).stdout.trim());

  await does('initdb', '-D', primary, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '-N');
  await startServer(primary, onePort);
  const from = `host=127.0.0.1 port=${onePort} user=postgres application_name=two`;
  await does('pg_basebackup', '-D', standby, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', from);
  await startServer(standby, twoPort);
  const psql = (sql: string) => does('psql', '-h', '127.0.0.1', '-p', String(onePort), '-U', 'postgres', '-c', sql);
  await psql("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await psql('SELECT pg_reload_conf()');
  const standbyPid = await pidOf(standby);
  const standbyProcesses = async () => {
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(standbyPid)]);
    return [standbyPid, ...stdout.trim().split(/\s+/).map(Number)];
  };
  let frozen: number[] = [];
  const signalFrozen = (signal: NodeJS.Signals) => {
    for (const pid of frozen) {
      try {
        process.kill(pid, signal);
      } catch {
        // the process has ended
      }
    }
  };
  return {
    url: (database) =>
      `postgresql://postgres@127.0.0.1:${onePort},127.0.0.1:${twoPort}/${database}?target_session_attrs=read-write`,
    standbyUrl: (database) => `postgresql://postgres@127.0.0.1:${twoPort}/${database}`,
    async failover() {
      await does('pg_ctl', 'stop', '-m', 'immediate', '-s', '-D', primary);
      await does('pg_ctl', 'promote', '-w', '-s', '-D', standby);
    },
    async pauseStandby() {
      frozen = await standbyProcesses(); // as of now: what receives the log may have been started anew
      signalFrozen('SIGSTOP');
    },
    resumeStandby() {
      signalFrozen('SIGCONT');
      frozen = [];
    },
    async stop() {
      signalFrozen('SIGCONT');
      for (const data of [primary, standby])
        await does('pg_ctl', 'stop', '-m', 'immediate', '-s', '-D', data).catch(() => {});
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
