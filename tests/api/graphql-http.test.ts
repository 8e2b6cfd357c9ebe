import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { type TestApi, testApi } from '../support/test-api.ts';

let server: TestServer;
let api: TestApi;

beforeAll(async () => {
  api = testApi();
  server = await startServer(api, { GRAPHQL_MAX_DEPTH: '6', GRAPHQL_MAX_ALIASES: '5', GRAPHQL_MAX_COST: '1000' });
});
beforeEach(() => {
  server.log.length = 0;
});
afterAll(() => server.stop());

interface Answer {
  status: number;
  headers: Headers;
  body: { data?: unknown; errors?: { message: string; path?: unknown; extensions: Record<string, unknown> }[] };
}

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const ask = async (query: string, variables?: object) => (await post({ query, variables })).body;
const codes = ({ errors }: Answer['body']) => errors?.map((e) => e.extensions.code);

test('a token identifies the caller', async () => {
  const { body } = await post({ query: '{ viewer }' }, { authorization: 'Bearer tui' });
  expect(body).toEqual({ data: { viewer: 'tui' }, extensions: { cost: 1 } });
  expect(await ask('{ viewer }')).toEqual({ data: { viewer: null }, extensions: { cost: 1 } });
});

test('a wrong token is refused before anything runs', async () => {
  const { status, headers, body } = await post({ query: '{ hello }' }, { authorization: 'Bearer nobody' });
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="atoll"/);
  expect(body).toEqual({ errors: [{ message: 'This token is not valid.', extensions: { code: 'UNAUTHENTICATED' } }] });
});

test('a token is not called wrong because the database does not answer', async () => {
  const { status, headers, body } = await post({ query: '{ hello }' }, { authorization: 'Bearer down' });
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('2');
  expect(codes(body)).toEqual(['UNAVAILABLE']);
});

test('errors meant for the caller carry their code and details', async () => {
  expect(await ask('{ code(code: "STALE_VERSION") }')).toEqual({
    data: { code: null },
    errors: [
      {
        message: 'As you asked.',
        locations: [{ line: 1, column: 3 }],
        path: ['code'],
        extensions: { code: 'STALE_VERSION', version: 7 },
      },
    ],
    extensions: { cost: 1 },
  });
});

test.each(['{ bug }', '{ bugInside { id } }', '{ never }'])(
  'a bug says nothing of itself but in the log: %s',
  async (query) => {
    const body = await ask(query);
    expect(codes(body)).toEqual(['INTERNAL']);
    expect(JSON.stringify(body)).not.toMatch(/secret|null for non-nullable/);
    expect(server.log.join()).toMatch(/secret|Cannot return null/);
  },
);

test.each([
  ['syntax', '{ hello', undefined],
  ['empty', '', undefined],
  ['JSON instead of GraphQL', '{}', undefined],
  ['an AST instead of a text', JSON.stringify({ kind: 'Document', definitions: [] }), undefined],
  ['no such field', '{ nothing }', undefined],
  ['a wrong literal', '{ nodes(first: "two") { id } }', undefined],
  ['a wrong variable', 'query ($n: Int) { nodes(first: $n) { id } }', { n: 'two' }],
  ['a scalar that throws', 'query ($v: JSON) { echo(value: $v) }', { v: 'bad' }],
  ['a missing variable', 'mutation ($n: Int!) { add(n: $n) }', {}],
  ['a subscription without a stream', 'subscription { count(to: 1) }', undefined],
  [
    'introspection without end',
    `{ __schema { types { ${'fields { type { '.repeat(9)} name ${'} }'.repeat(9)} } } }`,
    undefined,
  ],
])('the caller is at fault: %s', async (_, query, variables) => {
  const body = await ask(query, variables);
  expect(body.data).toBeUndefined();
  expect(codes(body)).toEqual(codes(body)?.map(() => 'BAD_INPUT'));
  const modern = await post({ query, variables }, { accept: 'application/graphql-response+json' });
  expect(modern.status).toBe(400);
  expect(server.log).toEqual([]);
});

