/** Keeping an account and coming back to it, through both faces of the API: the same words, the same refusals. */
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answers, graphqlFace, Refused, rest, restFace, where } from '../support/accounts.ts';
import { type Authenticator, type Mischief, softAuthenticator } from '../support/authenticator.ts';
import { type FreshDatabase, freshDatabase, poolFor } from '../support/database.ts';
import { documentedBy, type OpenApi, routesOf } from '../support/documented.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type Mailbox, type ReceivedMail, startSmtp } from '../support/smtp.ts';

type Json = Record<string, unknown>;

let database: FreshDatabase;
let pool: pg.Pool;
let mailbox: Mailbox;
let servers: [Instance, Instance];
let url: string;
let other: string;

beforeAll(async () => {
  database = await freshDatabase();
  pool = poolFor(database);
  mailbox = await startSmtp();
  const env = { SMTP_URL: mailbox.url, MAIL_FROM: 'atoll@example.org', PUBLIC_URL: 'https://atoll.example' };
  servers = [await startInstance(database.url, { env }), await startInstance(database.url, { env })];
  // By its name, because passkeys belong to names.
  [url, other] = servers.map((server) => server.url.replace('127.0.0.1', 'localhost')) as [string, string];
  where.url = url;
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await mailbox[Symbol.asyncDispose]();
  await pool.end();
  await database.drop();
});
beforeEach(async () => void (await pool.query('DELETE FROM quota_counts')));

const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => expect.fail(`accepted: ${JSON.stringify(value)}`),
    (error) => (error instanceof Refused ? error.code : Promise.reject(error)),
  );

let players = 0;
async function guest(name = `Guest ${++players}`): Promise<{ id: string; name: string; token: string }> {
  const { player, token } = (await rest('POST', '/players', { name })) as { player: Json; token: string };
  return { id: player.id as string, name, token };
}

const unique = () => `${Math.random().toString(36).slice(2)}@example.com`;
const lastMail = () => mailbox.mails.at(-1) as ReceivedMail;
const codeIn = ({ text }: ReceivedMail) => /this code: ([\w-]+)/.exec(text)?.[1] as string;
const linkIn = ({ text }: ReceivedMail) => /#sign-in=([\w-]+)/.exec(text)?.[1] as string;

async function confirmAddress(token: string, address = unique()): Promise<string> {
  await rest('PUT', '/me/email', { address }, token);
  await rest('POST', '/me/email/confirm', { code: codeIn(lastMail()) }, token);
  return address;
}

