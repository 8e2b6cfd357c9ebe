/**
 * Cheap storage for what is rarely read: whole files by name, written once and never changed. There is one kind, a
 * directory, which may be a mounted disk, a network share, or a bucket that another program mounts.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const COLD_STORAGE_PATTERN = '^file:///[^?#]+$';

export interface ColdStorage {
  readonly url: string;
  /** Once this resolves, the whole file is on disk. A process that is killed before leaves all of it or nothing. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Throws if there is no such file, or if it cannot be read in time. */
  read(name: string): Promise<Buffer>;
}

/** A share that hangs must not block the threads that other file and hash operations need. */
const AT_A_TIME = 2;
const READ_MS = 5000;

export function openColdStorage(url: string): ColdStorage {
  if (!new RegExp(COLD_STORAGE_PATTERN).test(url))
    throw new Error('Cold storage must be a URL that begins with file:///');
  const root = fileURLToPath(url);
  const inTurn = atMostAtATime(AT_A_TIME);
  return {
    url,
    async write(name, bytes) {
      // If the directory is missing, the share is not mounted, and what is written in its place would be lost.
      if (!(await stat(root)).isDirectory()) throw new Error(`${root} is no directory`);
      const path = join(root, name);
      await mkdir(dirname(path), { recursive: true });
      const unfinished = `${path}.${randomBytes(4).toString('hex')}.new`;
      try {
        await toDisk(unfinished, 'wx', bytes);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await toDisk(dirname(path), 'r');
      await toDisk(root, 'r');
    },
    read: (name) => withinTime(name, () => inTurn(() => readFile(join(root, name)))),
  };
}

/** Opens the directory and flushes it, so that the names of its files are on disk. */
async function toDisk(path: string, flags: 'wx' | 'r', bytes?: Uint8Array): Promise<void> {
  const file = await open(path, flags, 0o640);
  try {
    if (bytes) await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

function withinTime<T>(name: string, read: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} was not read within ${READ_MS / 1000} s`)), READ_MS);
    read()
      .then(resolve, reject)
      .finally(() => clearTimeout(late));
  });
}

function atMostAtATime(limit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await task();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}
