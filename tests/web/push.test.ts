/** Push in two halves, because a headless browser has no push service: what we send, and what a browser does with it. */
import { createECDH, createVerify, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Worker } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { sitDown, site } from './browser.ts';

const web = site({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', NOTICE_DELAY_SECONDS: '0' } });

interface Decrypting {
  version: 'aes128gcm';
  privateKey: ReturnType<typeof createECDH>;
  authSecret: string;
}
const ece = createRequire(import.meta.url)('http_ece') as { decrypt(body: Buffer, options: Decrypting): Buffer };

interface Pushed {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

const pushed: Pushed[] = [];
let answer = 201;
const service = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    pushed.push({ headers: request.headers, body: Buffer.concat(parts) });
    response.writeHead(answer).end();
  });
}).listen(0, '127.0.0.1');
afterAll(() => void service.close());

async function ask<T>(query: string, variables: object, token?: string): Promise<T> {
  const response = await fetch(`${web.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: T; errors?: { message: string }[] };
  if (errors) throw new Error(errors[0]?.message);
  return data;
}

/** The browser's part of a push subscription. */
function subscriber() {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  const auth = randomBytes(16).toString('base64url');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/push/${randomBytes(4).toString('hex')}`;
  const keys = { p256dh: privateKey.getPublicKey('base64url'), auth };
  const read = (body: Buffer) =>
    JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey, authSecret: auth }).toString()) as Record<
      string,
      string
    >;
  return { url, keys, read };
}

/** Checks the signature of a VAPID token by the key that it came with. */
function claimsOf(authorization: string): { key: string; claims: { aud: string } } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [head, body, signature] = token.split('.') as [string, string, string];
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const valid = createVerify('SHA256')
    .update(`${head}.${body}`)
    .verify({ key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  expect(valid).toBe(true);
  return { key, claims: JSON.parse(Buffer.from(body, 'base64url').toString()) as { aud: string } };
}

const SUBSCRIBE = `mutation ($url: String!, $keys: PushKeysInput!) {
  createWebhook(input: { url: $url, format: WEB_PUSH, keys: $keys }) { webhook { id } } }`;

it('a turn reaches the browser that asked for it, encrypted for it and signed by us', async () => {
  const { register } = await ask<{ register: { token: string } }>(
    'mutation { register(name: "Pushed") { token } }',
    {},
  );
  const { pushKey } = await ask<{ pushKey: string }>('{ pushKey }', {});
  const { url, keys, read } = subscriber();
  const { createWebhook } = await ask<{ createWebhook: { webhook: { id: string } } }>(
    SUBSCRIBE,
    { url, keys },
    register.token,
  );
  const match = await ask<{ createMatch: { id: string } }>(
    'mutation { createMatch(input: { game: "hashi", seats: 1 }) { id } }',
    {},
    register.token,
  );
  await expect.poll(() => pushed.length).toBeGreaterThan(0);
  const [first] = pushed as [Pushed];
  expect(read(first.body)).toMatchObject({ title: 'Your turn in Hashi', url: `/matches/${match.createMatch.id}` });
  expect(first.headers['content-encoding']).toBe('aes128gcm');
  const { key, claims } = claimsOf(String(first.headers.authorization));
  expect([key, claims.aud]).toEqual([pushKey, new URL(url).origin]);

  answer = 404;
  const ping = `mutation ($id: ID!) { testWebhook(id: $id) { status responseCode } }`;
  const tested = await ask<{ testWebhook: object }>(ping, { id: createWebhook.webhook.id }, register.token);
  expect(tested.testWebhook).toEqual({ status: 'FAILED', responseCode: 404 });
  const { webhooks } = await ask<{ webhooks: object[] }>('{ webhooks { enabled format } }', {}, register.token);
  expect(webhooks).toEqual([{ enabled: false, format: 'WEB_PUSH' }]);
  answer = 201;
});

it('invalid keys are refused, on both faces', async () => {
  const { register } = await ask<{ register: { token: string } }>(
    'mutation { register(name: "Keyless") { token } }',
    {},
  );
  const { url } = subscriber();
  await expect(ask(SUBSCRIBE, { url, keys: { p256dh: 'x', auth: 'y' } }, register.token)).rejects.toThrow(/p256dh/);
  const response = await fetch(`${web.url}/v1/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${register.token}` },
    body: JSON.stringify({ url, format: 'WEB_PUSH' }),
  });
  expect(response.status).toBe(400);
  const { pushKey } = await ask<{ pushKey: string }>('{ pushKey }', {});
  expect(await (await fetch(`${web.url}/v1/push-key`)).json()).toEqual({ key: pushKey });
});

