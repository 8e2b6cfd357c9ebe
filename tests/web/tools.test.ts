/** Other things that players do at a table: they see clocks, are called, undo, leave standing orders and share positions. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { myTurn, playByTargets, sitDown, site, stateOf } from './browser.ts';

const web = site();

/** Two people at a table with a clock; the one who is to act first. */
async function twoWithClock(): Promise<[Page, Page]> {
  const ann = await web.open('/games/haleakala');
  await ann.fill('input[name=name]', 'Ann');
  await ann.getByLabel('Thinking time').selectOption({ label: '10 minutes and 20 seconds a turn' });
  await ann.click('button:has-text("Open a table for people")');
  const ben = await web.open(await ann.inputValue('.copy-link input'));
  await ben.fill('input[name=name]', 'Ben');
  await ben.click('.waiting button:has-text("Take a seat")');
  return Promise.race([
    myTurn(ann).then((): [Page, Page] => [ann, ben]),
    myTurn(ben).then((): [Page, Page] => [ben, ann]),
  ]);
}

/** Records the ids of pieces that are moved from one place to another. */
const recordMoves = (page: Page) =>
  page.evaluate(() => {
    const kept: string[] = [];
    (window as unknown as { moved: string[] }).moved = kept;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      if (JSON.stringify(frames).includes('translate')) kept.push(this.id);
      return animate.call(this, frames, options);
    };
  });

const moved = (page: Page) => page.evaluate(() => (window as unknown as { moved: string[] }).moved);

it('a clock counts down, the other player is shown as online, a turn is announced, and an action is taken back', async () => {
  const [first, second] = await twoWithClock();
  const clock = () => second.locator('.seats .countdown').textContent();
  const shown = await clock();
  await expect.poll(clock).not.toBe(shown);
  await first.waitForSelector('[data-online]');

  await first.evaluate(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }));
  await expect.poll(() => first.title()).toBe('● Your turn');

  // Moved pieces glide, unless the system asks for less motion.
  await second.emulateMedia({ reducedMotion: 'reduce' });
  await Promise.all([first, second].map(recordMoves));
  await playByTargets(first, 1);
  await second.waitForSelector('.log li:has-text("place disc")');
  await expect.poll(() => moved(first)).toContainEqual(expect.stringMatching(/^p-disc-[AB]\d$/));
  const version = await stateOf(first, 'version');
  await second.waitForSelector(`main[data-version="${version}"]`);
  expect(await moved(second)).toEqual([]);

  await first.click('.tools button:has-text("Undo")');
  await myTurn(first);
  // The disc goes back to its place, and its mark is drawn around that, not around the way there.
  const marks = await first
    .locator('[data-target^="disc:"] > .halo')
    .evaluateAll((all) => all.map((mark) => mark.getBoundingClientRect().height));
  expect(Math.max(...marks)).toBeLessThan(100);
  await second.waitForSelector('.log .undone');
  // A player who comes back has the same seat.
  await first.reload();
  await myTurn(first);
});

it('a standing order is kept and can be withdrawn', async () => {
  const page = await web.open('/');
  await sitDown(page, 'cacao');
  await myTurn(page);
  const orders = page.locator('.orders');
  const open = () => orders.locator('summary').click();
  await open();
  await orders.locator('select, input').first().waitFor();
  const field = orders.locator('select').first();
  await field.selectOption({ index: 1 });
  await orders.getByText('This is done from now on').waitFor();
  const kept = await field.inputValue();
  await page.reload();
  await open();
  await expect.poll(() => field.inputValue()).toBe(kept);
  await orders.getByText('Withdraw it').click();
  await orders.getByText('You are asked each time').waitFor();
});

it('a position can be shared as a link, a picture and a document', async () => {
  const page = await web.open('/');
  await sitDown(page, 'cacao');
  await playByTargets(page, 1);
  await myTurn(page);
  await page.locator('[data-scrubber]').fill('4');
  await expect.poll(() => stateOf(page, 'at')).toBe('4');
  await page.click('.tools button:has-text("Share")');
  const link = await page.inputValue('.tools .copy-link input');
  const there = await web.open(link);
  await there.waitForSelector('main[data-at="4"] [data-board] svg');
  const picture = page.locator('.tools a[download]');
  const answer = await page.request.get((await picture.getAttribute('href')) as string);
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/png']);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('[data-export]')]);
  const parts: Buffer[] = [];
  for await (const part of await saved.createReadStream()) parts.push(part as Buffer);
  const { id } = JSON.parse(Buffer.concat(parts).toString()) as { id: string };
  await expect.poll(() => page.url()).toContain(id);
});

it('a button that is pressed again after a lost answer makes nothing twice', async () => {
  const page = await web.open('/games/haleakala');
  await page.fill('input[name=name]', 'Ann');
  let sent = 0;
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('mutation CreateMatch') || sent++ > 0) return route.continue();
    await route.fetch(); // the server has done it
    return route.abort();
  });
  const button = page.locator('button:has-text("Open a table for people")');
  await button.click();
  await expect.poll(() => sent).toBe(1);
  await page.locator('[role=alert]:has-text("cannot be reached")').first().waitFor();
  await button.click();
  await page.waitForSelector('.waiting');
  const mine = await page.evaluate(async () => (await fetch('/v1/matches?mine=true')).json());
  expect([sent, (mine as { matches: object[] }).matches.length]).toEqual([2, 1]);
  web.forgive(/ERR_FAILED/);
});
