/** Every route and every root field has a scope, and a token without it is refused there. */
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSchema } from '../../src/api/graphql/schema.ts';
import { entryOf, FIELD_SCOPES, ROUTE_SCOPES, scopeOfField, scopeOfRoute } from '../../src/api/scopes.ts';
import { SCOPES, type Scope } from '../../src/players/player.ts';
import { restCall } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';

let database: FreshDatabase;
let server: Instance;
let token: string;
const narrow = {} as Record<Scope, string>;

beforeAll(async () => {
  database = await freshDatabase();
  server = await startInstance(database.url);
  ({ token } = (await restCall([server.url])('POST', '/players', { name: 'Ann' })) as { token: string });
  // For each scope a token that has all but this one.
  for (const scope of SCOPES) {
    const body = { name: `not ${scope}`, scopes: SCOPES.filter((other) => other !== scope) };
    narrow[scope] = ((await restCall([server.url], token)('POST', '/tokens', body)) as { token: string }).token;
  }
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const routes = () => [...server.app.registeredRoutes].filter((route) => !route.startsWith('OPTIONS '));
/** The contract is read as it is served, because the app does not expose Mercurius. */
const schema = buildSchema(readSchema());
const split = (route: string) => route.split(' ') as [string, string];

describe('routes', () => {
  it('are all in the table', () => {
    expect(routes().filter((route) => entryOf(...split(route)) === undefined)).toEqual([]);
  });

  it('in the table all exist', () => {
    const named = new Set(routes().map((route) => entryOf(...split(route))));
    expect(Object.keys(ROUTE_SCOPES).filter((entry) => !named.has(entry))).toEqual([]);
  });

  it('refuse a token without their scope', async () => {
    let refused = 0;
    for (const route of routes()) {
      const [method, pattern] = split(route);
      const scope = scopeOfRoute(method, pattern);
      if (scope === null) continue;
      const url = server.url + pattern.replace(/:\w+/g, '00000000-0000-7000-8000-000000000000');
      const headers = { authorization: `Bearer ${narrow[scope]}` };
      const response = await fetch(url, { method, headers });
      expect([route, response.status]).toEqual([route, 403]);
      expect(response.headers.get('www-authenticate')).toContain(`scope="${scope.toLowerCase()}"`);
      if (method !== 'HEAD') expect(await response.json()).toMatchObject({ code: 'FORBIDDEN', scope });
      refused++;
    }
    expect(refused).toBeGreaterThan(40);
  });
});

it('that change something are refused to a cookie sent by another site', async () => {
  const { headers: made } = await fetch(`${server.url}/v1/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const cookie = made.get('set-cookie')?.split(';')[0] as string;
  const headers = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const accepted: string[] = [];
  for (const route of routes().filter((one) => !/^(GET|HEAD) /.test(one))) {
    const [method, pattern] = split(route);
    const url = server.url + pattern.replace(/:\w+/g, '00000000-0000-7000-8000-000000000000');
    const body = method === 'DELETE' ? {} : { headers: { ...headers, 'content-type': 'application/json' }, body: '{}' };
    const { status } = await fetch(url, { method, headers, ...body });
    if (status !== 403) accepted.push(route);
  }
  expect(accepted.filter((route) => !BLIND_TO_COOKIES.test(route))).toEqual([]);
  expect((await fetch(`${server.url}/v1/me`, { headers: { cookie } })).status).toBe(200);
});

/** These ignore sessions: they identify the caller by a code, by a form of their own, or by a token alone. */
const BLIND_TO_COOKIES = /^(POST \/v1\/(sign-in|email)\/|POST \/oauth\/|DELETE \/mcp$)/;

const ROOTS = () => {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({ path: `${type?.name}.${field.name}`, field })),
  );
};

type Field = ReturnType<typeof ROOTS>[number]['field'];

/** An operation that asks for as little as it can. */
function operationOf(kind: string, { name, args, type }: Field): string {
  const required = args.filter((arg) => String(arg.type).endsWith('!'));
  const variables = required.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const given = required.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selection = /^\[?(String|Boolean|Int|ID|JSON|DateTime)\b/.test(String(type)) ? '' : '{ __typename }';
  return `${kind.toLowerCase()} ${variables && `(${variables})`} { ${name}${given && `(${given})`} ${selection} }`;
}

async function graphql(query: string, authorization: string) {
  const headers = {
    authorization: `Bearer ${authorization}`,
    'content-type': 'application/json',
    accept: 'application/graphql-response+json',
  };
  const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return (await response.json()) as { data?: unknown; errors?: { extensions: { code: string; scope?: string } }[] };
}

describe('fields', () => {
  it('of the roots are all in the table', () => {
    expect(
      ROOTS()
        .map(({ path }) => path)
        .filter((path) => !(path in FIELD_SCOPES)),
    ).toEqual([]);
  });

  it('in the table all exist', () => {
    const named = Object.keys(FIELD_SCOPES).filter((path) => {
      const [type = '', field = ''] = path.split('.');
      const found = schema.getType(type);
      return !(found && 'getFields' in found && field in found.getFields());
    });
    expect(named).toEqual([]);
  });

  it('of the roots refuse a token without their scope', async () => {
    expect(ROOTS().length).toBeGreaterThan(30);
    for (const { path, field } of ROOTS()) {
      const scope = scopeOfField(path, true);
      if (!scope) continue;
      const { errors } = await graphql(operationOf(path.split('.')[0] as string, field), narrow[scope]);
      expect([path, errors?.[0]?.extensions]).toEqual([path, { code: 'FORBIDDEN', scope }]);
    }
  });

  it('inside an answer refuse it too, however they are selected', async () => {
    const extensions = { code: 'FORBIDDEN', scope: 'ACCOUNT' };
    for (const query of [
      '{ me { tokens { id } } }',
      '{ me { x: tokens { id } } }',
      '{ me { ... on Player { tokens { id } } } }',
      '{ ...f } fragment f on Query { me { ...p } } fragment p on Player { tokens { id } }',
    ]) {
      expect((await graphql(query, narrow.ACCOUNT)).errors).toMatchObject([{ extensions }]);
      expect((await graphql(query, token)).errors).toBeUndefined();
    }
    expect((await graphql('{ me { name } }', narrow.ACCOUNT)).data).toEqual({ me: { name: 'Ann' } });
  });
});

describe('a token', () => {
  const tokens = (secret: string) => restCall([server.url], secret);

  it('makes no token that allows more than itself', async () => {
    const { token: limited } = (await tokens(token)('POST', '/tokens', {
      name: 'some',
      scopes: ['ACCOUNT', 'READ'],
    })) as { token: string };
    await expect(tokens(limited)('POST', '/tokens', { name: 'more', scopes: ['PLAY'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { scope: 'PLAY' },
    });
    expect(await tokens(limited)('POST', '/tokens', { name: 'as many' })).toMatchObject({
      scopes: ['READ', 'ACCOUNT'],
    });
    await expect(tokens(limited)('POST', '/tokens', { name: 'none', scopes: [] })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });

  it('makes no token that outlives it, and none that has expired', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const made = (await tokens(token)('POST', '/tokens', { name: 'short', expiresAt })) as { token: string };
    expect(made).toMatchObject({ expiresAt, scopes: SCOPES });
    const later = new Date(Date.now() + 7_200_000).toISOString();
    for (const wish of [{}, { expiresAt: later }]) {
      expect(await tokens(made.token)('POST', '/tokens', { name: 'child', ...wish })).toMatchObject({ expiresAt });
    }
    const past = new Date(Date.now() - 1000).toISOString();
    const refused = { code: 'BAD_INPUT' };
    await expect(tokens(token)('POST', '/tokens', { name: 'late', expiresAt: past })).rejects.toMatchObject(refused);
  });
});
