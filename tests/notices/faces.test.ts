/** Webhooks and mail through both faces of the API: the same words, the same refusals. */
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiOf } from '../../src/api/api.ts';
import { rateLimits } from '../../src/api/http/callers/identity.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { createMetrics } from '../../src/metrics.ts';
import { openServices, type Services } from '../../src/services.ts';
import type { Answer } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { documentedBy, type OpenApi, routesOf } from '../support/documented.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Mailbox, startSmtp } from '../support/smtp.ts';

type Json = Record<string, unknown>;

/** Everything that REST has answered. */
const answers: Answer[] = [];

let fresh: FreshDatabase;
let database: Database;
let services: Services;
let server: TestServer;
let mailbox: Mailbox;
let receiver: Receiver;
let token: string;
let stranger: string;

const names: Record<string, string> = { 'inside.example': '10.0.0.8', 'hooks.example': '127.0.0.1' };

async function start(env: Record<string, string>): Promise<void> {
  const variables = {
    MAX_EVENT_LOOP_DELAY_MS: '0', // this test is not about overload
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'atoll@example.org',
    PUBLIC_URL: 'https://atoll.example',
    ...env,
  };
  const config = readConfig(variables);
  const metrics = createMetrics();
  database = openDatabase({ url: fresh.url, poolSize: 4 });
  services = await openServices({
    config,
    database,
    metrics,
    limits: rateLimits(config),
    notices: {
      resolve: async (host) => [{ address: names[host] ?? '93.184.216.34', family: 4 }],
      pollMs: 50,
      sweepMs: 50,
    },
  });
  server = await startServer(apiOf(services), variables, { databaseUrl: fresh.url, metrics });
}

async function stop(): Promise<void> {
  await server.stop();
  await services.close();
  await database.close();
}

beforeAll(async () => {
  fresh = await freshDatabase();
  mailbox = await startSmtp();
  await start({ WEBHOOK_ALLOW_PRIVATE: 'true', NOTICE_DELAY_SECONDS: '0', MAIL_DELAY_SECONDS: '0' });
});
afterAll(async () => {
  await stop();
  await mailbox[Symbol.asyncDispose]();
  await fresh.drop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  const register = async (name: string) => (await rest('POST', '/v1/players', { name })).body.token as string;
  [token, stranger] = [await register('Ann'), await register('Ben')];
});
afterEach(() => receiver[Symbol.asyncDispose]());

async function call(method: string, path: string, body: unknown, bearer: string | null) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Json;
  const type = response.headers.get('content-type')?.split(';')[0] as string;
  answers.push({ method, path: path.split('?')[0] as string, status: response.status, type, body: answer });
  return { status: response.status, body: answer };
}

const rest = (method: string, path: string, body?: unknown, bearer: string | null = token ?? null) =>
  call(method, path, body, bearer);

const WEBHOOK = 'id url format events matchId enabled disabledReason createdAt';
const DELIVERY =
  'id type matchId version playerId seat status attempts responseCode lastError createdAt attemptedAt nextAttemptAt';

/** What both faces can do, each in its own way; refused: the code. */
interface Api {
  create(input: Json): Promise<Json>;
  list(): Promise<Json[]>;
  get(id: string): Promise<Json>;
  update(id: string, input: Json): Promise<Json>;
  remove(id: string): Promise<Json>;
  rotate(id: string): Promise<Json>;
  test(id: string): Promise<Json>;
  deliveries(id: string, first: number, after?: string): Promise<{ deliveries: Json[]; more: boolean; end: string }>;
  redeliver(id: string): Promise<Json>;
  setEmail(address: string): Promise<Json>;
  confirmEmail(code: string): Promise<Json>;
  email(): Promise<Json | null>;
  removeEmail(): Promise<boolean>;
}

