/** Where files are that are read at run time. The server runs from src/ as well as from the bundle in dist/. */
import { existsSync } from 'node:fs';

/** The folder of package.json, with migrations/, schema/, assets/ and docs/. */
export const ROOT = above(new URL('./', import.meta.url));

function above(folder: URL): URL {
  const parent = new URL('../', folder);
  return existsSync(new URL('package.json', folder)) || parent.href === folder.href ? folder : above(parent);
}

const isSource = import.meta.url.endsWith('.ts');

/** The module that a thread runs, by its path in src/ without the extension. tools/bundle.mjs builds each of them. */
export const threadModule = (path: string): URL => new URL(isSource ? `src/${path}.ts` : `dist/${path}.js`, ROOT);
