import { expect, it } from 'vitest';
import { playByTargets, sitDown, site } from './browser.ts';

const web = site();

it('a link to a position shows its players and its picture, to whoever may see it', async () => {
  const page = await web.open('/');
  await sitDown(page, 'hashi', 'Tui & <Kea>');
  await playByTargets(page, 1);
  const { pathname } = new URL(page.url());
  const html = await (await fetch(`${web.url}${pathname}?at=4`, { headers: { accept: 'text/html' } })).text();
  const tag = (name: string) => new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1];
  expect(tag('og:title')).toMatch(/^Hashi: Tui &amp; &lt;Kea&gt;, /);
  expect(tag('og:image')).toMatch(/board\.png\?at=4$/);
  const picture = await fetch(tag('og:image') as string);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.readUInt32BE(16)).toBe(1200);
});

it('a link to a private match says nothing of it', async () => {
  const page = await web.open('/games/hashi');
  await page.fill('input[name=name]', 'Secret');
  await page.click('input[type=checkbox]');
  await page.click('[data-play-bots]');
  await page.waitForSelector('[data-board] svg');
  const { pathname } = new URL(page.url());
  const html = await (await fetch(web.url + pathname)).text();
  expect(html).not.toContain('Secret');
  expect(html).toContain('<title>Atoll</title>');
});
