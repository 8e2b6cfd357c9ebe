/**
 * Backups of the embedded PostgreSQL, whose package has no tools for them. A backup is taken while the server runs, by
 * PostgreSQL's own protocol: the files are copied between pg_backup_start and pg_backup_stop, together with the
 * write-ahead log that makes them consistent. The copy is then started once, and becomes an ordinary cluster that was
 * stopped cleanly.
 */
import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { findOwner, type Owner, reachable } from './binaries.ts';
import { placeOf, startLocalPostgres } from './postgres.ts';

/**
 * The contents of these folders are recreated at each start or belong to one process. The folders themselves are
 * needed.
 */
const EMPTY = new Set(
  ['dynshmem', 'notify', 'replslot', 'serial', 'snapshots', 'stat_tmp', 'subtrans', 'wal'].map((name) => `pg_${name}`),
);
const LEFT_OUT = /^(postmaster\.(pid|opts)|server\.log(\.old)?|\.s\.PGSQL\..*|pgsql_tmp.*|backup_label.*)$/;
const SEGMENT = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)$/;

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function give(path: string, owner: Owner | undefined): void {
  if (owner) chownSync(path, owner.uid, owner.gid);
}

function makeFolder(path: string, owner: Owner | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  give(path, owner);
}

/** A file that disappears during the copy is one that recovery does not need. */
function copyFile(from: string, to: string, owner: Owner | undefined): void {
  try {
    copyFileSync(from, to);
    give(to, owner);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function copyFolder(from: string, to: string, owner: Owner | undefined, isTop = true): void {
  makeFolder(to, owner);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && isTop && EMPTY.has(entry.name)) makeFolder(target, owner);
    else if (entry.isDirectory()) copyFolder(source, target, owner, false);
    else if (entry.isFile()) copyFile(source, target, owner);
  }
}

async function freeTarget(path: string, owner: Owner | undefined): Promise<string> {
  const target = resolve(path);
  if (existsSync(target)) throw new Error(`${target} is there already: name a folder that is not`);
  if (owner && !reachable(target, owner)) {
    throw new Error(`PostgreSQL does not run as root, and its user cannot reach ${target}: name another folder`);
  }
  return target;
}

/** Copies the cluster under `dataDir` to a new folder. */
export async function backup(dataDir: string, path: string): Promise<string> {
  const owner = await findOwner();
  const target = await freeTarget(path, owner);
  const server = await startLocalPostgres(join(resolve(dataDir), 'postgres'));
  const client = new pg.Client({ connectionString: server.url('postgres'), application_name: 'atoll backup' });
  client.on('error', () => {});
  try {
    await client.connect();
    // Keeps the write-ahead log from being recycled before it is copied. The slot ends with this session.
    await client.query("SELECT pg_create_physical_replication_slot('atoll_backup', true, true)");
    await client.query("SELECT pg_backup_start('atoll', true)");
    copyFolder(server.dir, target, owner);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    writeFileSync(join(target, 'backup_label'), (rows[0] as { labelfile: string }).labelfile, { mode: 0o600 });
    give(join(target, 'backup_label'), owner);
    for (const name of readdirSync(join(server.dir, 'pg_wal')).filter((file) => SEGMENT.test(file))) {
      copyFile(join(server.dir, 'pg_wal', name), join(target, 'pg_wal', name), owner);
    }
    return target;
  } finally {
    await client.end().catch(() => {});
    await server.stop();
  }
}

/** Copies a backup to the place of the cluster under `dataDir`. */
export async function restore(path: string, dataDir: string): Promise<string> {
  const source = resolve(path);
  if (!existsSync(join(source, 'PG_VERSION'))) throw new Error(`${source} is no backup`);
  const owner = await findOwner();
  const target = await placeOf(join(resolve(dataDir), 'postgres'));
  if (existsSync(target)) throw new Error(`There is a database in ${target} already: move it away first`);
  mkdirSync(resolve(dataDir), { recursive: true });
  mkdirSync(join(target, '..'), { recursive: true });
  copyWhole(source, target, owner);
  return target;
}

/** Copies all files of a cluster that is not running. */
function copyWhole(from: string, to: string, owner: Owner | undefined): void {
  makeFolder(to, owner);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyWhole(source, target, owner);
    else if (entry.isFile() && entry.name !== 'postmaster.pid') copyFile(source, target, owner);
  }
}
