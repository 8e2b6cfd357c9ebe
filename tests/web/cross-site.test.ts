/** Another site, in a real browser that sends it our cookie: the same host on another port is the same site to a browser. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as Client from '../../packages/client/src/client.ts';
import { site } from './browser.ts';

const web = site({ host: 'localhost' });
const library = mkdtempSync(join(tmpdir(), 'atoll-client-'));
let other: Server;
let origin: string;

/** A file of the client library as it is published, or undefined where there is none of this name. */
function moduleAt(url: string): string | undefined {
  const [, name] = /^\/client\/([\w./-]+\.js)$/.exec(url) ?? [];
  return name === undefined || name.includes('..') ? undefined : readFileSync(join(library, name), 'utf8');
}

beforeAll(async () => {
  execFileSync(process.execPath, [
    'node_modules/typescript/bin/tsc',
    ...['-p', 'packages/client/tsconfig.build.json', '--outDir', library],
  ]);
  other = createServer(({ url = '' }, response) => {
    const source = moduleAt(url);
    if (source !== undefined) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(source);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Another site</title>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(other.address() as AddressInfo).port}`;
});
afterAll(() => {
  other.close();
  rmSync(library, { recursive: true });
});

/** The client library, loaded from where the page itself comes from; as a text, because Vite would rewrite an import. */
const load = (page: Page) => page.evaluateHandle<typeof Client>("import('/client/client.js')");

const MUTATION = 'mutation { createMatch(input: { game: "cacao", seats: 2 }) { id } }';

async function victim(): Promise<Page> {
  const page = await web.open('/account');
  await page.fill('input[name=name]', 'Victim');
  await page.click('button:has-text("Play as a guest")');
  await page.waitForSelector('.who:has-text("Victim")');
  return page;
}

/** What our own page can do with the same cookie. */
const matchesOf = (page: Page) =>
  page.evaluate(async () => {
    const response = await fetch('/v1/matches?mine=true');
    return ((await response.json()) as { matches: unknown[] }).matches.length;
  });

it('neither a form, nor a fetch, nor a socket of another site acts for whoever is signed in', async () => {
  const page = await victim();
  const evil = await page.context().newPage();
  await evil.goto(origin);
  const cookies: string[] = [];
  web.instance.app.server.prependListener('request', ({ method, headers }) => {
    if (method === 'POST' && headers.cookie?.includes('atoll_session')) cookies.push(String(headers['content-type']));
  });

  const fetched = await evil.evaluate(
    async ([at, query]) => {
      const outcome = (type: string, body: string) =>
        fetch(`${at}/graphql`, {
          method: 'POST',
          credentials: 'include',
          headers: { 'content-type': type },
          body,
        }).then(
          () => 'read',
          () => 'hidden',
        );
      const body = JSON.stringify({ query });
      return [await outcome('application/json', body), await outcome('text/plain', body)];
    },
    [web.url, MUTATION] as const,
  );
  expect(fetched).toEqual(['hidden', 'hidden']);

  const closed = await evil.evaluate(
    (at) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(`${at.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
        socket.onopen = () => socket.send('{"type":"connection_init"}');
        socket.onclose = ({ code }) => resolve(code);
      }),
    web.url,
  );
  expect(closed).toBe(4403);

  for (const path of ['/v1/matches', '/v1/account/recovery-codes']) {
    const tab = await page.context().newPage(); // in a separate tab, because leaving a page takes some time
    await tab.goto(origin);
    const [response] = await Promise.all([
      tab.waitForResponse((answer) => answer.url() === web.url + path),
      tab.evaluate((action) => {
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'post' });
        document.body.append(form);
        form.submit();
      }, web.url + path),
    ]);
    expect(response.status()).toBe(403);
  }
  // The attack was real: the browser did send the cookie along.
  expect(cookies).toEqual(expect.arrayContaining(['text/plain', 'application/x-www-form-urlencoded']));
  expect(await matchesOf(page)).toBe(0);
  web.forgive(/./);
});

it('a page of another site plays with the client library and a token of its own', async () => {
  const visitor = await web.open('/');
  const page = await visitor.context().newPage();
  await page.goto(origin);
  const play = async ([{ connect, browserStorage }, url]: readonly [typeof Client, string]) => {
    const atoll = connect(url, { storage: browserStorage('test.') });
    const { id: me } = await atoll.signIn('Kiri');
    const { id } = await atoll.createMatch({ game: 'hashi', seats: 1, visibility: 'PRIVATE' });
    const heard = new Promise<string>((resolve, reject) => {
      void atoll.eventsUrl(id, { after: 2 }).then((address) => {
        const source = new EventSource(address);
        source.addEventListener('ACTED', ({ data }) => resolve(data));
        source.onmessage = ({ data }) => resolve(data);
        source.onerror = () => reject(new Error('the event stream failed'));
      });
    });
    const seen: number[] = [];
    const { match } = await atoll.play(id, ({ legalActions }) => legalActions[0], {
      onEvent: ({ version }) => void seen.push(version),
    });
    const image = new Image();
    image.src = await atoll.pictureUrl(id);
    await image.decode();
    const { version } = JSON.parse(await heard) as { version: number };
    return { me, match, seen, first: version, width: image.naturalWidth, sockets: 'WebSocket' in window };
  };
  const done = await page.evaluate(play, [await load(page), web.url] as const);
  expect(done.match.status).toBe('FINISHED');
  expect(done.seen).toEqual(Array.from({ length: done.match.version - 2 }, (_, i) => i + 3));
  expect(done).toMatchObject({ first: 3, sockets: true });
  expect(done.width).toBeGreaterThan(100);
  // The player is stored in the browser, and is the same after a reload.
  await page.reload();
  const again = await page.evaluate(
    async ([{ connect, browserStorage }, url]) =>
      (await connect(url, { storage: browserStorage('test.') }).signIn('Somebody else')).id,
    [await load(page), web.url] as const,
  );
  expect(again).toBe(done.me);
});

it('our own page plays with the client library and its cookie, and another site cannot', async () => {
  const page = await victim();
  await page.route('**/client/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: moduleAt(new URL(route.request().url()).pathname) ?? '' }),
  );
  await page.route('**/client/generated/*.js', (route) => {
    const name = basename(route.request().url());
    return route.fulfill({ contentType: 'text/javascript', body: moduleAt(`/client/generated/${name}`) ?? '' });
  });
  const play = async ([{ connect }, url]: readonly [typeof Client, string]) => {
    const atoll = connect(url, { credentials: 'include', patienceMs: 0 });
    const me = await atoll.me();
    if (!me) return 'nobody';
    const { id } = await atoll.createMatch({ game: 'hashi', seats: 1 });
    const [turn, { legalActions }] = await Promise.all([atoll.turns().next(), atoll.position(id)]);
    const { version } = await atoll.submit(id, legalActions[0]?.action);
    return [me.name, turn.value?.match.id === id, version];
  };
  expect(await page.evaluate(play, [await load(page), web.url] as const)).toEqual(['Victim', true, 3]);
  const evil = await page.context().newPage();
  await evil.goto(origin);
  const outcome = await evil
    .evaluate(play, [await load(evil), web.url] as const)
    .catch(({ message }: Error) => message);
  expect(outcome).toMatch(/does not answer|nobody/);
});
