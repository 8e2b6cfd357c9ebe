/** Browser sessions: what the cookie is, whom it lets in, and that no other site can use it. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { homeOf } from '../../src/api/http/callers/browser.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { deviceOf, openSessions } from '../../src/players/sign-in/sessions.ts';
import { type FreshDatabase, freshDatabase, poolFor } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';

type Headers = Record<string, string>;

const PUBLIC = 'https://atoll.example';

let database: FreshDatabase;
let pool: pg.Pool;
let server: Instance;
let second: Instance;

beforeAll(async () => {
  database = await freshDatabase();
  pool = poolFor(database);
  const options = { env: { PUBLIC_URL: PUBLIC, TRUST_PROXY: 'loopback' }, parts: { recheckMs: 50 } };
  server = await startInstance(database.url, options);
  second = await startInstance(database.url, options);
});
afterAll(async () => {
  await server.stop();
  await second.stop();
  await pool.end();
  await database.drop();
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
  cookie: string;
  headers: globalThis.Headers;
}

async function call(method: string, path: string, headers: Headers = {}, body?: unknown, at = server): Promise<Answer> {
  const response = await fetch(at.url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    cookie: response.headers.get('set-cookie') ?? '',
    headers: response.headers,
  };
}

async function guest(name = 'Ann'): Promise<{ id: string; token: string }> {
  const { body } = await call('POST', '/v1/players', {}, { name });
  return { id: (body.player as { id: string }).id, token: body.token as string };
}

const pairOf = ({ cookie }: Answer) => cookie.split(';', 1)[0] as string;
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
/** The headers that a browser adds to requests of our own page. */
const own = (): Headers => ({ origin: server.url, 'sec-fetch-site': 'same-origin' });

async function signedIn(): Promise<{ id: string; token: string; cookie: string }> {
  const player = await guest();
  const answer = await call('POST', '/v1/session', { ...bearer(player.token), ...own() }, {});
  expect(answer).toMatchObject({ status: 201, body: { player: { id: player.id }, token: null } });
  return { ...player, cookie: pairOf(answer) };
}

describe('the cookie', () => {
  it('cannot be read by scripts or sent by other sites, and over https belongs to this host alone', async () => {
    const { token } = await guest();
    const local = await call('POST', '/v1/session', bearer(token), {});
    expect(local.cookie).toMatch(/^atoll_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/);
    const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'atoll.example' };
    const secure = await call('POST', '/v1/session', { ...bearer(token), ...https }, {});
    expect(secure.cookie).toMatch(
      /^__Host-atoll_session=[\w-]{43}; Secure; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/,
    );
    // A cookie with the plain name could have been set by another host of the same domain.
    const planted = { cookie: pairOf(local), ...https };
    expect((await call('GET', '/v1/session', planted)).body).toEqual({ player: null, kept: false, mail: false });
    const stored = await pool.query('SELECT encode(hash, $1) AS hash FROM sessions', ['base64']);
    expect(JSON.stringify(stored.rows)).not.toContain(pairOf(local).slice(-20));
  });

  it('is set on this machine, even if PUBLIC_URL names it', () => {
    const asked = (origin: string) => ({ protocol: 'http' as const, host: 'localhost:4000', headers: { origin } });
    const here = 'http://localhost:4000';
    expect(homeOf(asked(here), here)).toEqual({ origin: here, secure: false });
    expect(homeOf(asked('http://atoll.example'), 'http://atoll.example')).toBeNull();
  });

  it('is not set by plain http over a network, where anybody could read it', async () => {
    const lan = await startInstance(database.url, { env: { TRUST_PROXY: 'loopback' } });
    const { token } = await guest();
    const over = (proto: string) => ({
      ...bearer(token),
      'x-forwarded-proto': proto,
      'x-forwarded-host': '192.168.1.7:4000',
    });
    expect(await call('POST', '/v1/session', over('http'), {}, lan)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
      cookie: '',
    });
    expect((await call('POST', '/v1/session', over('https'), {}, lan)).cookie).toContain('__Host-');
    await lan.stop();
  });

  it('identifies its browser on every server and both faces, and is stored by no cache', async () => {
    const { id, cookie } = await signedIn();
    const rest = await call('GET', '/v1/me', { cookie }, undefined, second);
    expect(rest).toMatchObject({ status: 200, body: { id } });
    expect(rest.headers.get('cache-control')).toBe('private, no-store');
    expect(rest.headers.get('vary')).toContain('cookie');
    const query = { query: '{ me { id } account { sessions { current device } } }' };
    expect((await call('POST', '/graphql', { cookie, ...own() }, query)).body).toMatchObject({
      data: { me: { id }, account: { sessions: [{ current: true, device: 'A browser' }] } },
    });
    const made = await call('POST', '/v1/matches', { cookie, ...own() }, { game: 'highest', seats: 2 });
    expect(made.status).toBe(201);
  });

  it('is ignored if there is a token, and a token needs no origin', async () => {
    const { cookie } = await signedIn();
    const ben = await guest('Ben');
    const both = { cookie, ...bearer(ben.token), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await call('GET', '/v1/me', both)).body).toMatchObject({ id: ben.id });
    expect((await call('POST', '/v1/matches', both, { game: 'highest', seats: 2 })).status).toBe(201);
  });

  it('is replaced at every sign-in, which ends the previous session', async () => {
    const attacker = await signedIn(); // whose cookie was planted in the victim's browser
    const victim = await guest('Victim');
    const { cookie: planted } = attacker;
    const answer = await call('POST', '/v1/session', { ...bearer(victim.token), cookie: planted, ...own() }, {});
    expect(pairOf(answer)).not.toBe(planted);
    expect((await call('GET', '/v1/me', { cookie: pairOf(answer) })).body).toMatchObject({ id: victim.id });
    expect((await call('GET', '/v1/me', { cookie: planted })).status).toBe(401);
  });

  it('cannot be copied into another session', async () => {
    const { cookie } = await signedIn();
    expect(await call('POST', '/v1/session', { cookie, ...own() }, {})).toMatchObject({ status: 401, cookie: '' });
  });

  it('can be exchanged for a token, which is revoked if requested', async () => {
    const { token, id } = await guest();
    const answer = await call('POST', '/v1/session', bearer(token), { endToken: true });
    expect((await call('GET', '/v1/me', bearer(token))).status).toBe(401);
    expect((await call('GET', '/v1/me', { cookie: pairOf(answer) })).body).toMatchObject({ id });
  });
});

