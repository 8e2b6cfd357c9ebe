import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isTooDeep } from '../../src/api/http/json.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { testApi } from '../support/test-api.ts';

// Every input is answered with a code and a message, never with 500.

let server: TestServer;

beforeAll(async () => {
  const plenty = '10000000';
  server = await startServer(testApi(), { RATE_LIMIT_PER_ADDRESS: plenty, RATE_LIMIT_PER_PLAYER: plenty });
});
beforeEach(() => {
  server.log.length = 0;
});
afterAll(() => server.stop());

/** Seeded, so that a failure can be reproduced. */
function random(seed: number) {
  let state = seed >>> 0;
  const next = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return { next, pick: <T>(items: readonly T[]) => items[next(items.length)] as T };
}
type Random = ReturnType<typeof random>;

const SCRAPS = [
  '',
  '0',
  '-1',
  '1e999',
  'null',
  '""',
  '"\\u0000"',
  '\u0000',
  '\ud800',
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '$',
  '...',
  '#',
  '__proto__',
  '💥',
  '"""',
  '@skip(if: true)',
  'first: 99999999999999999999',
];

/** The text with a few pieces cut out, doubled or replaced by scraps. */
function mutated(text: string, { next, pick }: Random): string {
  let result = text;
  for (let n = 1 + next(4); n > 0; n--) {
    const [from, length] = [next(result.length + 1), next(8)];
    const piece = result.slice(from, from + length);
    result = result.slice(0, from) + pick([pick(SCRAPS), '', piece + piece]) + result.slice(from + length);
  }
  return result;
}

/** An unpaired surrogate cannot be part of a URL. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''));

function anyValue(r: Random, depth = 0): unknown {
  const kind = r.next(depth > 4 ? 5 : 7);
  if (kind < 5) return [null, r.next(2) === 0, r.next(1000) - 500, r.pick(SCRAPS), 0.1][kind];
  const items = Array.from({ length: r.next(4) }, () => anyValue(r, depth + 1));
  return kind === 5
    ? items
    : Object.fromEntries(items.map((v, i) => [r.pick(['query', 'variables', 'seats', 'n', `k${i}`]), v]));
}

async function refusedOrAnswered(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(server.url + path, init);
  const body = JSON.parse(await response.text()) as { code?: string; errors?: { extensions?: { code?: string } }[] };
  const seen = JSON.stringify([path, init, response.status, body]);
  expect(response.status, seen).toBeLessThan(500);
  if (response.status >= 400 && !body.errors) expect(body.code, seen).toBeDefined();
  for (const error of body.errors ?? [])
    expect(['BAD_INPUT', 'UNAUTHENTICATED', 'STALE_VERSION'], seen).toContain(error.extensions?.code);
}

const VALID = [
  JSON.stringify({
    query: 'query Q($n: Int, $v: JSON) { nodes(first: $n) { id owner next { id } } echo(value: $v) }',
    variables: { n: 3, v: { a: [1, 'x'] } },
  }),
  JSON.stringify({ query: 'mutation { add(n: 1, m: 2) }', operationName: null, extensions: {} }),
  JSON.stringify({ query: '{ node { ...f } code(code: "STALE_VERSION") } fragment f on Node { id list { id } }' }),
];

test.each(Array.from({ length: 8 }, (_, seed) => seed))('broken requests, seed %i', async (seed) => {
  const r = random(seed);
  for (let i = 0; i < 40; i++) {
    const json = {
      'content-type': 'application/json',
      accept: r.pick(['*/*', 'application/graphql-response+json', 'application/json']),
    };
    const body = r.next(3) === 0 ? (JSON.stringify(anyValue(r)) ?? '') : mutated(r.pick(VALID), r);
    await refusedOrAnswered('/graphql', { method: 'POST', headers: json, body });
    await refusedOrAnswered('/v1/things', {
      method: 'POST',
      headers: json,
      body: mutated('{"seats":3,"nested":{"deep":"x"}}', r),
    });
    await refusedOrAnswered(
      `/graphql?query=${encoded(mutated('{ hello }', r))}&variables=${encoded(mutated('{"n":1}', r))}`,
      {},
    );
    const authorization = mutated('Bearer tui', r).replace(/[^ -~]/g, '?');
    await refusedOrAnswered('/v1/things/1', { headers: { authorization } });
  }
  expect(server.log).toEqual([]);
});

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each([
  [
    'by POST',
    100_000,
    (value: string) => ['/graphql', `{"query":"query ($v: JSON) { echo(value: $v) }","variables":{"v":${value}}}`],
  ],
  ['by GET', 5000, (value: string) => [`/graphql?query=query($v:JSON){echo(value:$v)}&variables={"v":${value}}`]],
  ['by REST', 100_000, (value: string) => ['/v1/things', `{"seats":${value}}`]],
] as const)('values without a bottom, %s', async (_, depth, request) => {
  const [path, body] = request(nested(depth));
  await refusedOrAnswered(
    path as string,
    body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body } : {},
  );
  expect(server.log).toEqual([]);
});

test('depth is counted outside of texts', () => {
  expect(isTooDeep(nested(200))).toBe(false);
  expect(isTooDeep(nested(201))).toBe(true);
  expect(isTooDeep(JSON.stringify(['['.repeat(1000), '\\"{'.repeat(500)]))).toBe(false);
  expect(isTooDeep(JSON.stringify(Array.from({ length: 500 }, () => [{}])))).toBe(false);
});
