/** What a stranger who writes a client tries first: the developers' page, GraphiQL from top to bottom, the reference. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STATUS } from '../../src/errors.ts';
import { PHONE, site } from './browser.ts';

const web = site();

describe('the developers page', () => {
  it('makes a token that works, and shows every error', async () => {
    const page = await web.open('/developers');
    await page.click('[data-make-token]');
    const token = await page.inputValue('.copy-link input');
    const me = await fetch(`${web.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await me.json()).toMatchObject({ name: 'Developer' });
    const start = await page.textContent('#start pre');
    expect(start).toContain(token);
    expect(start).toContain(`${web.url}/v1/matches`);
    await page.waitForSelector('#errors dt');
    expect(await page.locator('#errors dt code').allTextContents()).toEqual(Object.keys(STATUS));
    for (const [section, text] of [
      ['limits', 'RATE_LIMITED'],
      ['webhooks', 'webhook-id'],
      ['agents', `${web.url}/mcp`],
      ['changelog', 'Unreleased'],
    ])
      await expect.poll(() => page.textContent(`#${section}`)).toContain(text);
    expect(await page.locator('.doc a[href$=".md"]').count()).toBe(0);
  });
});

/** Runs one of the operations of the document, and answers with what GraphiQL shows of it. */
async function run(page: Page, operation: string): Promise<string> {
  await page.click('.graphiql-execute-button');
  await page.click(`[role=menuitem]:has-text("${operation}")`);
  const shown = () => page.locator('.result-window .CodeMirror-code').innerText();
  await expect.poll(shown).toContain('"data"');
  return shown();
}

const clear = (page: Page) =>
  page.evaluate(() => {
    const editor = document.querySelector('.result-window .CodeMirror') as unknown as {
      CodeMirror: { setValue(text: string): void };
    };
    editor.CodeMirror.setValue('');
  });

describe('GraphiQL', () => {
  it('has examples that work from top to bottom, and keeps the headers', async () => {
    const page = await web.open('/graphiql');
    await page.waitForSelector('.graphiql-execute-button');
    expect(await run(page, 'Games')).toContain('cacao');
    await clear(page);
    expect(await run(page, 'Register')).toContain('atoll_');
    await clear(page);
    expect(await run(page, 'Create')).toContain('ACTIVE');
    for (let legal = ''; !legal.includes('"label"'); ) {
      await clear(page);
      legal = await run(page, 'Look');
    }
    await clear(page);
    expect(await run(page, 'Act')).toContain('"event"');
    await clear(page);
    expect(await run(page, 'Watch')).toContain('"matchEvents"');
    await page.click('.graphiql-execute-button');
    await page.reload();
    await page.waitForSelector('.graphiql-execute-button');
    const kept = () => page.evaluate(() => JSON.stringify(localStorage));
    await expect.poll(kept).toContain('Bearer atoll_');
    // On a phone, query and answer each have the whole width.
    await page.setViewportSize(PHONE.viewport);
    for (const part of ['.graphiql-query-editor', '.graphiql-response'])
      expect((await page.locator(part).boundingBox())?.width, part).toBeGreaterThan(320);
  });
});

describe('the reference', () => {
  it('fits a phone, is dark if that is, is allowed to act as any app is, and shows a picture as a picture', async () => {
    const page = await web.open('/account', { ...PHONE, colorScheme: 'dark' });
    await page.fill('input[name=name]', 'Tui');
    await page.click('button:has-text("Play as a guest")');
    await page.waitForSelector('h1:has-text("Tui")');
    await page.goto('/docs');
    const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, screen.width] as const);
    const block = page.locator('.opblock', { hasText: '/board.svg' }).first();
    await block.waitFor();
    await expect.poll(widths).toEqual([390, 390]);
    const padlocks = (path: string) =>
      page
        .locator('.opblock', { has: page.locator(`[data-path="${path}"]`) })
        .first()
        .locator('.authorization__btn')
        .count();
    expect(await padlocks('/v1/players')).toBe(0);
    expect(await padlocks('/v1/tokens')).toBe(1);
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(await background()).toBe('rgb(28, 32, 34)');
    await page.click('.auth-wrapper .authorize');
    const app = page.locator('.auth-container', { hasText: 'authorizationCode' });
    const asked = page.waitForEvent('popup');
    await app.locator('button.authorize').click();
    const consent = await asked;
    await Promise.all([consent.waitForEvent('close'), consent.click('button[value=allow]')]);
    await app.locator('button:has-text("Logout")').waitFor();
    await page.click('.btn-done');
    const post = (path: string, body: object, token?: string) =>
      fetch(web.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      }).then((response) => response.json() as Promise<Record<string, string>>);
    const { token } = await post('/v1/players', { name: 'Tui' });
    const { id } = await post('/v1/matches', { game: 'cacao', seats: 2, bots: ['EASY'] }, token);
    await block.locator('.opblock-summary').click();
    await block.locator('tr[data-param-name=id] input').fill(id as string);
    const request = page.waitForRequest('**/board.svg*');
    await block.locator('.execute').click();
    expect((await request).headers().authorization).toMatch(/^Bearer atoll_/);
    const picture = block.locator('img.answered-picture');
    await picture.waitFor();
    expect(
      await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
    ).toBeGreaterThan(100);
    await expect.poll(widths).toEqual([390, 390]);
  });
});