function graphqlApi(bearer: string | null): Api {
  async function run<T>(query: string, variables: Json = {}): Promise<T> {
    const { body } = await call('POST', '/graphql', { query, variables }, bearer);
    const [error] = (body.errors ?? []) as { message: string; extensions: { code: string } }[];
    if (error) throw new Error(`${error.extensions.code}: ${error.message}`);
    return Object.values(body.data as Json)[0] as T;
  }
  const onWebhook = (field: string) => (id: string) =>
    run<Json>(`mutation ($id: ID!) { ${field}(id: $id) { ${WEBHOOK} } }`, { id });
  return {
    create: (input) =>
      run(`mutation ($i: CreateWebhookInput!) { createWebhook(input: $i) { webhook { ${WEBHOOK} } secret } }`, {
        i: input,
      }),
    list: () => run(`{ webhooks { ${WEBHOOK} } }`),
    get: async (id) => (await run<Json[]>(`{ webhooks { ${WEBHOOK} } }`)).find((webhook) => webhook.id === id) as Json,
    update: (id, input) =>
      run(`mutation ($id: ID!, $i: UpdateWebhookInput!) { updateWebhook(id: $id, input: $i) { ${WEBHOOK} } }`, {
        id,
        i: input,
      }),
    remove: onWebhook('deleteWebhook'),
    rotate: (id) =>
      run(`mutation ($id: ID!) { rotateWebhookSecret(id: $id) { webhook { ${WEBHOOK} } secret } }`, { id }),
    test: (id) => run(`mutation ($id: ID!) { testWebhook(id: $id) { ${DELIVERY} } }`, { id }),
    async deliveries(id, first, after) {
      type Found = {
        id: string;
        deliveries: { edges: { node: Json }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
      };
      const found = await run<Found[]>(
        `query ($f: Int, $a: String) { webhooks { id deliveries(first: $f, after: $a) { edges { node { ${DELIVERY} } } pageInfo { hasNextPage endCursor } } } }`,
        { f: first, a: after },
      );
      const { edges, pageInfo } = (found.find((webhook) => webhook.id === id) as Found).deliveries;
      return { deliveries: edges.map(({ node }) => node), more: pageInfo.hasNextPage, end: pageInfo.endCursor };
    },
    redeliver: (id) => run(`mutation ($id: ID!) { redeliver(deliveryId: $id) { ${DELIVERY} } }`, { id }),
    setEmail: (address) =>
      run('mutation ($a: String!) { setEmail(address: $a) { address confirmedAt } }', { a: address }),
    confirmEmail: (code) =>
      run('mutation ($c: String!) { confirmEmail(code: $c) { address confirmedAt } }', { c: code }),
    email: () => run('{ email { address confirmedAt } }'),
    removeEmail: () => run('mutation { removeEmail }'),
  };
}

function restApi(bearer: string | null): Api {
  async function run<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, body: answer } = await call(method, `/v1${path}`, body, bearer);
    if (status >= 400) throw new Error(`${answer.code}: ${answer.detail}`);
    return answer as T;
  }
  return {
    create: (input) => run('POST', '/webhooks', input),
    list: async () => (await run<{ webhooks: Json[] }>('GET', '/webhooks')).webhooks,
    get: (id) => run('GET', `/webhooks/${id}`),
    update: (id, input) => run('PATCH', `/webhooks/${id}`, input),
    remove: (id) => run('DELETE', `/webhooks/${id}`),
    rotate: (id) => run('POST', `/webhooks/${id}/secret`),
    test: (id) => run('POST', `/webhooks/${id}/test`),
    async deliveries(id, first, after) {
      type Found = { deliveries: Json[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
      const query = `first=${first}${after ? `&after=${after}` : ''}`;
      const { deliveries, pageInfo } = await run<Found>('GET', `/webhooks/${id}/deliveries?${query}`);
      return { deliveries, more: pageInfo.hasNextPage, end: pageInfo.endCursor };
    },
    redeliver: (id) => run('POST', `/deliveries/${id}/redeliver`),
    setEmail: (address) => run('PUT', '/me/email', { address }),
    confirmEmail: (code) => run('POST', '/me/email/confirm', { code }),
    email: () => run<Json>('GET', '/me/email').catch(() => null),
    removeEmail: async () => (await run<{ removed: boolean }>('DELETE', '/me/email')).removed,
  };
}

describe.each([
  ['GraphQL', graphqlApi],
  ['REST', restApi],
] as const)('%s', (_, apiFor) => {
  it('makes, changes, tests and deletes a webhook', async () => {
    const api = apiFor(token);
    const { webhook, secret } = (await api.create({ url: receiver.url, format: 'STANDARD' })) as {
      webhook: Json;
      secret: string;
    };
    expect(Object.keys(webhook).sort()).toEqual(WEBHOOK.split(' ').sort());
    expect(webhook).toMatchObject({
      url: receiver.url,
      events: ['TURN_GAINED', 'TURN_REMINDER'],
      enabled: true,
      matchId: null,
    });
    const id = webhook.id as string;
    const ping = await api.test(id);
    expect(Object.keys(ping).sort()).toEqual(DELIVERY.split(' ').sort());
    expect(ping).toMatchObject({ type: 'PING', status: 'DELIVERED', attempts: 1, responseCode: 200 });
    const { headers, body } = receiver.requests[0] as Received;
    expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'ping' });
    const rotated = await api.rotate(id);
    expect(rotated.secret).not.toBe(secret);
    receiver.answer(500, 200);
    expect(await api.test(id)).toMatchObject({
      status: 'FAILED',
      responseCode: 500,
      lastError: 'It was answered with 500',
    });
    const page = await api.deliveries(id, 1);
    expect([page.deliveries.length, page.more, page.deliveries[0]?.status]).toEqual([1, true, 'FAILED']);
    expect((await api.deliveries(id, 1, page.end)).deliveries).toEqual([ping]);
    expect(await api.redeliver(page.deliveries[0]?.id as string)).toMatchObject({ id: page.deliveries[0]?.id });
    await receiver.until(3);
    expect(await api.update(id, { enabled: false, events: ['MATCH_FINISHED'] })).toMatchObject({
      enabled: false,
      disabledReason: 'The owner disabled it',
      events: ['MATCH_FINISHED'],
    });
    const all = await api.list();
    expect(all).toMatchObject([{ id, enabled: false }]);
    expect(JSON.stringify(all)).not.toContain('whsec_');
    expect(await api.get(id)).toEqual(all[0]);
    expect(await api.remove(id)).toMatchObject({ id });
    expect(await api.list()).toEqual([]);
  });

  it('refuses wrong requests with their code and message', async () => {
    const api = apiFor(token);
    const { webhook } = (await api.create({ url: receiver.url })) as { webhook: { id: string } };
    const other = apiFor(stranger);
    await expect(other.test(webhook.id)).rejects.toThrow('NOT_FOUND: You have no such webhook');
    await expect(other.remove('nonsense')).rejects.toThrow('NOT_FOUND');
    await expect(api.redeliver('nonsense')).rejects.toThrow('NOT_FOUND: You have no such delivery');
    await expect(api.create({ url: 'gopher://a' })).rejects.toThrow('BAD_INPUT: This URL cannot be a webhook');
    await expect(api.create({ url: receiver.url, events: [] })).rejects.toThrow('BAD_INPUT');
    await expect(api.create({ url: receiver.url, matchId: 'nonsense' })).rejects.toThrow('NOT_FOUND');
    await expect(api.update(webhook.id, { url: 'nonsense' })).rejects.toThrow(
      'BAD_INPUT: This URL cannot be a webhook',
    );
    await expect(api.deliveries(webhook.id, 1, 'nonsense')).rejects.toThrow('BAD_INPUT');
    await expect(api.setEmail('nonsense')).rejects.toThrow('BAD_INPUT: This is not an e-mail address');
    await expect(apiFor(null).list()).rejects.toThrow('UNAUTHENTICATED');
    await expect(apiFor(null).create({ url: receiver.url })).rejects.toThrow('UNAUTHENTICATED');
  });

  it('sets, confirms and removes an e-mail address', async () => {
    const api = apiFor(token);
    const address = `ann-${token.slice(-8)}@example.com`;
    const before = mailbox.mails.length;
    expect(await api.setEmail(address)).toEqual({ address, confirmedAt: null });
    await expect(api.setEmail(address)).rejects.toThrow('RATE_LIMITED');
    const code = /this code: (\w+)/.exec(mailbox.mails[before]?.text ?? '')?.[1] as string;
    await expect(apiFor(stranger).confirmEmail(code)).rejects.toThrow('BAD_INPUT');
    expect(await api.confirmEmail(code)).toEqual({ address, confirmedAt: expect.any(String) });
    expect(await api.email()).toMatchObject({ address });
    expect([await api.removeEmail(), await api.removeEmail()]).toEqual([true, false]);
    expect(await api.email()).toBeNull();
  });
});

