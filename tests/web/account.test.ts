/** Keeping an account and coming back to it, through the real pages: a virtual authenticator and a real SMTP server. */
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mailbox, type ReceivedMail, startSmtp } from '../support/smtp.ts';
import { sitDown, site } from './browser.ts';

const env: Record<string, string> = {};
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startSmtp();
  Object.assign(env, { SMTP_URL: mailbox.url, MAIL_FROM: 'atoll@example.org', PUBLIC_URL: 'https://atoll.example' });
});
const web = site({ host: 'localhost', env });
afterAll(() => mailbox[Symbol.asyncDispose]());

/** A device that confirms every request. */
async function authenticator(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id };
}

/** The same person on another device: a phone that shares its passkeys, say. */
async function carryOver(from: { cdp: CDPSession; id: string }, to: { cdp: CDPSession; id: string }): Promise<void> {
  const { credentials } = await from.cdp.send('WebAuthn.getCredentials', { authenticatorId: from.id });
  expect(credentials).toHaveLength(1);
  for (const credential of credentials) {
    await to.cdp.send('WebAuthn.addCredential', { authenticatorId: to.id, credential });
  }
}

async function guest(name: string): Promise<Page> {
  const page = await web.open('/account');
  await page.fill('input[name=name]', name);
  await page.click('button:has-text("Play as a guest")');
  await page.waitForSelector(`.who:has-text("${name}")`);
  return page;
}

const isKept = (page: Page) => page.waitForSelector('[data-ways-in]');
const who = (page: Page, name: string) => page.waitForSelector(`.who:has-text("${name}")`);
const codeIn = ({ text }: ReceivedMail) => /this code: ([\w-]+)/.exec(text)?.[1] as string;