test.each([
  ['depth', '{ node { next { next { next { next { next { next { id } } } } } } } }'],
  [
    'depth by fragments',
    '{ node { ...a } } fragment a on Node { next { next { ...b } } } fragment b on Node { next { next { next { id } } } }',
  ],
  ['aliases', '{ a: hello b: hello c: hello d: hello e: hello f: hello }'],
  ['cost by size', '{ nodes(first: 500) { id owner } }'],
  ['cost by default sizes', '{ nodes { many { many { id } } } }'],
  ['cost by lists', '{ node { list { list { list { id } } } } }'],
  ['cost by pages', '{ page(first: 100) { edges { node { id list { id } } } } }'],
  ['cost by variable', 'query ($n: Int) { nodes(first: $n) { many(first: $n) { id } } }'],
  [
    'cost by fragments',
    `{ node { ...f0 } } ${Array.from({ length: 20 }, (_, i) => `fragment f${i} on Node { ...f${i + 1} ...f${i + 1} }`).join(' ')} fragment f20 on Node { id }`,
  ],
  [
    'introspection by aliases',
    `{ ${Array.from({ length: 9 }, (_, i) => `a${i}: __schema { types { name } }`).join(' ')} }`,
  ],
  [
    'introspection by cost',
    '{ a: __schema { types { name } } b: __schema { types { name } } c: __type(name: "Node") { name } }',
  ],
  ['repeats', `{ ${'hello '.repeat(200)} }`],
  [
    'repeats by fragments',
    `{ ${Array.from({ length: 60 }, (_, i) => `...f${i}`).join(' ')} } ${Array.from({ length: 60 }, (_, i) => `fragment f${i} on Query { hello viewer }`).join(' ')}`,
  ],
  ['tokens', `{ ${'hello '.repeat(3000)} }`],
])('documents have limits: %s', async (_, query) => {
  const { user: before } = process.cpuUsage();
  const body = await ask(query);
  expect(body.data).toBeUndefined();
  expect(codes(body)).toEqual(['BAD_INPUT']);
  expect(body.errors?.[0]?.message).toMatch(/exceeds the limit|more that|cyclic/i);
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(5000);
});

test('the edges of a page are counted once', async () => {
  const { data } = await ask('{ page(first: 100) { edges { node { id owner } } } }');
  expect((data as { page: { edges: object[] } }).page.edges).toHaveLength(100);
});

test('GraphiQL may read the schema', async () => {
  const { getIntrospectionQuery } = await import('graphql');
  expect((await ask(getIntrospectionQuery())).errors).toBeUndefined();
});

test('loaders get all objects of a level at once', async () => {
  expect(await ask('{ nodes(first: 3) { owner } }')).toMatchObject({
    data: { nodes: [{ owner: '3:n0' }, { owner: '3:n1' }, { owner: '3:n2' }] },
  });
});

test('an input that is left out always has its default', async () => {
  for (let i = 0; i < 3; i++) expect(await ask('mutation { add(n: 1) }')).toMatchObject({ data: { add: 2 } });
});

test.each([
  ['not JSON', '{"query":', 400],
  ['no body', '', 400],
  ['a batch', [{ query: '{ hello }' }], 400],
  ['a number', '3', 400],
  ['null', 'null', 400],
  ['no query', {}, 400],
  ['a query that is a number', { query: 3 }, 400],
  ['variables that are a list', { query: '{ hello }', variables: [] }, 400],
  ['poison', '{"query":"{ hello }","__proto__":{"a":1}}', 400],
  ['too long', { query: `{ hello } # ${'x'.repeat(300_000)}` }, 413],
])('a request that is none: %s', async (_, body, status) => {
  const answer = await post(body);
  expect(answer.status).toBe(status);
  expect(codes(answer.body)).toEqual(['BAD_INPUT']);
  expect(server.log).toEqual([]);
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/graphql', 'nonsense'])(
  'the media type %s is not read',
  async (type) => {
    const answer = await post('{"query":"{ hello }"}', { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(codes(answer.body)).toEqual(['BAD_INPUT']);
  },
);

test('only content types that can be sent are accepted', async () => {
  expect((await post({ query: '{ hello }' }, { accept: 'text/html' })).status).toBe(406);
  const answer = await post({ query: '{ hello }' }, { accept: 'text/html, application/*;q=0.5' });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('GET allows queries but no mutations', async () => {
  const get = (query: string, more = '') => fetch(`${server.url}/graphql?query=${encodeURIComponent(query)}${more}`);
  expect(await (await get('{ hello }')).json()).toMatchObject({ data: { hello: 'hello' } });
  const refused = await get('mutation { add(n: 1) }');
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await get('{ hello }', '&operationName=Nope')).status).toBe(200);
  expect((await get('{ hello }', '&variables=%7B')).status).toBe(400);
  for (const name of ['variables', 'extensions', 'query', 'operationName']) {
    for (const times of [2, 500]) expect((await get('{ hello }', `&${name}=%7B%7D`.repeat(times))).status).toBe(400);
  }
});