describe.each([restFace, graphqlFace])('$name', (face) => {
  let device: Authenticator;
  let ann: { id: string; name: string; token: string };
  beforeEach(async () => {
    device = softAuthenticator(new URL(url).origin);
    ann = await guest();
  });

  async function kept(token = ann.token): Promise<Json> {
    return face.add(token, { response: device.create(await face.options(token)), name: 'Laptop' });
  }

  it('keeps a guest by a passkey, which signs in on any server', async () => {
    expect(await face.account(ann.token)).toMatchObject({
      kept: false,
      passkeys: [],
      recoveryCodesLeft: 0,
      mail: true,
    });
    const passkey = await kept();
    expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null });
    expect(await face.account(ann.token)).toMatchObject({
      kept: true,
      player: { id: ann.id, name: ann.name, tag: null },
      passkeys: [passkey],
    });
    expect(await rest('GET', '/me', undefined, ann.token)).toMatchObject({ tag: null });
    const options = await face.signInOptions(url);
    // The other server has another port, so the device is told its origin.
    const signed = device.get(options, { origin: new URL(other).origin });
    const { player, token } = await face.byPasskey(signed, other);
    expect(player).toMatchObject({ id: ann.id });
    expect(await rest('GET', '/me', undefined, token as string)).toMatchObject({ id: ann.id });
    const { passkeys } = (await face.account(ann.token)) as { passkeys: Json[] };
    expect(passkeys[0]?.lastUsedAt).toEqual(expect.any(String));
  });

  it('refuses the name of a kept account to everybody else, and asks for another', async () => {
    await kept();
    const [twin, later] = [await guest(`${ann.name} `).catch(() => null), await guest()];
    expect(twin).toBeNull(); // refused with NAME_TAKEN
    expect(await refusal(face.options(later.token, ann.name.toUpperCase()))).toBe('NAME_TAKEN');
    const response = device.create(await face.options(later.token, `Second ${later.name}`));
    expect(await refusal(face.add(later.token, { response, playerName: ann.name }))).toBe('NAME_TAKEN');
    expect(await face.account(later.token)).toMatchObject({ kept: false, passkeys: [] });
    const again = device.create(await face.options(later.token));
    await face.add(later.token, { response: again, playerName: `Second ${later.name}` });
    expect(await face.account(later.token)).toMatchObject({ kept: true, player: { name: `Second ${later.name}` } });
    expect(await refusal(face.options(later.token, 'A third'))).toBe('BAD_INPUT');
  });

  it('of several guests with one name, the first who is kept owns it', async () => {
    const name = `Twins ${++players}`;
    const [one, two] = [await guest(name), await guest(name)];
    const [first, second] = [await face.options(one.token), await face.options(two.token)];
    const added = await Promise.allSettled([
      face.add(one.token, { response: device.create(first) }),
      face.add(two.token, { response: device.create(second) }),
    ]);
    expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('renames and removes passkeys, but not the last way to sign in', async () => {
    const { id } = await kept();
    expect(await face.rename(ann.token, id, 'Phone')).toMatchObject({ id, name: 'Phone' });
    expect(await refusal(face.rename(ann.token, id, ''))).toBe('BAD_INPUT');
    expect(await refusal(face.remove(ann.token, id))).toBe('FORBIDDEN');
    const second = await kept();
    expect(await refusal(face.remove((await guest()).token, id))).toBe('NOT_FOUND');
    const removed = await Promise.allSettled([face.remove(ann.token, id), face.remove(ann.token, second.id)]);
    expect(removed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(((await face.account(ann.token)).passkeys as Json[]).length).toBe(1);
  });

  it.each<[string, Mischief]>([
    ['for another site', { origin: 'https://evil.example' }],
    ['of another site', { rpId: 'evil.example' }],
    ['of a challenge that was never given', { challenge: Buffer.alloc(32).toString('base64url') }],
  ])('refuses a signature %s, for a new passkey and for signing in', async (_, mischief) => {
    const response = device.create(await face.options(ann.token), mischief);
    expect(await refusal(face.add(ann.token, { response }))).toBe('BAD_INPUT');
    await kept();
    expect(await refusal(face.byPasskey(device.get(await face.signInOptions(), mischief)))).toBe('UNAUTHENTICATED');
  });

  it('refuses what was signed before, for somebody else, for something else, or too long ago', async () => {
    const response = device.create(await face.options(ann.token));
    await face.add(ann.token, { response });
    expect(await refusal(face.add(ann.token, { response }))).toBe('BAD_INPUT');
    const ben = await guest();
    expect(await refusal(face.add(ben.token, { response: device.create(await face.options(ann.token)) }))).toBe(
      'BAD_INPUT',
    );
    device.credentials.pop();
    device.credentials.pop();
    const stale = await face.options(ben.token);
    await pool.query("UPDATE challenges SET expires_at = now() - interval '1 second'");
    expect(await refusal(face.add(ben.token, { response: device.create(stale) }))).toBe('BAD_INPUT');
    device.credentials.pop();

    await kept();
    const signed = device.get(await face.signInOptions());
    await face.byPasskey(signed);
    expect(await refusal(face.byPasskey(signed))).toBe('UNAUTHENTICATED');
    const meantForAdding = (await face.options(ann.token)) as Json;
    const misused = device.get({ challenge: meantForAdding.challenge, rpId: 'localhost' });
    expect(await refusal(face.byPasskey(misused))).toBe('UNAUTHENTICATED');
    const late = await face.signInOptions();
    await pool.query("UPDATE challenges SET expires_at = now() - interval '1 second'");
    expect(await refusal(face.byPasskey(device.get(late)))).toBe('UNAUTHENTICATED');
  });

  it('refuses a passkey that was copied, is unknown, or claims to be of somebody else', async () => {
    await kept();
    await face.byPasskey(device.get(await face.signInOptions(), { counter: 7 }));
    expect(await refusal(face.byPasskey(device.get(await face.signInOptions(), { counter: 7 })))).toBe(
      'UNAUTHENTICATED',
    );
    const userHandle = Buffer.alloc(16).toString('base64url');
    expect(await refusal(face.byPasskey(device.get(await face.signInOptions(), { counter: 8, userHandle })))).toBe(
      'UNAUTHENTICATED',
    );
    device.create(await face.options(ann.token)); // never added
    expect(await refusal(face.byPasskey(device.get(await face.signInOptions())))).toBe('UNAUTHENTICATED');
    for (const junk of [null, 7, 'x', {}, { response: {} }, { id: [], response: { clientDataJSON: 'e30' } }])
      expect(await refusal(face.byPasskey(junk))).toMatch(/UNAUTHENTICATED|BAD_INPUT/);
  });

  it('keeps a guest by a confirmed address, which signs in by code and by link, each once', async () => {
    expect(await refusal(face.keepByEmail(ann.token))).toBe('NOT_FOUND');
    await rest('PUT', '/me/email', { address: unique() }, ann.token);
    expect(await refusal(face.keepByEmail(ann.token))).toBe('BAD_INPUT');
    await pool.query('DELETE FROM mail_codes');
    const address = await confirmAddress(ann.token);
    expect(await face.keepByEmail(ann.token)).toMatchObject({ kept: true, signInAddress: address });
    expect(await refusal(face.removeEmail(ann.token))).toBe('FORBIDDEN');

    const before = mailbox.mails.length;
    const id = await face.beginMail(address.toUpperCase());
    await mailbox.until(before + 1);
    expect(lastMail()).toMatchObject({ to: [address], headers: { subject: 'Sign in' } });
    expect(lastMail().text).toContain(`sign in as ${ann.name}`);
    const code = codeIn(lastMail());
    expect(await face.byMail({ id, code: code.toLowerCase().replace('-', ' ') })).toMatchObject({
      player: { id: ann.id },
    });
    expect(await refusal(face.byMail({ id, code }))).toBe('UNAUTHENTICATED');
    expect(await refusal(face.byMail({ link: linkIn(lastMail()) }))).toBe('UNAUTHENTICATED');

    await face.beginMail(address);
    await mailbox.until(before + 2);
    const link = linkIn(lastMail());
    expect(await face.byMail({ link })).toMatchObject({ player: { id: ann.id } });
    expect(await refusal(face.byMail({ link }))).toBe('UNAUTHENTICATED');

    await kept();
    const open = await face.beginMail(address);
    await mailbox.until(before + 3);
    expect(await face.removeEmail(ann.token)).toMatchObject({ signInAddress: null });
    expect(await refusal(face.byMail({ id: open, code: codeIn(lastMail()) }))).toBe('UNAUTHENTICATED');
    expect(await refusal(face.byMail({ link: linkIn(lastMail()) }))).toBe('UNAUTHENTICATED');
  });

  it('lets an address sign in to one account only, and tells nobody but its mailbox', async () => {
    const address = await confirmAddress(ann.token);
    await face.keepByEmail(ann.token);
    const ben = await guest();
    await confirmAddress(ben.token, address);
    expect(await refusal(face.keepByEmail(ben.token))).toBe('FORBIDDEN');
    const before = mailbox.mails.length;
    const answered = await Promise.all([face.beginMail(address), face.beginMail(unique())]);
    expect(answered.map((id) => id.length)).toEqual([36, 36]);
    for (const id of answered) expect(await refusal(face.byMail({ id, code: 'WRONG123' }))).toBe('UNAUTHENTICATED');
    await mailbox.until(before + 1);
    expect(mailbox.mails).toHaveLength(before + 1);
    expect(await refusal(face.beginMail('nonsense'))).toBe('BAD_INPUT');
  });

  it('still signs in by mail after mails about turns were stopped', async () => {
    const address = await confirmAddress(ann.token);
    await face.keepByEmail(ann.token);
    await rest('DELETE', '/me/email', undefined, ann.token);
    const before = mailbox.mails.length;
    await face.beginMail(address);
    await mailbox.until(before + 1);
    expect(await face.byMail({ link: linkIn(lastMail()) })).toMatchObject({ player: { id: ann.id } });
  });

  it('limits how many codes are tried: for one mail, for one account, from one address, and in all', async () => {
    const address = await confirmAddress(ann.token);
    await face.keepByEmail(ann.token);
    const before = mailbox.mails.length;
    const id = await face.beginMail(address);
    await mailbox.until(before + 1);
    const wrong = (count: number, mail = id) =>
      Promise.all(Array.from({ length: count }, (_, n) => refusal(face.byMail({ id: mail, code: `WRONG${n}` }))));
    expect(new Set(await wrong(5))).toEqual(new Set(['UNAUTHENTICATED']));
    expect(await refusal(face.byMail({ id, code: codeIn(lastMail()) }))).toBe('UNAUTHENTICATED'); // the right one, too late

    for (let n = 0; n < 3; n++) await wrong(5, await face.beginMail(address));
    const fresh = await face.beginMail(address);
    await mailbox.until(before + 5);
    expect(await refusal(face.byMail({ id: fresh, code: codeIn(lastMail()) }))).toBe('RATE_LIMITED'); // the account

    await pool.query("DELETE FROM quota_counts WHERE what = 'sign-in codes for an account'");
    await wrong(60, '00000000-0000-7000-8000-000000000000');
    expect(await refusal(face.byMail({ id: fresh, code: codeIn(lastMail()) }))).toBe('RATE_LIMITED'); // the address

    await pool.query("UPDATE quota_counts SET used = CASE who WHEN 'everybody' THEN 3000 ELSE 0 END");
    expect(await refusal(face.byMail({ id: fresh, code: codeIn(lastMail()) }))).toBe('RATE_LIMITED'); // all together
    await pool.query('DELETE FROM quota_counts');
    expect(await face.byMail({ id: fresh, code: codeIn(lastMail()) })).toMatchObject({ player: { id: ann.id } });

    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => face.beginMail(address)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
  });

  it('gives ten recovery codes, each of which works once, until new ones are made', async () => {
    expect(await refusal(face.codes(ann.token))).toBe('FORBIDDEN'); // a guest has nothing to recover yet
    await kept();
    const codes = await face.codes(ann.token);
    expect(new Set(codes).size).toBe(10);
    const [first, second] = codes as [string, string];
    expect(await face.byRecoveryCode(first.toLowerCase())).toMatchObject({ player: { id: ann.id } });
    expect(await refusal(face.byRecoveryCode(first))).toBe('UNAUTHENTICATED');
    await expect(face.byRecoveryCode(first)).rejects.toThrow('This recovery code is wrong');
    expect(await face.account(ann.token)).toMatchObject({ recoveryCodesLeft: 9 });
    const race = await Promise.allSettled([1, 2, 3].map(() => face.byRecoveryCode(second)));
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [fresh] = (await face.codes(ann.token)) as [string];
    expect(await refusal(face.byRecoveryCode(codes[5] as string))).toBe('UNAUTHENTICATED');
    await pool.query('DELETE FROM quota_counts');
    await Promise.all(Array.from({ length: 30 }, (_, n) => refusal(face.byRecoveryCode(`WRONG-${n}`))));
    expect(await refusal(face.byRecoveryCode(fresh))).toBe('RATE_LIMITED');
    await pool.query('DELETE FROM quota_counts');
    expect(await face.byRecoveryCode(fresh)).toMatchObject({ player: { id: ann.id } });
    const { rows } = await pool.query('SELECT encode(hash, $1) AS hash FROM recovery_codes', ['escape']);
    expect(JSON.stringify(rows)).not.toContain(fresh.slice(0, 4));
  });

  it('signs out everywhere, and revokes every token if asked to', async () => {
    const start = async () => {
      const response = await fetch(`${url}/v1/session`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      return response.headers.get('set-cookie')?.split(';')[0] as string;
    };
    const [one, two] = [await start(), await start()];
    const me = (cookie: string) => fetch(`${url}/v1/me`, { headers: { cookie } });
    const { sessions } = (await face.account(ann.token)) as { sessions: Json[] };
    expect(sessions).toMatchObject([{ current: false }, { current: false }]);
    expect(await face.endSession(ann.token, sessions[1]?.id)).toMatchObject({ id: sessions[1]?.id });
    expect(await refusal(face.endSession(ann.token, sessions[1]?.id))).toBe('NOT_FOUND');
    expect([(await me(one)).status, (await me(two)).status]).toEqual([401, 200]);
    expect(await face.signOut(ann.token, false)).toBe(1);
    expect((await me(two)).status).toBe(401);
    expect(await face.account(ann.token)).toMatchObject({ sessions: [] });
    await pool.query(
      `INSERT INTO app_grants (id, player_id, client, scopes, expires_at)
       VALUES (gen_random_uuid(), $1, 'An app', '{READ}', now() + interval '1 day')`,
      [ann.id],
    );
    expect(await face.signOut(ann.token, true)).toBe(0);
    // An app could have refreshed its way back in.
    const grants = await pool.query('SELECT FROM app_grants WHERE player_id = $1 AND revoked_at IS NULL', [ann.id]);
    expect(grants.rowCount).toBe(0);
    expect(await refusal(face.account(ann.token))).toBe('UNAUTHENTICATED');
  });

  it('requires a token for everything about the caller’s account', async () => {
    expect(await refusal(face.account())).toBe('UNAUTHENTICATED');
    expect(await refusal(face.options())).toBe('UNAUTHENTICATED');
  });
});

it.each([
  ['fewer scopes', { scopes: ['ACCOUNT', 'READ'] }],
  ['an end', { expiresAt: new Date(Date.now() + 3_600_000).toISOString() }],
])('a token with %s makes no way into the account that would allow more', async (_, limits) => {
  const ann = await guest();
  await confirmAddress(ann.token);
  const { token } = (await rest('POST', '/tokens', { name: 'app', ...limits }, ann.token)) as { token: string };
  for (const face of [restFace, graphqlFace]) {
    expect(await face.account(token)).toMatchObject({ kept: false });
    expect(await refusal(face.options(token))).toBe('FORBIDDEN');
    expect(await refusal(face.add(token, { response: {} }))).toBe('FORBIDDEN');
    expect(await refusal(face.keepByEmail(token))).toBe('FORBIDDEN');
    expect(await refusal(face.codes(token))).toBe('FORBIDDEN');
  }
  expect(await refusal(rest('POST', '/session', {}, token))).toBe('FORBIDDEN');
});

it('leaves no way to sign in to a deleted account', async () => {
  const device = softAuthenticator(new URL(url).origin);
  const ann = await guest();
  await restFace.add(ann.token, { response: device.create(await restFace.options(ann.token)) });
  const [code] = (await restFace.codes(ann.token)) as [string];
  await rest('DELETE', '/me', undefined, ann.token);
  expect(await refusal(restFace.byRecoveryCode(code))).toBe('UNAUTHENTICATED');
  expect(await refusal(restFace.byPasskey(device.get(await restFace.signInOptions())))).toBe('UNAUTHENTICATED');
});

it('every answer of REST is as described, and every route was called', async () => {
  const { token } = await guest();
  await rest('POST', '/session', {}, token);
  await rest('GET', '/session');
  await rest('DELETE', '/session');
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  const fault = documentedBy(document);
  const faults = answers.map((answer) => [answer.method, answer.path, answer.status, fault(answer)]);
  expect(faults.filter(([, , , said]) => said !== null)).toEqual([]);
  const asked = new Set(
    answers
      .filter(({ status }) => status < 300)
      .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '*')}`),
  );
  const missing = routesOf(document, 'account', true).filter((route) => !asked.has(route));
  expect(missing).toEqual([]);
});