describe('a guest', () => {
  it('has a session that no script can read, and the page stores no token', async () => {
    const page = await web.open('/');
    await sitDown(page, 'cacao', 'Kai');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'atoll_session', httpOnly: true, sameSite: 'Lax', path: '/' });
    const seen = await page.evaluate(() => document.cookie + JSON.stringify(localStorage));
    expect(seen).not.toContain(cookie?.value);
    expect(seen).not.toContain('atoll_');
    await page.goto('/');
    await page.waitForSelector('[data-keep] a[href="/account"]'); // the page suggests keeping the account
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await who(page, 'Kai'); // the cookie alone identifies the player
  });

  it('from before there were sessions exchanges its stored token for one, once', async () => {
    const { token, player } = (await (
      await fetch(`${web.url}/v1/players`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Oldie' }),
      })
    ).json()) as { token: string; player: { id: string } };
    const page = await web.open('/developers');
    await page.evaluate(
      (stored) => localStorage.setItem('atoll.session', stored),
      JSON.stringify({ id: player.id, name: 'Oldie', token }),
    );
    await page.goto('/');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('atoll.session'))).not.toContain('token');
    await page.reload();
    await who(page, 'Oldie');
    await page.waitForSelector('h1:has-text("Welcome back")');
    const me = await fetch(`${web.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(me.status).toBe(200); // the token stays valid, because the token stays valid, because it may be written down somewhere
  });
});

describe('a passkey', () => {
  it('keeps the account, and signs in on another device, where all other sessions can be ended', async () => {
    const laptop = await guest('Leilani');
    const first = await authenticator(laptop);
    await laptop.goto('/account');
    await laptop.click('[data-do=keep-passkey]');
    await isKept(laptop);
    await expect.poll(() => laptop.locator('[data-passkeys] li').count()).toBe(1);

    const phone = await web.open('/');
    await carryOver(first, await authenticator(phone));
    await phone.click('main a[href="/account"]');
    await phone.click('[data-do=sign-in-passkey]');
    await who(phone, 'Leilani');
    await phone.goto('/account');
    await isKept(phone);
    await expect.poll(() => phone.locator('[data-sessions] li').count()).toBe(2);

    await phone.click('[data-passkeys] button:has-text("Rename")');
    await phone.fill('input[name=passkey-name]', 'My phone');
    await phone.click('[data-passkeys] form button[type=submit]');
    await phone.waitForSelector('[data-passkeys] li:has-text("My phone")');
    await phone.click('[data-passkeys] button:has-text("Remove")');
    await phone.waitForSelector('.notice:has-text("last way to sign in")');

    await phone.click('[data-do=recovery-codes]');
    await phone.waitForSelector('[data-codes]');
    const codes = await phone.locator('[data-codes] code').allTextContents();
    expect(codes).toHaveLength(10);

    await phone.click('[data-do=sign-out-everywhere]');
    await phone.click('[data-do=sign-out-sure]');
    await phone.waitForSelector('h1:has-text("Sit down and play")');
    await laptop.reload();
    await laptop.waitForSelector('.banner:has-text("This device is signed out")');

    const borrowed = await web.open('/account');
    await borrowed.click('summary:has-text("Lost your device")');
    await borrowed.fill('input[name=recovery-code]', codes[3] as string);
    await borrowed.click('details form:has(input[name=recovery-code]) button');
    await who(borrowed, 'Leilani');
    await borrowed.waitForSelector('text=You have 9 left');
    web.forgive(/40[13]|WebSocket/);
  });

  it('asks for another name if the guest’s name is taken', async () => {
    const [one, two] = [await guest('Nalu'), await guest('Nalu')];
    for (const page of [one, two]) {
      await authenticator(page);
      await page.goto('/account');
      await page.click('[data-do=keep-passkey]');
      if (page === one) await isKept(page);
    }
    await two.fill('input[name=player-name]', 'Nalu the second');
    await two.click('form:has(input[name=player-name]) button');
    await two.click('[data-do=keep-passkey]');
    await isKept(two);
    await who(two, 'Nalu the second');
  });

  it('that this server does not know is reported as that, and as nothing else', async () => {
    const page = await guest('Pua');
    const device = await authenticator(page);
    await page.goto('/account');
    await page.click('[data-do=keep-passkey]');
    await isKept(page);
    const other = await web.open('/account');
    await carryOver(device, await authenticator(other));
    await page.evaluate(() =>
      fetch('/v1/me', { method: 'DELETE', headers: { 'x-requested-with': 'test' } }).then(({ status }) => status),
    );
    await other.click('[data-do=sign-in-passkey]');
    await other.waitForSelector('.notice:has-text("belongs to no account here")');
    web.forgive(/401|WebSocket/);
  });
});

it('a mail keeps the account, and signs in elsewhere by code and by link', async () => {
  const page = await guest('Hoku');
  await page.goto('/account');
  await page.fill('input[name=keep-address]', 'hoku@example.com');
  await page.click('form:has(input[name=keep-address]) button');
  await page.fill('input[name=email-code]', codeIn((await mailbox.until(1)).at(-1) as ReceivedMail));
  await page.click('form:has(input[name=email-code]) button');
  await isKept(page);
  await page.waitForSelector('text=A mail to hoku@example.com lets you in');

  const phone = await web.open('/account');
  const askFor = async (address: string) => {
    await phone.fill('input[name=address]', address);
    await phone.click('form:has(input[name=address]) button');
    await phone.waitForSelector(`text=If ${address} belongs to an account`);
  };
  await askFor('nobody@example.com'); // the answer is the same as for a known address
  await phone.click('button:has-text("Another address")');
  await askFor('hoku@example.com');
  const mail = (await mailbox.until(2)).at(-1) as ReceivedMail;
  expect(mail.to).toEqual(['hoku@example.com']);
  await phone.fill('input[name=code]', 'WRONG-CODE');
  await phone.click('form:has(input[name=code]) button');
  await phone.waitForSelector('.notice:has-text("This code or link is wrong")');
  await phone.fill('input[name=code]', codeIn(mail));
  await phone.click('form:has(input[name=code]) button');
  await who(phone, 'Hoku');

  const tablet = await web.open('/account');
  await tablet.fill('input[name=address]', 'HOKU@example.com');
  await tablet.click('form:has(input[name=address]) button');
  const link = /https:\/\/atoll\.example(\/account#sign-in=\S+)/.exec(
    ((await mailbox.until(3)).at(-1) as ReceivedMail).text,
  );
  const opened = await web.open(link?.[1] as string);
  await opened.click('[data-do=sign-in-link]');
  await who(opened, 'Hoku');
  await expect.poll(() => opened.url()).not.toContain('sign-in=');
  web.forgive(/401/);
});
