/** A person with a browser, and an app that asks for a permission, as an OAuth client library does it. */
import { createHash, randomBytes } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { restCall } from './api-rest.ts';

/** The servers of tests use plain http. */
export const http = { [oauth.allowInsecureRequests]: true };

export interface Page {
  status: number;
  headers: Headers;
  text: string;
  /** The target of a redirect. */
  location: URL | null;
}

export interface Browser {
  playerId: string;
  /** The bearer token of the player. */
  token: string;
  cookie: string;
  get(url: string | URL, headers?: Record<string, string>): Promise<Page>;
  post(
    url: string | URL,
    form: Record<string, string> | URLSearchParams,
    headers?: Record<string, string>,
  ): Promise<Page>;
  /** Submits the form of a page with one of its buttons. */
  press(page: Page, decision: 'allow' | 'deny', changes?: Record<string, string>): Promise<Page>;
}

async function pageOf(response: Response): Promise<Page> {
  const location = response.headers.get('location');
  const { status, headers } = response;
  return { status, headers, text: await response.text(), location: location === null ? null : new URL(location) };
}

const UNESCAPED: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescaped = (text: string) => text.replace(/&[a-z#0-9]+;/g, (entity) => UNESCAPED[entity] as string);

export const fieldsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
      name as string,
      unescaped(value as string),
    ]),
  );

/** A new player who is signed in by a browser session. */
export async function newBrowser(server: string, name: string): Promise<Browser> {
  const { player, token } = (await restCall([server])('POST', '/players', { name })) as {
    player: { id: string };
    token: string;
  };
  const session = await fetch(`${server}/v1/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!session.ok) throw new Error(await session.text());
  const cookie = session.headers.get('set-cookie')?.split(';', 1)[0] as string;
  const browser: Browser = {
    playerId: player.id,
    token,
    cookie,
    get: async (url, headers = {}) => pageOf(await fetch(url, { redirect: 'manual', headers: { cookie, ...headers } })),
    post: async (url, form, headers = {}) => {
      const own = { cookie, origin: server, 'sec-fetch-site': 'same-origin' };
      const body = new URLSearchParams(form);
      return pageOf(await fetch(url, { method: 'POST', redirect: 'manual', headers: { ...own, ...headers }, body }));
    },
    press: (page, decision, changes = {}) => {
      if (page.status !== 200) throw new Error(`${page.status}: ${page.text}`);
      const action = /<form method="post" action="([^"]*)"/.exec(page.text)?.[1] as string;
      return browser.post(server + action, { ...fieldsOf(page.text), decision, ...changes });
    },
  };
  return browser;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The address that an app sends a browser to; changes with undefined leave a parameter out. */
export function authorizeUrl(server: string, changes: Record<string, string | undefined> = {}): URL {
  const url = new URL(`${server}/oauth/authorize`);
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: 'https://app.example/',
    redirect_uri: 'https://app.example/callback',
    scope: 'read play',
    state: 'xyz',
    code_challenge: sha256(VERIFIER),
    code_challenge_method: 'S256',
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

export const VERIFIER = randomBytes(32).toString('base64url');

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A request to one of the endpoints that apps call. */
export async function endpoint(url: string, form: Record<string, string> | URLSearchParams): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** A code that the player allowed an app to have. */
export async function allowedCode(server: string, browser: Browser, changes = {}): Promise<string> {
  const { location } = await browser.press(await browser.get(authorizeUrl(server, changes)), 'allow');
  return location?.searchParams.get('code') as string;
}

export const exchange = (server: string, code: string, changes: Record<string, string> = {}): Promise<Answer> =>
  endpoint(`${server}/oauth/token`, {
    grant_type: 'authorization_code',
    client_id: 'https://app.example/',
    redirect_uri: 'https://app.example/callback',
    code,
    code_verifier: VERIFIER,
    ...changes,
  });

export const refresh = (server: string, token: unknown, changes: Record<string, string> = {}): Promise<Answer> =>
  endpoint(`${server}/oauth/token`, {
    grant_type: 'refresh_token',
    client_id: 'https://app.example/',
    refresh_token: String(token),
    ...changes,
  });

/** How the API answers a request with this access token. */
export async function me(server: string, token: unknown): Promise<number> {
  return (await fetch(`${server}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;
}