describe('an ended session', () => {
  const ended = (answer: Answer) => {
    expect(answer.status).toBe(401);
    expect(JSON.stringify(answer.body)).toContain('"code":"UNAUTHENTICATED"');
    // Otherwise this browser could not even look at public matches.
    expect(answer.cookie).toMatch(/^atoll_session=; .*Max-Age=0$/);
  };

  it('by signing out', async () => {
    const { cookie } = await signedIn();
    const out = await call('DELETE', '/v1/session', { cookie, ...own(), 'x-requested-with': 'atoll' });
    expect(out).toMatchObject({ status: 200, body: { signedOut: true } });
    expect(out.cookie).toContain('Max-Age=0');
    ended(await call('GET', '/v1/me', { cookie }));
    ended(await call('POST', '/graphql', { cookie, ...own() }, { query: '{ me { id } }' }));
  });

  it('by deleting the account', async () => {
    const { cookie } = await signedIn();
    await call('DELETE', '/v1/me', { cookie, ...own(), 'x-requested-with': 'atoll' });
    ended(await call('GET', '/v1/me', { cookie }));
  });

  it('by time, which every use extends', async () => {
    let time = Date.now();
    const own = openDatabase({ url: database.url, poolSize: 2 });
    const sessions = openSessions(own, () => time);
    const player = { ...(await guest()), name: 'Ann', kind: 'HUMAN' as const, tag: null };
    const secret = await sessions.start(player, 'A browser');
    const day = 24 * 3_600_000;
    time += 80 * day;
    expect(await sessions.viewerOf(secret)).toMatchObject({ id: player.id });
    expect(await sessions.list(player)).toMatchObject([{ lastUsedAt: new Date(time) }]);
    time += 80 * day;
    expect(await sessions.viewerOf(secret)).toMatchObject({ id: player.id });
    time += 91 * day;
    expect(await sessions.viewerOf(secret)).toBeNull();
    expect(await sessions.list(player)).toEqual([]);
    for (let n = 0; n < 55; n++) await sessions.start(player, 'A browser');
    expect(await sessions.list(player)).toHaveLength(50);
    await own.close();
  });
});

