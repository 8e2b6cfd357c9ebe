import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ROOT } from '../../root.ts';
import type { Preview } from '../preview.ts';
import { escapeHtml } from './answers/html.ts';
import { type Serving, type StaticFile, send, staticFile, staticFiles } from './answers/static-files.ts';
import { publicAddress } from './callers/public-address.ts';

const ASSETS = new URL('assets/', ROOT);
const BUILT = new URL('dist/web/', ROOT);

/** Everything is loaded from this host. The editor sets styles from its script and embeds its fonts. */
const GRAPHIQL: Serving = {
  policy:
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' " +
    "data:; font-src data:; frame-ancestors 'none'",
};

/** The table needs no inline code, so anything injected into the page does nothing. */
const TABLE: Serving = {
  policy:
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

const LINKS = {
  graphql: '/graphql',
  graphiql: '/graphiql',
  schema: '/schema.graphql',
  rest: '/v1/games',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/health/ready',
};

/** The browser's table renders each of these from the address. */
const PAGES = ['/games/:id', '/watch', '/players/:name', '/account', '/developers'];

/** The preview that other services show for a link to the page. */
function headOf(origin: string, url: string, id: string, { title, description, picture }: Preview): string {
  const at = /[?&]at=(\d{1,6})(&|$)/.exec(url)?.[1];
  const image = picture ? `/v1/matches/${id}/board.png${at ? `?at=${at}` : ''}` : '/icon-512.png';
  const properties = [
    ['og:site_name', 'Atoll'],
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', origin + url.split('?', 1)[0] + (at ? `?at=${at}` : '')],
    ['og:image', origin + image],
    ['twitter:card', picture ? 'summary_large_image' : 'summary'],
  ];
  const tags = properties.map(
    ([name, content]) => `<meta property="${name}" content="${escapeHtml(content as string)}" />`,
  );
  return [`<title>${escapeHtml(title)} · Atoll</title>`, ...tags].join('\n    ');
}

/** For browsers that cannot run the table. */
const plainLink = (id: string, { title, picture }: Preview): string =>
  picture ? `<li><a href="/v1/matches/${id}/board.png">${escapeHtml(title)}: the board as a picture</a></li>` : '';

interface PagesOptions {
  schema: string;
  preview?: ((matchId: string) => Promise<Preview | null>) | undefined;
}

/** Serves the browser's table, GraphiQL and the GraphQL contract as a file. */
export async function pages(app: FastifyInstance, { schema, preview }: PagesOptions): Promise<void> {
  const hidden = { schema: { hide: true } };
  const serve = (url: string, file: StaticFile, serving: Serving) =>
    app.get(url, hidden, (request, reply) => send(request, reply, file, serving));

  const graphiql = staticFiles(new URL('graphiql/', ASSETS));
  for (const [name, file] of graphiql) {
    if (name === 'index.html') serve('/graphiql', file, GRAPHIQL);
    else if (!name.endsWith('.md')) serve(`/graphiql/${name}`, file, GRAPHIQL);
  }
  serve('/favicon.svg', staticFile('favicon.svg', readFileSync(new URL('favicon.svg', ASSETS))), TABLE);
  serve('/oauth/page.css', staticFile('page.css', readFileSync(new URL('oauth/page.css', ASSETS))), TABLE);
  serve('/schema.graphql', staticFile('schema.graphql', schema), GRAPHIQL);

  const built = staticFiles(BUILT);
  const notBuilt = staticFiles(new URL('not-built/', ASSETS));
  const web = built.has('index.html') ? built : notBuilt;
  for (const [name, file] of web) {
    if (name !== 'index.html') serve(`/${name}`, file, { ...TABLE, immutable: name.startsWith('assets/') });
  }
  const shell = web.get('index.html') as StaticFile;
  const page = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, shell, TABLE);
  for (const path of PAGES) app.get(path, hidden, page);
  app.pages.noSuchPage = (reply) =>
    reply.code(404).header('content-security-policy', TABLE.policy).type(shell.type).send(shell.plain);
  app.get<{ Params: { id: string } }>('/matches/:id', hidden, async (request, reply) => {
    const { id } = request.params;
    const found = await preview?.(id);
    if (!found) return page(request, reply);
    const html = shell.plain
      .toString()
      .replace('<title>Atoll</title>', () => headOf(publicAddress(request), request.url, id, found))
      .replace('<!--plain-->', () => plainLink(id, found));
    return send(request, reply, staticFile('index.html', html), TABLE);
  });
  app.get('/', hidden, (request, reply) => {
    reply.header('vary', 'accept');
    if (request.headers.accept?.includes('text/html')) return page(request, reply);
    return reply.send({ name: 'Atoll', about: 'Board games on the web, one decision at a time.', links: LINKS });
  });
}
