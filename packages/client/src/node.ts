/** For programs that run in Node. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ClientStorage } from './storage.ts';

/**
 * A JSON file that only its owner may read, because it holds a token. A new version is written beside it and renamed,
 * so that a crash leaves it intact.
 */
export function fileStorage(path: string): ClientStorage {
  const read = (): Record<string, string> => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return {};
      throw error;
    }
  };
  const write = (values: Record<string, string>) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, JSON.stringify(values), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  return {
    get: (key) => read()[key],
    set: (key, value) => write({ ...read(), [key]: value }),
    delete(key) {
      const { [key]: _gone, ...rest } = read();
      write(rest);
    },
  };
}
