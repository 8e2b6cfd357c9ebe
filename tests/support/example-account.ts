/** A player keeps an account, signs in to it in every way there is, and allows an app: examples for the reference. */
import type { Json } from './api.ts';
import { softAuthenticator } from './authenticator.ts';
import { authorizeUrl, exchange, fieldsOf } from './oauth.ts';
import type { Mailbox } from './smtp.ts';

/** Sends a request to the server, and records it with its answer. */
export type Call = (method: string, path: string, token?: string, request?: unknown, more?: Json) => Promise<Json>;

/** The public address of the server, to which passkeys and sessions belong. */
export const HOME = 'https://atoll.example';
const FROM_HOME = { origin: HOME, 'sec-fetch-site': 'same-origin' };
const ADDRESS = 'dee@example.com';

export interface Account {
  url: string;
  mailbox: Mailbox;
}

export async function accountScenario(call: Call, dee: string, account: Account): Promise<void> {
  const asked = (method: string, path: string, request?: unknown) => call(method, path, dee, request, FROM_HOME);
  const signedOut = (path: string, request: unknown) => call('POST', path, undefined, request, FROM_HOME);
  await keep(asked, account);
  const passkeys = softAuthenticator(HOME);
  const added: unknown[] = [];
  for (const name of ['My laptop', 'My phone']) {
    const { options } = await asked('POST', '/account/passkeys/options', {});
    added.push((await asked('POST', '/account/passkeys', { response: passkeys.create(options), name })).id);
  }
  await asked('PATCH', `/account/passkeys/${added[1]}`, { name: 'My old phone' });
  const { codes } = await asked('POST', '/account/recovery-codes');
  await comeBack(signedOut, passkeys, (codes as string[])[0] as string, account);
  await asked('DELETE', `/account/passkeys/${added[0]}`);
  await asked('DELETE', '/account/email');
  await sessions(call, dee, account);
  await apps(call, dee, account);
}

type Asked = (method: string, path: string, request?: unknown) => Promise<Json>;

/** Makes a request that sends a mail, and returns the code in it. */
async function codeAfter({ mailbox }: Account, sending: () => Promise<Json>): Promise<{ answer: Json; code: string }> {
  const before = mailbox.mails.length;
  const answer = await sending();
  const mail = (await mailbox.until(before + 1)).at(-1);
  return { answer, code: /this code: ([\w-]+)/.exec(mail?.text ?? '')?.[1] as string };
}

async function keep(asked: Asked, account: Account): Promise<void> {
  const { code } = await codeAfter(account, () => asked('PUT', '/me/email', { address: ADDRESS }));
  await asked('POST', '/me/email/confirm', { code });
  await asked('POST', '/account/email', {});
}

async function comeBack(
  signedOut: (path: string, request: unknown) => Promise<Json>,
  passkeys: ReturnType<typeof softAuthenticator>,
  recoveryCode: string,
  account: Account,
): Promise<void> {
  const { options } = await signedOut('/sign-in/passkey/options', {});
  await signedOut('/sign-in/passkey', { response: passkeys.get(options) });
  const { answer, code } = await codeAfter(account, () => signedOut('/sign-in/email', { address: ADDRESS }));
  await signedOut('/sign-in/email/code', { id: answer.id, code });
  await signedOut('/sign-in/recovery-code', { code: recoveryCode });
}

/** The cookie of a new browser session. */
async function cookieOf({ url }: Account, token: string): Promise<string> {
  const headers = { ...FROM_HOME, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/session`, { method: 'POST', headers, body: '{}' });
  return response.headers.get('set-cookie')?.split(';', 1)[0] as string;
}

async function sessions(call: Call, dee: string, account: Account): Promise<void> {
  await call('POST', '/session', dee, {}, FROM_HOME);
  const cookie = await cookieOf(account, dee);
  const browser = { ...FROM_HOME, cookie, 'x-requested-with': 'fetch' };
  await call('GET', '/session', undefined, undefined, browser);
  const { sessions: open } = (await call('GET', '/account', undefined, undefined, browser)) as {
    sessions: { id: string; current: boolean }[];
  };
  await call('DELETE', `/account/sessions/${open.find(({ current }) => !current)?.id}`, undefined, undefined, browser);
  await call('DELETE', '/session', undefined, undefined, browser);
  await call('POST', '/session', dee, {}, FROM_HOME);
  await call('POST', '/account/sign-out', dee, {}, FROM_HOME);
}

async function apps(call: Call, dee: string, account: Account): Promise<void> {
  const { url } = account;
  const headers = { ...FROM_HOME, cookie: await cookieOf(account, dee) };
  const question = await (await fetch(authorizeUrl(url), { headers: { cookie: headers.cookie } })).text();
  const action = /<form method="post" action="([^"]*)"/.exec(question)?.[1] as string;
  const body = new URLSearchParams({ ...fieldsOf(question), decision: 'allow' });
  const allowed = await fetch(url + action, { method: 'POST', redirect: 'manual', headers, body });
  const code = new URL(allowed.headers.get('location') as string).searchParams.get('code') as string;
  await exchange(url, code);
  const { apps: found } = (await call('GET', '/apps', dee)) as { apps: { id: string }[] };
  await call('DELETE', `/apps/${found[0]?.id}`, dee);
}
