/** A small disk for one server, which can be filled. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Owner } from '../../src/database/embedded/binaries.ts';

const run = promisify(execFile);

export interface Disk {
  /** Where it is mounted. */
  readonly dir: string;
  /** Takes all the space that is left. */
  fill(): Promise<void>;
  /** Frees that space. */
  free(): void;
  unmount(): Promise<void>;
}

/** Undefined if nothing can be mounted here, which needs Linux and root. */
export async function mountDisk(dir: string, megabytes: number, owner: Owner | undefined): Promise<Disk | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  mkdirSync(dir, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir]);
  } catch {
    return undefined; // a container that may not mount
  }
  chmodSync(dir, 0o700);
  if (owner) chownSync(dir, owner.uid, owner.gid);
  const ballast = join(dir, 'ballast');
  return {
    dir,
    async fill() {
      // It ends with the error that is wanted: no space left.
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
