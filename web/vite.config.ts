import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { defineConfig, type Plugin } from 'vite';
import { browserCrypto } from '../tools/browser-crypto.ts';

const root = new URL('../', import.meta.url);
const path = (relative: string) => fileURLToPath(new URL(relative, root));

/** Where `npm run dev` finds the server. */
const server = `http://localhost:${process.env.PORT || 4000}`;

/** What the server answers itself while Vite serves the page. */
const SERVED = [
  '/graphql',
  '/v1',
  '/docs',
  '/graphiql',
  '/schema.graphql',
  '/openapi.json',
  '/health',
  '/favicon.svg',
  '/oauth',
  '/.well-known',
];

/** Rules are written in Markdown; markup inside them is shown as text, never taken as markup. */
const md = new MarkdownIt({ html: false, linkify: false, typographer: true });

// A link to another file of the repository leads nowhere on a server, so only its text stays.
md.core.ruler.push('own-files', ({ tokens }) => {
  let isFile = false;
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_open') isFile = !/^(https?:|#|\/)/.test(String(token.attrGet('href')));
    if (!isFile || !/^link_(open|close)$/.test(token.type)) continue;
    token.tag = 'span';
    token.attrs = null;
  }
});

// What may be wider than a phone can also be scrolled by keyboard.
md.core.ruler.push('reachable', ({ tokens }) => {
  for (const token of tokens) if (token.type === 'table_open') token.attrSet('tabindex', '0');
});
for (const type of ['fence', 'code_block'] as const) {
  const rendered = md.renderer.rules[type];
  md.renderer.rules[type] = (...all) => rendered?.(...all).replace('<pre>', '<pre tabindex="0">') ?? '';
}

function markdown(): Plugin {
  return {
    name: 'atoll-markdown',
    transform(_, id) {
      if (!id.endsWith('.md')) return;
      return { code: `export default ${JSON.stringify(md.render(readFileSync(id, 'utf8')))}`, map: null };
    },
  };
}

/** The rules as pages of their own, for browsers that cannot run our script. */
function plainRules(): Plugin {
  const folder = path('docs/rules/');
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const text = readFileSync(folder + name, 'utf8');
      return { id: name.slice(0, -3), title: /^# (.*)$/m.exec(text)?.[1] ?? name, text };
    });
  const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Atoll</title>
    <link rel="stylesheet" href="/offline.css" />
  </head>
  <body>
    <main>${body}</main>
  </body>
</html>
`;
  return {
    name: 'atoll-plain-rules',
    generateBundle() {
      for (const { id, title, text } of pages)
        this.emitFile({
          type: 'asset',
          fileName: `rules/${id}.html`,
          source: page(md.utils.escapeHtml(title), md.render(text)),
        });
    },
    transformIndexHtml: (html) =>
      html.replace(
        '<!--rules-->',
        pages
          .map(({ id, title }) => `<li><a href="/rules/${id}.html">The rules of ${md.utils.escapeHtml(title)}</a></li>`)
          .join('\n          '),
      ),
  };
}

export default defineConfig({
  root: path('web'),
  publicDir: path('web/public'),
  plugins: [markdown(), plainRules(), browserCrypto()],
  build: {
    outDir: path('dist/web'),
    emptyOutDir: true,
    // A picture in a data: URL would be part of the script that every visitor loads.
    assetsInlineLimit: 0,
    // The polyfill needs an inline script, and every browser that we support has the feature.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es', plugins: () => [browserCrypto()] },
  server: {
    fs: { allow: [path('.')] },
    // Requests keep the name of the host that the browser asked: sessions work only for pages of the server itself.
    proxy: Object.fromEntries(SERVED.map((path) => [path, { target: server, ws: path === '/graphql' }])),
  },
});
