/** Callers pay for the work that is done for them. */
import { buildSchema, type FieldNode, type OperationDefinitionNode } from 'graphql';
import { expect, test } from 'vitest';
import { measureOf, unusedBy } from '../../src/api/graphql/documents/cost.ts';
import { documents, isDocument, operationOf } from '../../src/api/graphql/documents/parsing.ts';
import { readSchema } from '../../src/api/graphql/schema.ts';
import { rateLimit } from '../../src/api/http/limits/admission.ts';
import { budget, paidFor, type Work, workOf } from '../../src/api/http/limits/work.ts';
import { readConfig } from '../../src/config.ts';
import { freeWork } from '../support/work.ts';

test('a budget is used up, refills steadily and never holds more than a minute’s worth', () => {
  let now = 0;
  const purse = budget(600, () => now);
  purse.pay('ann', 500);
  purse.pay('ann', 300); // the budget may become negative once
  expect(() => purse.pay('ann', 1)).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', details: { retryAfter: 20 } }),
  );
  purse.pay('ben', 1);
  now = 19_000;
  expect(purse.debtMs('ann')).toBe(1000);
  expect(() => purse.pay('ann', 1)).toThrow(/more work than 600 units a minute. Try again in 1 s/);
  now = 21_000;
  purse.pay('ann', 1);
  now = 10_000_000;
  purse.pay('ann', 600);
  purse.pay('ann', 1);
  expect(() => purse.pay('ann', 1)).toThrow(/units a minute/);
});