it('limits the rate of pings and redeliveries', async () => {
  const api = restApi(token);
  const { webhook } = (await api.create({ url: receiver.url })) as { webhook: { id: string } };
  const asked = await Promise.allSettled(Array.from({ length: 65 }, () => api.test(webhook.id)));
  expect(asked.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(5);
  expect(receiver.requests.length).toBeLessThanOrEqual(60); // a new minute may have begun
});

it('the links of a mail show a page that asks before anything is done', async () => {
  await rest('PUT', '/v1/me/email', { address: `link-${token.slice(-8)}@example.com` });
  const { text } = mailbox.mails.at(-1) as { text: string };
  const [confirm, unsubscribe] = ['confirm', 'unsubscribe'].map(
    (what) => new RegExp(`https://atoll.example(/v1/email/${what}\\S+)`).exec(text)?.[1],
  ) as [string, string];
  const open = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.url + path, init);
    const [type] = (response.headers.get('content-type') ?? '').split(';') as [string];
    const body = type.endsWith('json') ? await response.clone().json() : await response.clone().text();
    answers.push({
      method: init.method ?? 'GET',
      path: path.split('?')[0] as string,
      status: response.status,
      type,
      body,
    });
    return response;
  };
  const press = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  };
  const page = await open(confirm);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<form method="post">');
  expect((await rest('GET', '/v1/me/email')).body.confirmedAt).toBeNull();
  expect((await open(confirm, press)).status).toBe(200);
  expect((await rest('GET', '/v1/me/email')).body.confirmedAt).not.toBeNull();
  expect((await open(confirm, press)).status).toBe(400);
  expect((await open(unsubscribe)).status).toBe(200);
  expect((await rest('GET', '/v1/me/email')).status).toBe(200);
  expect((await open(unsubscribe, press)).status).toBe(200);
  expect((await rest('GET', '/v1/me/email')).status).toBe(404);
});

