/** Attacks by somebody who wants the permission of a player without being given it. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import {
  allowedCode,
  authorizeUrl,
  type Browser,
  endpoint,
  exchange,
  fieldsOf,
  me,
  newBrowser,
  refresh,
  sha256,
  VERIFIER,
} from '../support/oauth.ts';

let database: FreshDatabase;
let server: Instance;
let url: string;
let ann: Browser;
let ben: Browser;

beforeAll(async () => {
  database = await freshDatabase();
  server = await startInstance(database.url);
  ({ url } = server);
  [ann, ben] = [await newBrowser(url, 'Ann'), await newBrowser(url, 'Ben')];
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
const tokens = async (scope = 'read'): Promise<Record<string, unknown>> =>
  (await exchange(url, await allowedCode(url, ann, { scope }))).body;

describe('a code', () => {
  it('that is used twice ends the permission', async () => {
    const code = await allowedCode(url, ann);
    const { body } = await exchange(url, code);
    expect(await me(url, body.access_token)).toBe(200);
    expect(await exchange(url, code)).toMatchObject(invalidGrant);
    expect(await me(url, body.access_token)).toBe(401);
    expect(await refresh(url, body.refresh_token)).toMatchObject(invalidGrant);
  });

  it('that is used twice at once leaves nobody with a token', async () => {
    const code = await allowedCode(url, ann);
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(url, code)));
    for (const { body } of answers.filter(({ status }) => status === 200))
      expect(await refresh(url, body.refresh_token)).toMatchObject(invalidGrant);
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(3);
  });

  it('is refused without its verifier, and is invalid after one wrong verifier', async () => {
    for (const wrong of [sha256('another verifier'), sha256(VERIFIER), 'x'.repeat(43)]) {
      const code = await allowedCode(url, ann);
      expect(await exchange(url, code, { code_verifier: wrong })).toMatchObject(invalidGrant);
      expect(await exchange(url, code)).toMatchObject(invalidGrant);
    }
    const code = await allowedCode(url, ann);
    const form = { grant_type: 'authorization_code', client_id: 'https://app.example/', code };
    expect(await endpoint(`${url}/oauth/token`, form)).toMatchObject({ status: 400 });
    expect(await exchange(url, code)).toMatchObject(invalidGrant);
  });

  it('works only for its app and its redirect address', async () => {
    const other = { client_id: 'https://other.example/' };
    expect(await exchange(url, await allowedCode(url, ann), other)).toMatchObject(invalidGrant);
    const elsewhere = { redirect_uri: 'https://app.example/callback2' };
    expect(await exchange(url, await allowedCode(url, ann), elsewhere)).toMatchObject({ status: 400 });
  });

  it('may be exchanged without the redirect address, as OAuth 2.1 allows', async () => {
    const code = await allowedCode(url, ann);
    const form = { grant_type: 'authorization_code', client_id: 'https://app.example/', code, code_verifier: VERIFIER };
    expect(await endpoint(`${url}/oauth/token`, form)).toMatchObject({ status: 200 });
  });

  it('ends after a minute', async () => {
    const code = await allowedCode(url, ann);
    await expire();
    expect(await exchange(url, code)).toMatchObject(invalidGrant);
  });
});

/** Makes every unused code expire. */
async function expire(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`UPDATE app_grants SET code_expires_at = now() - interval '1 second' WHERE code_used_at IS NULL`);
  await client.end();
}

