/** Two people at one table, lost connections, and other things that go wrong. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { myTurn, playByTargets, sitDown, site, stateOf } from './browser.ts';

const web = site();

/** Opens a table of this game for people; answers with its link. */
async function openTable(page: Page, game: string, name: string): Promise<string> {
  await page.goto(`/games/${game}`);
  await page.fill('input[name=name]', name);
  await page.click('button:has-text("Open a table for people")');
  await page.waitForSelector('.waiting');
  return page.inputValue('.copy-link input');
}

async function join(link: string, name: string): Promise<Page> {
  const page = await web.open(link);
  await page.fill('input[name=name]', name);
  await page.click('.waiting button:has-text("Take a seat")');
  await page.waitForSelector('[data-board] svg');
  return page;
}

const sameVersion = async (one: Page, two: Page) => {
  await expect.poll(async () => (await stateOf(one, 'version')) === (await stateOf(two, 'version'))).toBe(true);
};

it('two browsers play each other; one loses its connection, misses events and resumes', async () => {
  const ann = await web.open('/');
  const link = await openTable(ann, 'cacao', 'Ann');
  const ben = await join(link, 'Ben');
  await ann.waitForSelector('[data-board] svg');
  await myTurn(ann);
  await expect.poll(() => stateOf(ben, 'acting')).toBe('false');
  await ben.context().setOffline(true);
  // A tile may leave Ann to choose which of her workers acts first; then it is still her turn.
  do await playByTargets(ann, 1);
  while ((await stateOf(ann, 'acting')) === 'true');
  await ben.context().setOffline(false);
  await sameVersion(ann, ben);

  // The server itself goes away while Ben decides; what he confirms meanwhile arrives once, when it is back.
  await expect.poll(() => ben.locator('main[data-acting=true]').count(), { timeout: 30_000 }).toBe(1);
  await ben.locator('[data-actions] button').first().click();
  const before = Number(await stateOf(ben, 'version'));
  const restarting = web.restart();
  await ben.click('[data-confirm]');
  await ann.locator('.banner', { hasText: 'The server cannot be reached. Nothing is lost' }).waitFor();
  await restarting;
  await expect.poll(async () => Number(await stateOf(ben, 'version')), { timeout: 30_000 }).toBeGreaterThan(before);
  await sameVersion(ann, ben);
  const played = async (page: Page) =>
    (await page.locator('.log li').allTextContents()).filter((text) => text.includes('Ben pla')).length;
  await expect.poll(() => played(ann)).toBe(1);
  await expect.poll(() => played(ben)).toBe(1);
  web.forgive(/ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET)|WebSocket|503/);
});

it('a table that is full says so, and can be watched', async () => {
  const ann = await web.open('/');
  const link = await openTable(ann, 'haleakala', 'Ann');
  expect(await ann.locator('[data-report]').count()).toBe(0); // nobody else is at the table yet
  const late = await web.open(link);
  // What Cho sends arrives after somebody else was quicker.
  await late.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('mutation JoinMatch')) await join(link, 'Ben');
    await route.fallback();
  });
  await late.fill('input[name=name]', 'Cho');
  await late.click('.waiting button:has-text("Take a seat")');
  await late.locator('[data-refused]', { hasText: 'The last seat has just been taken. You can watch.' }).waitFor();
  await late.waitForSelector('[data-board] svg');
  expect(await late.getAttribute('[data-refused] a', 'href')).toBe('/games/haleakala');
  await ann.waitForSelector('[data-report]');
  await expect.poll(() => stateOf(late, 'acting')).toBe('false');
  expect(await late.locator('[data-actions]').count()).toBe(0);
});

it('a page that cannot be found says so, with a link to continue', async () => {
  for (const [path, text] of [
    ['/matches/00000000-0000-7000-8000-000000000000', 'This match cannot be found'],
    ['/matches/nonsense', 'This match cannot be found'],
    ['/games/chess', 'There is no such game here'],
    ['/nowhere', 'There is no such page'],
  ] as const) {
    const page = await web.open(path);
    await page.waitForSelector(`h1:has-text("${text}")`);
    await expect.poll(() => page.locator('main a[href="/"]').count(), { message: path }).toBeGreaterThan(0);
    await page.context().close();
  }
  web.forgive(/400|404/);
});

