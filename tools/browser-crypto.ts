import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Rules and proofs take their cryptography from one module, which is replaced in code that runs in a browser. */
export function browserCrypto(): Plugin {
  const node = path('../src/crypto.ts');
  return {
    name: 'atoll-browser-crypto',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.endsWith('/crypto.ts')) return;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found?.id === node ? path('../web/src/proof/crypto.ts') : found;
    },
  };
}
