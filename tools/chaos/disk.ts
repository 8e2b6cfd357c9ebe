/** A small disk of its own for a server, which can be filled. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Owner } from '../../src/database/embedded/binaries.ts';

const run = promisify(execFile);

export interface Disk {
  /** Where it is mounted. */
  readonly dir: string;
  /** Takes whatever is left of it, and comes back when nothing is. */
  fill(): Promise<void>;
  /** Gives that back. */
  free(): void;
  unmount(): Promise<void>;
}

/** Undefined: nothing can be mounted here, which needs Linux and root. */
export async function mountDisk(dir: string, megabytes: number, owner: Owner | undefined): Promise<Disk | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  mkdirSync(dir, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir]);
  } catch {
    return undefined; // in a container that may not
  }
  chmodSync(dir, 0o700);
  if (owner) chownSync(dir, owner.uid, owner.gid);
  const ballast = join(dir, 'ballast');
  return {
    dir,
    async fill() {
      // It ends with the error that is wanted: there is no space left.
      await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M', 'oflag=append', 'conv=notrunc']).catch(() => {});
    },
    free() {
      rmSync(ballast, { force: true });
    },
    async unmount() {
      await run('umount', ['-l', dir]);
    },
  };
}
