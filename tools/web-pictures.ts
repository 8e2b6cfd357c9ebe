/** Takes pictures of every page of a running server, on a phone and on a screen: npm run pictures:web -- [url] [folder] [dark]. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import bundled from '@sparticuz/chromium';
import { chromium, type Page } from 'playwright-core';

const url = process.argv[2] ?? 'http://localhost:4000';
const folder = process.argv[3] ?? 'docs/pictures/web';
const colorScheme = process.argv[4] === 'dark' ? 'dark' : 'light';
mkdirSync(folder, { recursive: true });
const executablePath = process.env.CHROMIUM_PATH ?? (await bundled.executablePath());
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--headless=shell'] });

const SIZES = { 390: { width: 390, height: 844 }, 1280: { width: 1280, height: 900 } };
const GAMES = ['cacao', 'hashi', 'haleakala', 'hawaii'];

async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(700);
  await page.screenshot({ path: `${folder}/${name}.png` });
}

async function waitingRoom(page: Page, size: string): Promise<void> {
  await page.goto(`${url}/games/haleakala`);
  await page.click('button:has-text("Open a table for people")');
  await page.waitForSelector('.waiting');
  await take(page, `waiting-${size}`);
}

/** Plays so many actions of any kind, or to the end. */
async function play(page: Page, most: number): Promise<void> {
  for (let n = 0; n < most; n++) {
    await page.waitForSelector('main[data-acting=true] [data-actions] button, main[data-status=FINISHED]');
    if ((await page.getAttribute('main', 'data-status')) === 'FINISHED') return;
    const before = await page.getAttribute('main', 'data-version');
    const actions = page.locator('[data-actions] button');
    await actions.nth(Math.floor(Math.random() * (await actions.count()))).dispatchEvent('click');
    await page.locator('[data-confirm]').dispatchEvent('click');
    await page.waitForSelector(`main:not([data-version="${before}"])`);
  }
}

/** Every game to its end, with the sheet that says who won and how, on a screen and on a phone. */
async function scores(page: Page): Promise<void> {
  for (const game of GAMES) {
    await page.goto(url);
    await page.click(`[data-play-bots=${game}]`);
    await page.waitForSelector('main[data-acting=true]');
    await play(page, Number.POSITIVE_INFINITY);
    for (const [size, viewport] of Object.entries(SIZES).reverse()) {
      await page.setViewportSize(viewport);
      await page.waitForTimeout(500);
      await take(page, `scores-${game}-${size}`);
    }
    await page.setViewportSize(SIZES[1280]);
  }
}

/** A short match that is given up, replayed and proven. */
async function replay(page: Page, size: string): Promise<void> {
  await page.goto(url);
  await page.click('[data-play-bots=cacao]');
  await page.waitForSelector('main[data-acting=true]');
  await play(page, 4);
  await page.locator('.tools button:has-text("Resign")').first().dispatchEvent('click');
  await page.click('dialog[open] button.danger');
  await page.waitForSelector('main[data-status=FINISHED]');
  await page.click('[data-verify]');
  await page.waitForSelector('[data-proof=proven]');
  await take(page, `finished-${size}`);
  await page.locator('[data-scrubber]').fill('8');
  await page.waitForSelector('.replay .caption');
  await page.evaluate('scrollTo(0, 0)');
  await take(page, `replay-${size}`);
}

/** The server's own page asks what an app may do. */
async function consent(page: Page, size: string): Promise<void> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'Notebook of openings',
    redirect_uri: 'http://127.0.0.1:8080/callback',
    scope: 'read play',
    state: 'any',
    code_challenge: createHash('sha256').update('any').digest('base64url'),
    code_challenge_method: 'S256',
  });
  await page.goto(`${url}/oauth/authorize?${query}`);
  await page.waitForSelector('button[value=allow]');
  await take(page, `consent-${size}`);
}

for (const [size, viewport] of Object.entries(SIZES)) {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    ...(size === '390' && { isMobile: true, hasTouch: true }),
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('[data-play-bots]');
  await take(page, `lobby-${size}`);
  await page.fill('input[name=name]', 'Moana');
  for (const game of GAMES) {
    await page.click(`[data-play-bots=${game}]`);
    await page.waitForSelector('main[data-acting=true] [data-legal]');
    // By an event, because on a phone the action bar may cover the target.
    await page.locator('[data-board] [data-legal]').first().dispatchEvent('click');
    await take(page, `table-${game}-${size}`);
    await page.goto(url);
    await page.waitForSelector('[data-play-bots]');
  }
  await waitingRoom(page, size);
  await replay(page, size);
  await consent(page, size);
  if (size === '1280') await scores(page);
  for (const [path, name] of [
    ['/', 'mine'],
    ['/players/Moana', 'player'],
    ['/games/cacao', 'game'],
    ['/watch', 'watch'],
    ['/account', 'account'],
    ['/developers', 'developers'],
  ] as const) {
    await page.goto(url + path);
    await page.waitForSelector('main h1');
    await take(page, `${name}-${size}`);
  }
  await context.close();
}
await browser.close();