test('an answer has a greatest length', () => {
  const work = workOf(readConfig({ ANSWER_LIMIT_BYTES: '65536' }))(undefined, { ip: '127.0.0.1' } as never);
  work.answer(65_000);
  expect(() => work.answer(1000)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
});

test('a rate limit counts several requests at once', () => {
  const limit = rateLimit(10, () => 0);
  limit('ann', 9);
  expect(() => limit('ann', 2)).toThrow(/At most 10/);
  limit('ann');
  expect(() => limit('ann')).toThrow(/At most 10/);
});

async function* numbers(): AsyncGenerator<number> {
  for (let i = 0; ; i++) yield i;
}

test('deliveries are paid for, and come later when the budget is used up', async () => {
  let spent = 0;
  let debt = 0;
  const owe = (units: number) => {
    spent += units;
    return debt;
  };
  const work: Work = { ...freeWork, owe, debtMs: () => debt };
  const items = paidFor(numbers(), work, 30);
  await items.next();
  await items.next();
  expect(spent).toBe(60);
  debt = 60;
  const start = performance.now();
  setTimeout(() => {
    debt = 0;
  }, 30);
  expect(await items.next()).toEqual({ done: false, value: 2 });
  expect(performance.now() - start).toBeGreaterThan(50);
});

test('a subscriber who leaves while waiting for the budget is gone at once', async () => {
  const items = paidFor(numbers(), { ...freeWork, owe: () => 60_000, debtMs: () => 60_000 }, 1);
  const next = items.next();
  await items.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
});

test('other requests are answered while events are replayed', async () => {
  let turns = 0;
  const turn = async () => void turns++;
  const items = paidFor(numbers(), { ...freeWork, turn }, 50);
  for (let i = 0; i < 40; i++) await items.next();
  expect(turns).toBe(10);
});

const { GRAPHQL_MAX_DEPTH, GRAPHQL_MAX_ALIASES, GRAPHQL_MAX_COST, GRAPHQL_MAX_TOKENS } = readConfig({});
const check = documents(buildSchema(readSchema()), {
  depth: GRAPHQL_MAX_DEPTH,
  aliases: GRAPHQL_MAX_ALIASES,
  cost: GRAPHQL_MAX_COST,
  tokens: GRAPHQL_MAX_TOKENS,
});

test.each([
  ['export', 'match { export }', /An export cannot be part of a subscription.*Use a query/],
  ['view(at)', 'match { view(at: 3) }', /Match.view\(at\) cannot be part of a subscription/],
  ['board(at)', 'match { ...f }', /Match.board\(at\) cannot/],
  ['states', 'match { states(from: 1, to: 2) { version } }', /Match.states cannot be part of a subscription/],
  [
    'matchThen of others',
    'match { events { matchThen { view } } }',
    /matchThen can be requested only for the delivered event/,
  ],
  ['description(at)', 'match { a: description(at: $at) }', /Match.description\(at\) cannot/],
])('%s is refused inside a subscription', (_, fields, message) => {
  const fragment = fields.includes('...f') ? ' fragment f on Match { board(at: 1) }' : '';
  const variables = fields.includes('$at') ? '($at: Int)' : '';
  const result = check(`subscription ${variables} { matchEvents(matchId: "x") { ${fields} } }${fragment}`);
  expect(result).toMatchObject([{ message: expect.stringMatching(message) }]);
});

test('what a web page asks for with every event is not', () => {
  const fields =
    'version matchThen { view legalActions { label } } match { view board legalActions { label } description(at: null) }';
  expect(isDocument(check(`subscription { matchEvents(matchId: "x") { ${fields} } }`))).toBe(true);
  expect(isDocument(check('{ match(id: "x") { export board(at: 3) } }'))).toBe(true);
});

const costOf = (query: string): number => {
  const document = check(query);
  if (!isDocument(document)) throw new Error(String(document));
  return measureOf(operationOf(document, null) as OperationDefinitionNode).cost;
};

test('pages and states cost as much as they contain', () => {
  const matches = (page: string) => costOf(`{ matches(${page}) { edges { node { id } } } }`);
  expect(matches('first: 7')).toBe(1 + 7 * 3);
  expect(matches('first: 100, last: 7')).toBe(1 + 7 * 3);
  expect(matches('game: "cacao"')).toBe(1 + 20 * 3);
  const states = (range: string) =>
    costOf(`query${range.includes('$n') ? ' ($n: Int)' : ''} { match(id: "x") { states(${range}) { view } } }`);
  expect(states('from: 3, to: 12')).toBe(1 + 110 + 10 * 20);
  expect(states('from: 3')).toBe(1 + 110 + 100 * 20);
  expect(states('from: 3, to: $n')).toBe(1 + 110 + 100 * 20);
  expect(costOf('{ nodes(ids: ["a", "b"]) { id } }')).toBe(10 + 2);
  expect(costOf('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }')).toBe(10 + 100);
});

test('every mutation of an operation is counted, in fragments too', () => {
  const one = (name: string) => `${name}: setOrder(matchId: "x", order: null) { version }`;
  const document = check(`mutation { ${one('a')} ${one('b')} ...f } fragment f on Mutation { ${one('c')} }`);
  if (!isDocument(document)) throw new Error(String(document));
  const operation = operationOf(document, null);
  expect('operation' in operation && measureOf(operation)).toMatchObject({ kind: 'mutation', roots: 3 });
});

test('a page is paid for by what it contained', () => {
  const document = check('{ match(id: "m") { id events(first: 500) { version effects { text } } } }');
  if (!isDocument(document)) throw new Error(String(document));
  const operation = operationOf(document, null) as Parameters<typeof measureOf>[0];
  const match = operation.selectionSet.selections[0] as FieldNode;
  const events = match.selectionSet?.selections[1] as FieldNode;
  const fixed = measureOf(operation).cost - unusedBy([events], 0);
  expect(unusedBy([events], 500)).toBe(0);
  expect(unusedBy([events], 497)).toBe(3 * 5); // version, effects and about three texts
  expect(fixed).toBe(12); // match, id, and reading the log
  expect(unusedBy([match], 1)).toBe(0);

  let now = 0;
  const purse = budget(600, () => now);
  purse.pay('ann', 5000);
  purse.owe('ann', -4900);
  purse.pay('ann', 1);
  now = 1;
  purse.owe('ann', -9999); // never more than a full purse
  purse.pay('ann', 600);
  expect(() => purse.pay('ann', 1), 'the purse was not overfilled').not.toThrow();
  expect(() => purse.pay('ann', 1)).toThrow(/units a minute/);
});
