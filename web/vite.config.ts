import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { defineConfig, type Plugin } from 'vite';
import { browserCrypto } from '../tools/browser-crypto.ts';

const root = new URL('../', import.meta.url);
const path = (relative: string) => fileURLToPath(new URL(relative, root));

/** Where `npm run dev` finds the server. */
const server = `http://localhost:${process.env.PORT || 4000}`;

/** Rules are written in Markdown; markup inside them is shown as text, never taken as markup. */
function markdown(): Plugin {
  const md = new MarkdownIt({ html: false, linkify: false, typographer: true });
  return {
    name: 'atoll-markdown',
    transform(_, id) {
      if (!id.endsWith('.md')) return;
      return { code: `export default ${JSON.stringify(md.render(readFileSync(id, 'utf8')))}`, map: null };
    },
  };
}

export default defineConfig({
  root: path('web'),
  publicDir: path('web/public'),
  plugins: [markdown(), browserCrypto()],
  build: {
    outDir: path('dist/web'),
    emptyOutDir: true,
    // A picture in a data: URL would be in the script that every visitor loads.
    assetsInlineLimit: 0,
    // Needs an inline script where it is polyfilled, and every browser that we support has it.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es', plugins: () => [browserCrypto()] },
  server: {
    fs: { allow: [path('.')] },
    proxy: {
      '/graphql': { target: server, ws: true },
      '/v1': server,
      '/docs': server,
      '/graphiql': server,
      '/schema.graphql': server,
      '/openapi.json': server,
      '/health': server,
      '/favicon.svg': server,
    },
  },
});
