/** Profiles, who is online, reports, bans, and leaving for good: through the pages. */
import pg from 'pg';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sitDown, site } from './browser.ts';

const web = site({ services: { bans: { everyMs: 50 } } });

it('a player sees who is online, looks at a profile, and reports a player', async () => {
  const ann = await web.open('/');
  await ann.goto('/games/haleakala');
  await ann.fill('input[name=name]', 'Ann');
  await ann.click('button:has-text("Open a table for people")');
  await ann.waitForSelector('.waiting');
  const ben = await web.open(await ann.inputValue('.copy-link input'));
  await ben.fill('input[name=name]', 'Ben');
  await ben.click('.waiting button:has-text("Take a seat")');
  await ben.waitForSelector('[data-board] svg');
  await ben.waitForSelector('[data-online="0"]', { timeout: 30_000 });
  await ann.waitForSelector('[data-online="1"]', { timeout: 30_000 });

  await ben.click('.seat .name a:has-text("Ann")');
  await ben.waitForSelector('.profile .match-row');
  expect(decodeURIComponent(new URL(ben.url()).pathname)).toMatch(/^\/players\/Ann #[0-9A-Z]{4}$/);
  expect(await ben.textContent('.profile .match-row')).toContain('Haleakalā');
  await ben.click('[data-report]');
  await ben.fill('textarea[name=report]', 'She thinks for too long.');
  await ben.click('dialog button:has-text("Send")');
  await ben.waitForSelector('dialog :text("Thank you")');
  await ben.click('dialog button:has-text("Close")');

  await ben.fill('input[name=search]', 'an');
  await ben.click('button:has-text("Search")');
  await ben.waitForSelector('h1:has-text("Ann")');
  await ben.goto('/players/Nobody at all');
  await ben.waitForSelector(':text("There is no player of this name")');
});

const nextPage = async (page: Page, path: string) => {
  await page.goto(path);
  await page.waitForSelector('main h1');
};

it('a player chooses what others see, exports everything, and deletes the account by typing its name', async () => {
  const page = await web.open('/');
  await sitDown(page, 'haleakala', 'Kea');
  await nextPage(page, '/account');
  const saved = page.waitForResponse((answer) => answer.request().postData()?.includes('SetPrivacy') ?? false);
  await page.locator('input[name=listed]').uncheck();
  await saved; // or the page would be left before it has told the server
  await page.reload();
  await expect.poll(() => page.locator('input[name=listed]').isChecked()).toBe(false);
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('[data-export-account]')]);
  expect(file.suggestedFilename()).toBe('atoll-account.json');
  const stranger = await web.open('/players/Kea');
  await stranger.waitForSelector(':text("There is no player of this name")');

  await page.click('button:has-text("Delete this account")');
  await page.fill('input[name=confirm]', 'Somebody');
  expect(await page.isDisabled('[data-delete-account]')).toBe(true);
  await page.fill('input[name=confirm]', 'Kea');
  await page.click('[data-delete-account]');
  await page.waitForSelector('input[name=name]');
});

it('a banned player is told why on every page, and can still watch', async () => {
  const page = await web.open('/');
  await sitDown(page, 'hashi', 'Rude');
  const client = new pg.Client({ connectionString: web.database.url });
  await client.connect();
  await client.query(`INSERT INTO bans (player_id, reason) SELECT id, 'rude words' FROM players WHERE name = 'Rude'`);
  await client.end();
  const banner = page.locator('.banner[role=alert]:has-text("rude words")');
  for (const path of ['/', '/account', '/games/hashi']) {
    await page.goto(path);
    await banner.waitFor();
  }
  await banner.locator('button').click();
  await page.waitForURL('**/watch');
  await banner.waitFor({ state: 'detached' });
  web.forgive(/status of 403|WebSocket/);
});
