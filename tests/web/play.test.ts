import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/games/registry.ts';
import { myTurn, PHONE, playByTargets, READABLE, sitDown, site, smallestText, stateOf, WIDE } from './browser.ts';

const web = site();
const games = registry.games.map(({ id }) => id);

/** Records what screen readers announce about the actions of others. */
const hearOthers = (page: Page) =>
  page.evaluate(() => {
    const heard: string[] = [];
    (window as unknown as { heard: string[] }).heard = heard;
    const live = document.querySelector('.log [aria-live=polite]') as HTMLElement;
    const keep = () => heard.push(live.textContent ?? '');
    new MutationObserver(keep).observe(live, { characterData: true, childList: true, subtree: true });
  });

async function playToTheEnd(game: string): Promise<void> {
  const page = await web.open('/', { ...WIDE, reducedMotion: 'reduce' }); // to draw every step of hundreds takes long
  await sitDown(page, game);
  // The first action uses a real mouse, which proves that targets are where they are drawn.
  await myTurn(page);
  for (let i = 0; i < 8 && (await page.locator('[data-confirm]').count()) === 0; i++) {
    await page.locator('[data-board] [data-target][data-legal]').first().click();
  }
  await page.click('[data-confirm]');
  await hearOthers(page);
  const { actions } = await playByTargets(page);
  expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard), game).toContainEqual(
    expect.stringMatching(/^Easy bot: ./),
  );
  expect(actions, game).toBeGreaterThan(3);
  expect(await stateOf(page, 'status'), game).toBe('FINISHED');
  expect(await page.textContent('.verdict'), game).toMatch(/won\./);
}

it('a guest plays every game to the end against a bot, by pointing at the board alone', {
  timeout: 600_000,
}, async () => {
  await Promise.all(games.map(playToTheEnd));
});

describe('on a phone', () => {
  it.each(games)('%s fits, and is played by tapping', async (game) => {
    const page = await web.open('/', PHONE);
    await sitDown(page, game);
    await playByTargets(page, 3);
    const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, screen.width] as const);
    expect(needed).toBeLessThanOrEqual(given);
    const { pixels, words } = await smallestText(page);
    expect(pixels, words).toBeGreaterThan(READABLE);
    await page.waitForSelector('main[data-acting=true], main[data-status=FINISHED]');
    if ((await stateOf(page, 'acting')) === 'true') {
      await page.locator('[data-board] [data-target][data-legal]').first().tap();
      await page.waitForSelector('[data-chosen]');
    }
  });
});

it('a guest takes a seat soon, and is recognised when coming back', async () => {
  const page = await web.open('/');
  const begun = performance.now();
  await sitDown(page, 'cacao', 'Tāne');
  await myTurn(page);
  expect(performance.now() - begun).toBeLessThan(30_000);
  await page.goto('/');
  await page.waitForSelector('.match-row.turn');
  expect(await page.textContent('h1')).toContain('Tāne');
  await page.click('.match-row.turn');
  await myTurn(page);
});

it('a choice is undone by clicking it again, by the button and by Escape', async () => {
  const page = await web.open('/');
  await sitDown(page, 'cacao');
  await myTurn(page);
  const all = await page.locator('[data-actions] button').count();
  const clear = () => page.waitForFunction(() => !document.querySelector('[data-chosen]'));
  const point = async () => {
    await page.locator('[data-target^="cell:"][data-legal]').first().click();
    await page.waitForSelector('[data-chosen]');
    expect(await page.locator('[data-actions] button').count()).toBeLessThan(all);
  };
  await point();
  await page.locator('[data-chosen]').click();
  await clear();
  await point();
  await page.click('[data-back]');
  await clear();
  await point();
  await page.keyboard.press('Escape');
  await clear();
  await expect.poll(() => page.locator('[data-actions] button').count()).toBe(all);
});

it('everything works without a mouse', async () => {
  const page = await web.open('/');
  await page.focus('input[name=name]');
  await page.keyboard.type('Keys');
  await page.focus('[data-play-bots=cacao]');
  await page.keyboard.press('Enter');
  await myTurn(page);
  const version = await stateOf(page, 'version');
  await page.focus('[data-board] [data-legal]');
  for (let i = 0; i < 8 && (await page.locator('[data-confirm]').count()) === 0; i++) {
    await page.keyboard.press('Enter');
    if ((await page.locator('[data-confirm]').count()) > 0) break;
    // The next thing that can be pointed at, by Tab as everywhere.
    for (let tabs = 0; tabs < 40; tabs++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.hasAttribute('data-legal'))) break;
    }
  }
  for (let tabs = 0; tabs < 80; tabs++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.hasAttribute('data-confirm'))) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForFunction((before) => document.querySelector('main')?.dataset.version !== before, version);
  // After a move the focus stays where it was, and does not return to the top of the page.
  expect(await page.evaluate(() => document.activeElement?.closest('.action-bar') !== null)).toBe(true);
});
