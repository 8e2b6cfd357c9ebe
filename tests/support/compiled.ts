/** Compiles the sources once for all tests, because a process that has to compile them takes three times as long to start. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { transformWithOxc } from 'vite';

/** Beside the sources, so that whatever they look for relative to themselves is where they expect it. */
const FOLDER = '.compiled';

/** What a process has to be started with. */
export const compiled = (name: 'main' | 'cli' | 'bots/worker'): string => join(FOLDER, `${name}.js`);

const IMPORT = /\b(from|import)(\s*\(?\s*)(["'])(\.{1,2}\/[^"']*)\.ts\3/g;

async function compile(file: string, transform: typeof transformWithOxc): Promise<void> {
  const source = join('src', file);
  const { code } = await transform(await readFile(source, 'utf8'), source);
  const target = join(FOLDER, file.replace(/\.ts$/, '.js'));
  await mkdir(dirname(target), { recursive: true });
  // Another project, or another run of the tests, may be reading or writing it.
  const draft = `${target}.${randomUUID()}`;
  await writeFile(draft, code.replace(IMPORT, '$1$2$3$4.js$3'));
  await rename(draft, target);
}

export default async function setup(): Promise<void> {
  const { transformWithOxc } = await import('vite'); // only here: test files that want to know a path need not load it
  const files = await readdir('src', { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  await Promise.all(sources.map((file) => compile(file, transformWithOxc)));
}
