/**
 * Builds dist/: the server, the command line and the modules of threads, each with what it always needs in a few files.
 * Most of the start went into loading two thousand small ones. Packages that are loaded only when somebody needs them
 * stay in node_modules, and so do those that look for files of their own.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** What is started: src/main.ts becomes dist/main.js. */
const ENTRIES = ['main', 'cli', 'bots/worker', 'matches/proof/prover-thread', 'pictures/worker'];

/** With everything that they require. tests/config/start.test.ts holds the list to what a start needs. */
export const BUNDLED = [
  '@fastify/cors',
  '@fastify/under-pressure',
  '@fastify/websocket',
  'close-with-grace',
  'fastify',
  'fastify-plugin',
  'graphql',
  'graphql-ws',
  'ipaddr.js',
  'mercurius',
  'prom-client',
  'typebox',
];

const CHUNKS = new URL('../dist/chunks/', import.meta.url);

/** A server that runs meanwhile still loads chunks of the build from which it was started. */
const KEPT_MS = 24 * 3_600_000;

/** @param {string} id */
const nameOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/');

async function build() {
  const bundle = await rolldown({
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    input: Object.fromEntries(ENTRIES.map((name) => [name, `src/${name}.ts`])),
    platform: 'node',
    tsconfig: false,
    external(id, importer) {
      const isPackage = /^[@a-z]/i.test(id) && !id.startsWith('node:');
      const isOurs = !importer?.includes('/node_modules/');
      return isPackage && isOurs && !BUNDLED.includes(nameOf(id));
    },
  });
  const { output } = await bundle.write({
    dir: 'dist',
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await bundle.close();
  const made = new Set(output.map(({ fileName }) => fileName));
  for (const name of readdirSync(CHUNKS)) {
    const file = new URL(name, CHUNKS);
    if (!made.has(`chunks/${name}`) && Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