describe('a refresh token', () => {
  it('that is used twice ends the permission with all tokens that came from it', async () => {
    const first = await tokens();
    const second = (await refresh(url, first.refresh_token)).body;
    const third = (await refresh(url, second.refresh_token)).body;
    expect(await me(url, third.access_token)).toBe(200);
    expect(await refresh(url, first.refresh_token)).toMatchObject(invalidGrant);
    expect(await me(url, third.access_token)).toBe(401);
    expect(await refresh(url, third.refresh_token)).toMatchObject(invalidGrant);
  });

  it('gives no more scopes than were allowed, and works for one app only', async () => {
    const { refresh_token: token } = await tokens('read play');
    expect(await refresh(url, token, { client_id: 'other' })).toMatchObject(invalidGrant);
    const fewer = await refresh(url, token, { scope: 'read' });
    expect(fewer.body).toMatchObject({ scope: 'read' });
    const more = await refresh(url, fewer.body.refresh_token, { scope: 'read play account' });
    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  });

  it('is no bearer token, and an access token is no refresh token', async () => {
    const { access_token: access, refresh_token: token } = await tokens();
    expect(await me(url, token)).toBe(401);
    expect(await refresh(url, access)).toMatchObject(invalidGrant);
  });
});

describe('an app that asks wrongly', () => {
  const refusedHere: [string, Record<string, string | undefined>][] = [
    ['no address', { redirect_uri: undefined }],
    ['a relative address', { redirect_uri: '/callback' }],
    ['plain http', { redirect_uri: 'http://app.example/callback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)//app.example' }],
    ['data', { redirect_uri: 'data:text/html,app.example' }],
    ['a scheme without a dot', { redirect_uri: 'myapp://callback', client_id: 'My app' }],
    ['a fragment', { redirect_uri: 'https://app.example/callback#x' }],
    ['an empty fragment', { redirect_uri: 'https://app.example/callback#' }],
    ['a user name', { redirect_uri: 'https://app.example@evil.example/callback' }],
    ['a user name and the right host', { redirect_uri: 'https://x:y@app.example/callback' }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['a sub-domain', { redirect_uri: 'https://evil.app.example/callback' }],
    ['a host that begins alike', { redirect_uri: 'https://app.example.evil.example/callback' }],
    ['another port', { redirect_uri: 'https://app.example:8443/callback' }],
    ['a path that climbs', { redirect_uri: 'https://app.example/a/../callback' }],
    ['a path that climbs in secret', { redirect_uri: 'https://app.example/a/%2e%2e/callback' }],
    ['a backslash', { redirect_uri: 'https://app.example\\@evil.example/' }],
    ['a line break', { redirect_uri: 'https://app.example/call\nback' }],
    ['a host that only looks like loopback', { redirect_uri: 'http://127.0.0.1.evil.example/' }],
    ['a number for loopback', { redirect_uri: 'http://2130706433/' }],
    ['an answer in the address', { redirect_uri: 'https://app.example/callback?code=mine' }],
    ['no name', { client_id: '' }],
    ['a name that cannot be printed', { client_id: 'a\u202eb' }],
    ['a state of line breaks', { state: 'a\r\nb' }],
  ];

  it.each(refusedHere)('with %s: nobody is sent anywhere', async (_, changes) => {
    const page = await ann.get(authorizeUrl(url, changes));
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.text).not.toMatch(/<form|href="(?!\/)/);
    const form = Object.fromEntries(authorizeUrl(url, changes).searchParams);
    const posted = await ann.post(`${url}/oauth/authorize`, { ...form, decision: 'allow' });
    expect([posted.status, posted.location]).toEqual([400, null]);
  });

  it.each([
    ['another answer than a code', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['the plain method', { code_challenge: VERIFIER, code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['an unknown scope', { scope: 'read everything' }, 'invalid_scope'],
    ['no scope at all', { scope: ' ' }, 'invalid_scope'],
  ])('with %s: the way back is a link, and no redirect', async (_, changes, error) => {
    const page = await ann.get(authorizeUrl(url, changes));
    expect([page.status, page.location]).toEqual([400, null]);
    const link = /href="(https:[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') as string;
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({ error, state: 'xyz', iss: url });
  });

  it.each(['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge'])('twice (%s)', async (name) => {
    const twice = authorizeUrl(url);
    twice.searchParams.append(name, 'https://evil.example/');
    expect(await ann.get(twice)).toMatchObject({ status: 400, location: null });
    const form = new URLSearchParams({ ...fieldsOf((await ann.get(authorizeUrl(url))).text), decision: 'allow' });
    form.append(name, 'https://evil.example/');
    expect(await ann.post(`${url}/oauth/authorize`, form)).toMatchObject({ status: 400, location: null });
  });

  it.each([
    ['any port of the own machine', { redirect_uri: 'http://127.0.0.1:49152/callback' }],
    ['the own machine by IPv6', { redirect_uri: 'http://[::1]:8080/' }],
    ['the own machine by name', { redirect_uri: 'http://localhost:3000/x', client_id: 'My app' }],
    ['a scheme of its own', { redirect_uri: 'com.example.app:/callback', client_id: 'com.example.app' }],
    ['a query of its own', { redirect_uri: 'https://app.example/callback?tenant=a%20b' }],
    ['a mere name', { client_id: 'My app', redirect_uri: 'https://anything.example/' }],
  ])('is not one that has %s', async (_, changes) => {
    const page = await ann.get(authorizeUrl(url, changes));
    const { status, headers } = await ann.press(page, 'allow');
    expect(status).toBe(303);
    const joint = changes.redirect_uri.includes('?') ? '&' : '?';
    expect(headers.get('location')).toMatch(
      new RegExp(`^${changes.redirect_uri.replace(/[[\]?.]/g, '\\$&')}\\${joint}code=`),
    );
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain(`form-action 'self' ${changes.redirect_uri.split(/(?<=\w)\/|:\/(?!\/)/)[0]}`);
  });
});

describe('the form of the consent page', () => {
  it('cannot be framed, cached, or carry a script', async () => {
    const { headers, text } = await ann.get(authorizeUrl(url, { client_id: '<b onload=x>"\'' }));
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('&lt;b onload=x&gt;&quot;&#39;');
    expect(text).not.toContain('<b onload');
  });

  it('says who, what and for how long', async () => {
    const { text } = await ann.get(authorizeUrl(url, { scope: 'read account' }));
    for (const words of ['app.example', 'Ann #', 'See your matches', 'take your account from you', '60 days'])
      expect(text).toContain(words);
    expect(text).not.toContain('Play for you');
  });

  it('is accepted only as our page made it, from the player who was shown it', async () => {
    const page = await ann.get(authorizeUrl(url));
    const fields = { ...fieldsOf(page.text), decision: 'allow' };
    const send = (form: Record<string, string>, headers = {}, browser = ann) =>
      browser.post(`${url}/oauth/authorize`, form, headers);
    const { form_key: _, ...without } = fields as Record<string, string>;
    const refused = { status: 403, location: null };
    expect(await send(without)).toMatchObject(refused);
    expect(await send({ ...fields, form_key: '' })).toMatchObject(refused);
    expect(await send({ ...fields, scope: 'read play account' })).toMatchObject(refused);
    expect(await send({ ...fields, code_challenge: sha256('mine') })).toMatchObject(refused);
    expect(await send(fields, {}, ben)).toMatchObject(refused);
    expect(await send(fields, { cookie: '' })).toMatchObject(refused);
    expect(await send(fields, { origin: 'https://evil.example' })).toMatchObject(refused);
    expect(await send(fields, { origin: 'null' })).toMatchObject(refused);
    expect(await send(fields, { 'sec-fetch-site': 'cross-site' })).toMatchObject(refused);
    const bearer = { cookie: '', authorization: `Bearer ${ann.token}` };
    expect(await send(fields, bearer)).toMatchObject(refused); // an app's own token must not allow another app
    expect(await send(fields)).toMatchObject({ status: 303 });
  });

  it('tells the app that the player said no', async () => {
    const { location } = await ann.press(await ann.get(authorizeUrl(url)), 'deny');
    expect(Object.fromEntries((location as URL).searchParams)).toEqual({
      error: 'access_denied',
      state: 'xyz',
      iss: url,
    });
  });

  it('is not shown to anybody who is not signed in', async () => {
    const page = await ann.get(authorizeUrl(url), { cookie: '' });
    expect(page.status).toBe(401);
    expect(page.text).not.toContain('<form');
    // The way to sign in leads back here, with everything that was asked for.
    const link = /href="(\/account\?[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') as string;
    const { pathname, search } = authorizeUrl(url);
    expect(new URL(link, url).searchParams.get('return')).toBe(pathname + search);
    for (const path of [pathname + search, '/oauth/device']) {
      const lan = await server.app.inject({ url: path, headers: { host: '192.168.1.7:4000' } });
      expect([lan.statusCode, lan.body.includes('begins with https')]).toEqual([403, true]);
    }
  });
});

describe('the endpoints', () => {
  it('refuse requests that are no forms, repeated parameters, and clients with a secret', async () => {
    const json = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"grant_type":"refresh_token"}',
    });
    expect([json.status, await json.json()]).toMatchObject([415, { error: 'invalid_request' }]);
    const twice = new URLSearchParams([
      ['grant_type', 'refresh_token'],
      ['client_id', 'a'],
      ['client_id', 'b'],
    ]);
    const invalidRequest = { status: 400, body: { error: 'invalid_request' } };
    expect(await endpoint(`${url}/oauth/token`, twice)).toMatchObject(invalidRequest);
    expect(await endpoint(`${url}/oauth/token`, {})).toMatchObject({ status: 400 });
    const password = { grant_type: 'password', client_id: 'a', username: 'Ann', password: 'x' };
    expect(await endpoint(`${url}/oauth/token`, password)).toMatchObject({ status: 400 });
    const secret = { grant_type: 'refresh_token', client_id: 'a', client_secret: 'b', refresh_token: 'c' };
    expect((await endpoint(`${url}/oauth/token`, secret)).body).toMatchObject({ error: 'invalid_client' });
    expect(await endpoint(`${url}/oauth/revoke`, {})).toMatchObject(invalidRequest);
    expect(await endpoint(`${url}/oauth/revoke`, { token: 'never was one' })).toMatchObject({ status: 200 });
    expect(await endpoint(`${url}/oauth/device`, { client_id: 'a', scope: 'all' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
  });

  it('refuse long forms, because thousands of fields would delay everybody', async () => {
    const form = (fields: number) =>
      new URLSearchParams(Object.fromEntries(Array.from({ length: fields }, (_, i) => [`a${i}`, '1'])));
    const long = form(5000);
    for (const path of ['token', 'revoke', 'device'])
      expect(await endpoint(`${url}/oauth/${path}`, long)).toMatchObject({
        status: 413,
        body: { error: 'invalid_request' },
      });
    expect((await ann.post(`${url}/oauth/authorize`, long)).status).toBe(413);
    expect(await endpoint(`${url}/oauth/token`, form(1500))).toMatchObject({ status: 400 });
  });

  it('revoke a token only for the app that it belongs to', async () => {
    const { access_token: token } = await tokens();
    const revoke = (client_id: string) => endpoint(`${url}/oauth/revoke`, { token: String(token), client_id });
    expect(await revoke('other')).toMatchObject(invalidGrant);
    expect(await me(url, token)).toBe(200);
    expect(await revoke('https://app.example/')).toMatchObject({ status: 200 });
    expect(await me(url, token)).toBe(401);
  });
});

it('limit how often device codes are tried, and require a sign-in', async () => {
  const eve = await newBrowser(url, 'Eve');
  const attempt = (n: number) => eve.get(`${url}/oauth/device?user_code=BBBBBBB${'BCDFGHJKLMNP'[n]}`);
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) statuses.push((await attempt(n)).status);
  expect(statuses).toEqual([...Array(10).fill(404), 429, 429]);
  expect((await eve.get(`${url}/oauth/device?user_code=BBBBBBBB`, { cookie: '' })).status).toBe(401);
});
