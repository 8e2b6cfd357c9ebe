/** Letting an app in through the real pages: what a browser makes of their policies, and how the player takes it back. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { authorizeUrl, endpoint, exchange, me } from '../support/oauth.ts';
import { PHONE, sitDown, site, WIDE } from './browser.ts';

const web = site();

/** An app on the person's own machine, which waits for its answer. */
async function startApp() {
  let hear = (_: URL) => {};
  const answer = new Promise<URL>((resolve) => {
    hear = resolve;
  });
  const server = createServer((request, response) => {
    hear(new URL(request.url as string, 'http://127.0.0.1'));
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>App</title><link rel="icon" href="data:,"><p>Thank you</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { redirectUri: `http://127.0.0.1:${port}/callback`, answer, stop: () => server.close() };
}

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] };
  expect(violations.map(({ id }) => id)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= screen.width')).toBe(true);
}

it('an app on the same machine gets its tokens, is listed, and is revoked', async () => {
  const app = await startApp();
  const page = await web.open('/', PHONE);
  await sitDown(page, 'hashi');
  const client = { client_id: 'Notebook of openings', redirect_uri: app.redirectUri };
  await page.goto(authorizeUrl(web.url, client).href);
  await expectAccessible(page);
  expect(await page.textContent('main')).toContain('Moana #');
  await page.click('button[value=allow]');
  await page.waitForURL(`${app.redirectUri}?*`);
  web.forgive(/another host: .*\/callback\?code=/); // the answer is sent to this host
  const { searchParams } = await app.answer;
  expect(searchParams.get('state')).toBe('xyz');
  const { body } = await exchange(web.url, searchParams.get('code') as string, client);
  expect(await me(web.url, body.access_token)).toBe(200);
  app.stop();

  await page.goto(`${web.url}/account`);
  const listed = page.locator('[data-apps] li');
  expect(await listed.textContent()).toMatch(/Notebook of openings may see, play; last used .* by IPv4/);
  await listed.locator('button').click();
  await listed.waitFor({ state: 'detached' });
  expect(await me(web.url, body.access_token)).toBe(401);
});

it('a device is allowed by its code; a token for a program is made and shown', async () => {
  const page = await web.open('/', WIDE);
  await sitDown(page, 'hashi');
  const client = { client_id: 'Cacao bot' };
  const { body } = await endpoint(`${web.url}/oauth/device`, { ...client, scope: 'read play' });
  await page.goto(`${web.url}/oauth/device`);
  await expectAccessible(page);
  await page.fill('input[name=user_code]', String(body.user_code).toLowerCase());
  await page.keyboard.press('Enter');
  await page.waitForSelector('button[value=allow]');
  await expectAccessible(page);
  await page.click('button[value=allow]');
  await page.waitForSelector('h1:text-is("Connected")');
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: String(body.device_code) };
  const tokens = await endpoint(`${web.url}/oauth/token`, { ...client, ...form });
  expect(await me(web.url, tokens.body.access_token)).toBe(200);

  await page.goto(`${web.url}/account`);
  await page.click('summary');
  await page.fill('input[name=token-name]', 'Reader');
  await page.uncheck('input[name=PLAY]');
  await page.click('[data-do=make-token]');
  const key = await page.inputValue('.copy-link input');
  expect(await me(web.url, key)).toBe(200);
  await page.getByText('Reader may see; not used yet').waitFor();
  await expectAccessible(page);
});

it('a player who has to sign in first returns to the question automatically', async () => {
  const page = await web.open('/developers');
  const client = { client_id: 'Notebook of openings', redirect_uri: 'http://127.0.0.1:8765/callback' };
  const asked = authorizeUrl(web.url, { ...client, state: 'a&b="c"' }).href;
  await page.goto(asked);
  await expectAccessible(page);
  await page.click('a.button');
  await page.fill('input[name=name]', 'Nalu');
  await page.click('button:has-text("Play as a guest")');
  await page.waitForSelector('button[value=allow]');
  await expect.poll(() => page.url()).toBe(asked);
  expect(await page.textContent('main')).toContain('Nalu #');
  expect(await page.getAttribute('input[name=state]', 'value')).toBe('a&b="c"');

  // What the page remembers is not enough: the session has ended.
  await page.context().clearCookies();
  await page.goto(asked);
  await page.click('a.button');
  await page.waitForSelector('h1:has-text("Sign in")');
  // A sign-in in another tab is noticed here.
  const other = await page.context().newPage();
  await other.goto(`${web.url}/account?return=/oauth/device?user_code=`);
  await other.fill('input[name=name]', 'Nalu');
  await other.click('button:has-text("Play as a guest")');
  await other.waitForSelector('input[name=user_code]');
  await page.waitForSelector('button[value=allow]');
  web.forgive(/status of 401/); // pages that require a sign-in are answered with this
});

it('signing in never redirects to another site', async () => {
  const elsewhere = [
    'https://evil.example/oauth/authorize',
    '//evil.example/oauth/authorize',
    '/\\\\evil.example/oauth/device',
    '/\t/evil.example/oauth/device',
    'javascript:alert(1)//oauth/device',
    'oauth/device',
    '/oauth/device/../../graphiql',
    '/oauth/token',
    '/\\\\[',
  ];
  const page = await web.open('/account');
  await page.fill('input[name=name]', 'Nalu');
  await page.click('button:has-text("Play as a guest")');
  await page.waitForSelector('.who:has-text("Nalu")');
  for (const wanted of elsewhere) {
    await page.goto(`/account?${new URLSearchParams({ return: wanted })}`);
    // A signed-in player sees the account page; a redirect would have led away from it.
    await page.waitForSelector('main.account h1:has-text("Nalu")');
    expect(new URL(page.url()).pathname).toBe('/account');
  }
});
