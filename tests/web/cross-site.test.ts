/** Another site, in a real browser that sends it our cookie: the same host on another port is the same site to a browser. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { site } from './browser.ts';

const web = site({ host: 'localhost' });
let evil: Server;
let origin: string;

beforeAll(async () => {
  evil = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Evil</title>'),
  );
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(evil.address() as AddressInfo).port}`;
});
afterAll(() => void evil.close());

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
  const other = await page.context().newPage();
  await other.goto(origin);
  const cookies: string[] = [];
  web.instance.app.server.prependListener('request', ({ method, headers }) => {
    if (method === 'POST' && headers.cookie?.includes('atoll_session')) cookies.push(String(headers['content-type']));
  });

  const fetched = await other.evaluate(
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

  const closed = await other.evaluate(
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
    const tab = await page.context().newPage(); // of its own: leaving a page takes its time
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