describe('another site', () => {
  const action = { query: 'mutation { createMatch(input: { game: "highest", seats: 2 }) { id } }' };
  const evil = 'https://evil.example';

  it.each<[string, Headers]>([
    ['with its own origin', { origin: evil, 'sec-fetch-site': 'cross-site' }],
    ['of the same domain', { origin: 'https://other.atoll.example', 'sec-fetch-site': 'same-site' }],
    ['in a sandbox', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['in an old browser', { origin: evil }],
    ['that hides its origin', { 'sec-fetch-site': 'cross-site' }],
    ['of which nothing is known', {}],
    ['whose origin begins like ours', { origin: `${PUBLIC}.evil.example` }],
    ['on another port', { origin: 'http://127.0.0.1:1' }],
  ])('%s can do nothing with the cookie', async (_, headers) => {
    const { cookie, id } = await signedIn();
    const refused = { status: 403, body: { code: 'FORBIDDEN' } };
    expect(await call('POST', '/v1/matches', { cookie, ...headers }, { game: 'highest', seats: 2 })).toMatchObject(
      refused,
    );
    expect(await call('DELETE', '/v1/me', { cookie, ...headers, 'x-requested-with': 'x' })).toMatchObject(refused);
    const graphql = await call('POST', '/graphql', { cookie, ...headers }, action);
    expect(graphql.body).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    const { rows } = await pool.query('SELECT FROM matches WHERE creator_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('cannot post a form, not even from our own origin, nor sign anybody in', async () => {
    const { cookie, token } = await signedIn();
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const headers = { cookie, ...own(), 'content-type': type };
      expect(await call('POST', '/v1/account/recovery-codes', headers, 'a=b')).toMatchObject({ status: 403 });
      expect(await call('POST', '/graphql', headers, JSON.stringify(action))).toMatchObject({ status: 403 });
    }
    const headers = { ...bearer(token), origin: evil };
    expect(await call('POST', '/v1/session', headers, {})).toMatchObject({ status: 403, cookie: '' });
    const code = { code: 'AAAA-BBBB-CCCC-DDDD', session: true };
    expect(await call('POST', '/v1/sign-in/recovery-code', { origin: evil }, code)).toMatchObject({ status: 403 });
  });

  it('reads nothing by pictures and scripts, but visitors who follow a link to us are signed in', async () => {
    const { cookie, id } = await signedIn();
    // Node's fetch sends its own Sec-Fetch-Mode.
    const seen = async (mode: string) => {
      const headers = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode };
      return (await server.app.inject({ url: '/v1/session', headers })).json().player;
    };
    expect(await seen('no-cors')).toBeNull();
    expect(await seen('navigate')).toMatchObject({ id });
  });

  it('never gets an answer with credentials, whatever CORS allows', async () => {
    const open = await startInstance(database.url, { env: { CORS_ORIGINS: '*' } });
    const headers = { origin: evil, 'access-control-request-method': 'POST' };
    const preflight = await call('OPTIONS', '/graphql', headers, undefined, open);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    await open.stop();
  });
});

describe('a socket', () => {
  async function open(headers: Headers, payload?: object) {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    const messages: { type: string; payload?: { data?: unknown } }[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    socket.send(JSON.stringify({ type: 'connection_init', ...(payload && { payload }) }));
    return { socket, closed, messages };
  }
  async function whoIs(headers: Headers, payload?: object): Promise<unknown> {
    const { socket, messages } = await open(headers, payload);
    await expect.poll(() => messages.length).toBe(1);
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query: '{ me { id } }' } }));
    await expect.poll(() => messages.length).toBeGreaterThan(1);
    socket.close();
    return messages[1]?.payload?.data;
  }

  it('of our own page has the session, unless a token is sent', async () => {
    const { cookie, id } = await signedIn();
    const ben = await guest('Ben');
    const headers = { cookie, origin: server.url };
    expect(await whoIs(headers)).toEqual({ me: { id } });
    expect(await whoIs(headers, { token: ben.token })).toEqual({ me: { id: ben.id } });
    expect(await whoIs({ cookie, origin: 'https://evil.example' }, { token: ben.token })).toEqual({
      me: { id: ben.id },
    });
  });

  it.each<[string, Headers]>([
    ['another site', { origin: 'https://evil.example' }],
    ['nowhere', {}],
  ])('of %s that comes with the cookie is closed', async (_, headers) => {
    const { cookie } = await signedIn();
    expect(await (await open({ cookie, ...headers })).closed).toBe(4403);
  });

  it('is closed when its session ends', async () => {
    const { cookie } = await signedIn();
    const { messages, closed } = await open({ cookie, origin: server.url });
    await expect.poll(() => messages.length).toBe(1);
    await call('DELETE', '/v1/session', { cookie, ...own(), 'x-requested-with': 'atoll' });
    expect(await closed).toBe(4403);
    expect(await (await open({ cookie, origin: server.url })).closed).toBe(4403);
  });
});

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0', 'Firefox on Android'],
  ['curl/8.5', 'A browser'],
])('a browser is called by what its owner knows: %s', (agent, device) => {
  expect(deviceOf(agent)).toBe(device);
});
