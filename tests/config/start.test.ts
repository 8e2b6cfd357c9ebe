/** What is loaded before the first request. Every further package makes the start longer. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BUNDLED } from '../../tools/bundle.mjs';

/** Loaded from node_modules at every start: they look for files of their own, or others must use the same copy. */
const FROM_NODE_MODULES = ['@prisma/adapter-pg', '@prisma/client', 'pg'];

const STATIC = /^(?:import|export) (?!type )(?:[^;]*? from )?['"]([^'"]+)['"];?$/gm;

const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** Follows imports that are not deferred by `import()`. */
function loadedBy(file: URL, seen = new Set<string>(), packages = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return packages;
  seen.add(file.href);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATIC)) {
    if (name.startsWith('.')) loadedBy(new URL(name, file), seen, packages);
    else if (!name.startsWith('node:')) packages.add(packageOf(name));
  }
  return packages;
}

const source = (path: string) => new URL(`../../src/${path}`, import.meta.url);

test('a start loads only the packages that are listed for it', () => {
  // main.ts loads the server while the database starts.
  const loaded = new Set([...loadedBy(source('main.ts')), ...loadedBy(source('server.ts'))]);
  expect([...loaded].sort()).toEqual([...BUNDLED, ...FROM_NODE_MODULES].sort());
});

test('a process that only starts others does not load the server', () => {
  expect([...loadedBy(source('main.ts'))].sort()).toEqual(['close-with-grace', 'pg', 'typebox']);
});
