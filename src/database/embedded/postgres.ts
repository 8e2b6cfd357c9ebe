import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findBinaries, findOwner, type Owner, reachable, SHARED } from './binaries.ts';

const run = promisify(execFile);

/**
 * Every process that uses the cluster holds this lock in shared mode. A process that gets it exclusively is the last
 * one.
 */
const IN_USE = 2_718_281;
const KEEPER = 'atoll keeper';

/**
 * A cluster of our own. It listens on a socket in a directory that only its owner may enter, so it needs no port and no
 * password.
 */
export interface LocalPostgres {
  /** Where the files really are, which is not always the wanted directory (see `place`). */
  readonly dir: string;
  url(database: string): string;
  /** Creates the database if it does not exist. */
  createDatabase(name: string): Promise<void>;
  /** Stops the server unless another process still uses it. */
  stop(): Promise<void>;
}

interface Cluster {
  dir: string;
  socket: string;
  initdb: string;
  pgCtl: string;
  owner: Owner | undefined;
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Starts PostgreSQL on the files in `wantedDir`, or joins the one that is already running there. */
export async function startLocalPostgres(
  wantedDir: string,
  warn: (message: string) => void = () => {},
  shortenEveryMs = HOUR_MS,
): Promise<LocalPostgres> {
  const cluster = await place(wantedDir);
  if (!existsSync(join(cluster.dir, 'PG_VERSION'))) await initialise(cluster);
  shorten(cluster, warn);
  const shortening = setInterval(() => shorten(cluster, warn), shortenEveryMs).unref();
  const stopping = new AbortController();
  const kept = keep(cluster, await attach(cluster), stopping.signal, warn);
  const url = (database: string) => urlOf(cluster, database);
  return {
    dir: cluster.dir,
    url,
    createDatabase: (name) => createDatabase(url('postgres'), name),
    async stop() {
      clearInterval(shortening);
      stopping.abort();
      await leave(cluster, await kept);
    },
  };
}

/** Where the files for a wanted directory really are. */
export const placeOf = async (wantedDir: string): Promise<string> => (await place(wantedDir)).dir;

const urlOf = (cluster: Cluster, database: string) =>
  `postgresql://postgres@localhost/${database}?host=${encodeURIComponent(cluster.socket)}`;

/**
 * By default the C library of Linux returns memory to the system after each statement and requests it again for the
 * next, which is a tenth of what an append costs PostgreSQL. The environment of the server may say otherwise.
 */
const KEEP_MEMORY = { MALLOC_TRIM_THRESHOLD_: '4194304', MALLOC_TOP_PAD_: '524288' };

async function place(wantedDir: string): Promise<Cluster> {
  if (process.platform === 'win32') {
    throw new Error('The embedded PostgreSQL needs Unix sockets. On Windows, set DATABASE_URL');
  }
  const owner = await findOwner();
  const binaries = await findBinaries(owner);
  let dir = resolve(wantedDir);
  if (owner && !reachable(dir, owner)) dir = join(SHARED, `data-${digest(dir)}`);
  const options = { ...owner, cwd: '/', env: { ...KEEP_MEMORY, ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  return { dir, socket: socketDirectory(dir, owner), owner, options, ...binaries };
}

/** The path of a socket may have at most 107 bytes. */
function socketDirectory(dir: string, owner: Owner | undefined): string {
  if (Buffer.byteLength(dir) <= 88) return dir;
  const short = join(tmpdir(), `atoll-pg-${digest(dir)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  if (owner) chownSync(short, owner.uid, owner.gid);
  else if (statSync(short).uid !== process.getuid?.()) throw new Error(`${short} belongs to someone else`);
  return short;
}

/**
 * Built in a separate folder and then renamed, so that two processes cannot interfere and a killed one leaves no
 * half-made cluster.
 */
async function initialise({ dir, initdb, owner, options }: Cluster): Promise<void> {
  const isPostgres = () => existsSync(join(dir, 'PG_VERSION'));
  if (existsSync(dir) && readdirSync(dir).length > 0 && !isPostgres()) {
    throw new Error(`${dir} holds something other than PostgreSQL's files`);
  }
  const fresh = `${dir}.new-${randomBytes(4).toString('hex')}`;
  mkdirSync(dirname(dir), { recursive: true, mode: 0o755 });
  mkdirSync(fresh, { mode: 0o700 });
  if (owner) chownSync(fresh, owner.uid, owner.gid);
  const settings = ['timezone=UTC', 'listen_addresses=', 'log_checkpoints=off'].flatMap((s) => ['-c', s]);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  try {
    await run(
      initdb,
      ['-D', fresh, '-U', 'postgres', '--auth=trust', ...locale, '--no-instructions', ...settings],
      options,
    );
    renameSync(fresh, dir);
  } catch (cause) {
    rmSync(fresh, { recursive: true, force: true });
    if (isPostgres()) return; // another process was first
    throw new Error(`The embedded PostgreSQL could not be set up in ${dir}`, { cause });
  }
}

const running = ({ pgCtl, dir, options }: Cluster) =>
  run(pgCtl, ['status', '-D', dir], options).then(
    () => true,
    () => false,
  );

const HOUR_MS = 3_600_000;
const MAX_LOG_BYTES = 10_000_000;

const logOf = ({ dir }: Cluster) => join(dir, 'server.log');

/**
 * PostgreSQL never rotates this file. A long one is copied, in place of the copy before, and emptied: the server has it
 * open for appending.
 */
function shorten(cluster: Cluster, warn: (message: string) => void): void {
  const log = logOf(cluster);
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_LOG_BYTES) return;
  try {
    copyFileSync(log, `${log}.old`);
    // A backup by the user of PostgreSQL reads every file.
    if (cluster.owner) chownSync(`${log}.old`, cluster.owner.uid, cluster.owner.gid);
    truncateSync(log);
  } catch (error) {
    warn(`the log of the embedded PostgreSQL could not be put aside: ${(error as Error).message}`);
  }
}

async function ensureRunning(cluster: Cluster): Promise<void> {
  if (await running(cluster)) return;
  const log = logOf(cluster);
  const args = ['start', '-w', '-s', '-D', cluster.dir, '-l', log, '-o', `-k "${cluster.socket}"`];
  try {
    await run(cluster.pgCtl, args, { ...cluster.options, timeout: 90_000 });
  } catch (cause) {
    for (let i = 0; i < 50; i++) {
      if (await running(cluster)) return; // another process was first
      await sleep(100);
    }
    const tail = existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : String(cause);
    throw new Error(`The embedded PostgreSQL did not start:\n${tail}`, { cause });
  }
}

/** Starts the server if necessary and holds a session: until it ends, no other process stops the server. */
async function attach(cluster: Cluster): Promise<pg.Client> {
  for (let attempt = 1; ; attempt++) {
    await ensureRunning(cluster);
    const client = new pg.Client({ connectionString: urlOf(cluster, 'postgres'), application_name: KEEPER });
    client.on('error', () => {}); // its end is noticed elsewhere
    try {
      await client.connect();
      await client.query('SELECT pg_advisory_lock_shared($1)', [IN_USE]);
      return client;
    } catch (cause) {
      await client.end().catch(() => {});
      if (attempt === 50) throw new Error('The embedded PostgreSQL is running but does not answer', { cause });
      await sleep(200); // it is still recovering, or the previous process is just stopping it
    }
  }
}

/** Restarts the server whenever it goes away, until `signal` aborts. Resolves to the session that is held then. */
async function keep(
  cluster: Cluster,
  first: pg.Client,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<pg.Client | undefined> {
  const aborted = new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
  let client: pg.Client | undefined = first;
  for (;;) {
    const lost: Promise<unknown> = client ? new Promise((done) => client?.once('end', done)) : sleep(2000);
    await Promise.race([lost, aborted]);
    if (signal.aborted) return client;
    if (client) warn('the embedded PostgreSQL went away and is started again');
    client = await attach(cluster).catch((error: Error) => {
      warn(error.message);
      return undefined;
    });
  }
}

async function leave(cluster: Cluster, keeper: pg.Client | undefined): Promise<void> {
  try {
    if (keeper && !(await isLast(keeper))) return;
  } catch {
    // If it does not answer, pg_ctl may still be able to stop it.
  } finally {
    await keeper?.end().catch(() => {});
  }
  await run(cluster.pgCtl, ['stop', '-m', 'fast', '-w', '-s', '-D', cluster.dir], cluster.options).catch(() => {});
}

/** Sessions that have just been closed are listed for a moment longer. */
const LEAVING_MS = 1000;

async function isLast(keeper: pg.Client): Promise<boolean> {
  await keeper.query('SELECT pg_advisory_unlock_shared($1)', [IN_USE]);
  const { rows } = await keeper.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [IN_USE]);
  if (!rows[0]?.alone) return false;
  for (let waited = 0; waited <= LEAVING_MS; waited += 50) {
    const others = await keeper.query(
      "SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> $1 LIMIT 1",
      [KEEPER],
    );
    if (others.rowCount === 0) return true;
    await sleep(50);
  }
  return false;
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the statement under way fails, which is enough
  await client.connect();
  try {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    // Another process that started at the same time has just created the database.
    if (!['42P04', '23505'].includes((error as pg.DatabaseError).code ?? '')) throw error;
  } finally {
    await client.end();
  }
}
