/** The verifier as one file, with the rules of every game in it: for Node and for browsers. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { browserCrypto } from '../../tools/browser-crypto.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Written by hand, because the real types would pull in those of the whole engine; src/verify.ts is checked against
 * Verify.
 */
const DECLARATIONS = `import type { Verify } from './proof.js';
export type { Proof, Saved, Verify } from './proof.js';
/** Replays an exported match without a server: looks every action up again, makes every draw again, checks every hash. */
export declare const verify: Verify;
/** The first thing that is wrong with a document. */
export declare class Unproven extends Error {
  readonly details: { readonly version: number };
}
`;

function declarations(): Plugin {
  return {
    name: 'atoll-declarations',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'verify.d.ts', source: DECLARATIONS });
    },
    /** tsc leaves references to source files in declarations, but the sources are not published. */
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.d.ts')) continue;
        const file = join(dir, name);
        writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
      }
    },
  };
}

export default defineConfig({
  root: path('.'),
  plugins: [browserCrypto(), declarations()],
  build: {
    outDir: path('dist'),
    emptyOutDir: false,
    target: 'es2023',
    lib: { entry: path('src/verify.ts'), formats: ['es'], fileName: 'verify' },
    reportCompressedSize: false,
  },
});