it('the page itself subscribes when it is asked to, says when it cannot, and stops again', async () => {
  const page = await web.open('/');
  await page.context().grantPermissions(['notifications']);
  await sitDown(page, 'cacao', 'Subscriber');
  await page.goto('/account');
  await page.click('[data-push]:enabled');
  // The headless shell has no push service, and the page shows why it failed.
  await page.waitForSelector('.push .notice:has-text("could not subscribe")');
  web.forgive(/Push API/);

  const { url, keys, read } = subscriber();
  await page.addInitScript(
    ({ endpoint, own }) => {
      let found: PushSubscription | null = null;
      PushManager.prototype.getSubscription = async () => found;
      PushManager.prototype.subscribe = async (options) => {
        const parts = { endpoint, toJSON: () => ({ endpoint, keys: own }), asked: options?.applicationServerKey };
        const unsubscribe = async () => {
          found = null;
          return true;
        };
        found = { ...parts, unsubscribe } as unknown as PushSubscription;
        document.documentElement.dataset.asked = String(options?.applicationServerKey);
        return found;
      };
    },
    { endpoint: url, own: keys },
  );
  await page.reload();
  await page.click('[data-push]:enabled');
  await page.waitForSelector('[data-push][aria-pressed=true]');
  const { pushKey } = await ask<{ pushKey: string }>('{ pushKey }', {});
  expect(await page.evaluate(() => document.documentElement.dataset.asked)).toBe(pushKey);
  const before = pushed.length;
  const inPage = (query: string) =>
    page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json' };
      return (await (await fetch('/graphql', { method: 'POST', headers, body })).json()) as { data: unknown };
    }, JSON.stringify({ query }));
  await inPage('mutation { createMatch(input: { game: "hashi", seats: 1 }) { id } }');
  await expect.poll(() => pushed.slice(before).map(({ body }) => read(body).title)).toContain('Your turn in Hashi');
  await page.click('[data-push]');
  await page.waitForSelector('[data-push][aria-pressed=false]');
  expect((await inPage('{ webhooks { id } }')).data).toEqual({ webhooks: [] });
});

it('the service worker shows a message, unless the match is visible', async () => {
  const page = await web.open('/');
  await page.context().grantPermissions(['notifications']);
  await sitDown(page, 'cacao');
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations;
      if (found) resolve(found.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const registrationId = await registered;
  const deliver = (data: object) =>
    session.send('ServiceWorker.deliverPushMessage', { origin: web.url, registrationId, data: JSON.stringify(data) });
  // The headless shell shows no notices, so the worker is listened to when it asks for one.
  const [worker] = page.context().serviceWorkers() as [Worker];
  await worker.evaluate(() => {
    const scope = self as unknown as { shown: string[]; registration: ServiceWorkerRegistration };
    scope.shown = [];
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push(`${title}: ${options?.body}`);
    };
  });
  const shown = () => worker.evaluate(() => (self as unknown as { shown: string[] }).shown);
  await deliver({ title: 'Here', body: 'seen already', matchId: 'a', url: new URL(page.url()).pathname });
  await deliver({ title: 'Your turn in Hashi', body: 'It is your turn.', matchId: 'b', url: '/matches/b' });
  await expect.poll(shown).toEqual(['Your turn in Hashi: It is your turn.']);
});

it('the page can be installed', async () => {
  const manifest = (await (await fetch(`${web.url}/manifest.webmanifest`)).json()) as {
    start_url: string;
    icons: { src: string; sizes: string }[];
  };
  expect(manifest.start_url).toBe('/');
  for (const { src } of manifest.icons) {
    const icon = await fetch(web.url + src);
    expect(icon.headers.get('content-type')).toBe('image/png');
  }
});