it('private targets are refused unless the operator allows them, by name and by number', async () => {
  const { webhook } = (await restApi(token).create({ url: receiver.url.replace('127.0.0.1', 'hooks.example') })) as {
    webhook: { id: string };
  };
  await stop();
  await start({});
  for (const api of [graphqlApi(token), restApi(token)]) {
    await expect(api.create({ url: receiver.url })).rejects.toThrow(
      'BAD_INPUT: This URL cannot be a webhook: 127.0.0.1 is not a public address',
    );
    await expect(api.create({ url: 'https://inside.example/' })).rejects.toThrow(
      'BAD_INPUT: This URL cannot be a webhook: inside.example does not lead to a public address',
    );
    expect(await api.test(webhook.id)).toMatchObject({
      status: 'FAILED',
      responseCode: null,
      lastError: 'hooks.example does not lead to a public address',
    });
  }
  expect(receiver.requests).toEqual([]);
});

it('every answer is as documented, and every route was called', async () => {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi;
  const key = await fetch(`${server.url}/v1/push-key`);
  const type = 'application/json';
  answers.push({ method: 'GET', path: '/v1/push-key', status: key.status, type, body: await key.json() });
  const mine = answers.filter(({ path }) => /^\/v1\/(webhooks|deliveries|push-key|me\/email|email)/.test(path));
  const fault = documentedBy(document);
  const faults = mine.map(
    (answer) => `${answer.method} ${answer.path} ${answer.status}: ${fault(answer) ?? 'as it says'}`,
  );
  expect(faults.filter((text) => !text.endsWith('as it says'))).toEqual([]);
  const shape = (path: string) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '*');
  const asked = new Set(
    mine.filter(({ status }) => status < 300).map(({ method, path }) => `${method} ${shape(path)}`),
  );
  expect([...asked].sort()).toEqual(routesOf(document, 'notices', true));
});