it('by plain http over a network, where anybody could read a cookie, the page stores a token instead', async () => {
  const page = await web.open('/developers');
  await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
  await page.goto('/');
  await sitDown(page, 'cacao', 'Lan');
  expect(await page.context().cookies()).toEqual([]);
  await page.goto('/account');
  await page.waitForSelector('h1:has-text("Lan")');
  await page.click('[data-do=sign-out]');
  await page.click('[data-do=sign-out-sure]');
  await page.waitForSelector('h1:has-text("Sit down and play")');
  expect(await page.evaluate(() => localStorage.getItem('atoll.session'))).toBeNull();
  await page.goto('/account');
  await page.waitForSelector('h1:has-text("Sign in")');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('input[name=address]').count()).toBe(0); // this server sends no mail
});

it('a session that was ended elsewhere is reported, and the player can continue as a new guest', async () => {
  const page = await web.open('/');
  await sitDown(page, 'cacao', 'Gone');
  const [cookie] = await page.context().cookies();
  await fetch(`${web.url}/v1/account/sign-out`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `${cookie?.name}=${cookie?.value}`, origin: web.url },
    body: '{}',
  });
  await page.goto('/account');
  await page.click('button:has-text("Go on as a new guest")');
  await page.fill('.banner input[name=name]', 'Back');
  await page.click('.banner form button');
  await page.waitForSelector('.who:has-text("Back")');
  web.forgive(/401|WebSocket/);
});

it('an action on an old position and one that is not legal are explained, and the table goes on', async () => {
  const page = await web.open('/');
  await sitDown(page, 'cacao');
  await myTurn(page);
  for (const [code, words] of [
    ['STALE_VERSION', 'Something happened before your action arrived'],
    ['ILLEGAL_ACTION', 'does not accept this action'],
  ] as const) {
    await page.route('**/graphql', async (route) => {
      const isSubmit = route.request().postData()?.includes('mutation Submit') ?? false;
      if (!isSubmit) return route.fallback();
      const errors = [{ message: code, extensions: { code } }];
      await route.fulfill({ contentType: 'application/json', body: JSON.stringify({ data: null, errors }) });
    });
    await page.locator('[data-actions] button').first().click();
    await page.click('[data-confirm]');
    await page.waitForSelector(`.action-bar .notice:has-text("${words}")`);
    await page.unroute('**/graphql');
    await myTurn(page);
  }
  await playByTargets(page, 1);
});

it('an answer that is lost does not make an action happen twice', async () => {
  const page = await web.open('/');
  await sitDown(page, 'cacao');
  await myTurn(page);
  const ids: string[] = [];
  await page.route('**/graphql', async (route) => {
    const body = route.request().postDataJSON() as { query: string; variables: { input: { actionId: string } } };
    if (!body.query.includes('mutation Submit')) return route.fallback();
    ids.push(body.variables.input.actionId);
    if (ids.length > 1) return route.fallback();
    await route.fetch(); // the action happens, but its answer is lost
    await route.abort();
  });
  const before = Number(await stateOf(page, 'version'));
  await page.locator('[data-actions] button').first().click();
  await page.click('[data-confirm]');
  await expect.poll(() => ids.length).toBeGreaterThan(1);
  await expect.poll(async () => Number(await stateOf(page, 'version'))).toBeGreaterThan(before);
  expect(new Set(ids).size).toBe(1);
  await expect
    .poll(async () => (await page.locator('.log li').allTextContents()).filter((t) => /Moana pla/.test(t)).length)
    .toBe(1);
  web.forgive(/ERR_FAILED/);
});

it('a match can be resigned and played again', async () => {
  const page = await web.open('/');
  await sitDown(page, 'cacao');
  await myTurn(page);
  await page.click('button:has-text("Resign")');
  await page.click('dialog button.danger');
  await page.waitForSelector('main[data-status=FINISHED]');
  const before = page.url();
  await page.click('[data-rematch]');
  await page.waitForURL((url) => url.href !== before);
  await page.waitForSelector('[data-board] svg');
});
