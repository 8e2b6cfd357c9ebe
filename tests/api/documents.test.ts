import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import {
  documents,
  isDocument,
  KEPT_CHARACTERS,
  LONGEST_KEPT,
  operationOf,
} from '../../src/api/graphql/documents/parsing.ts';

const schema = buildSchema('type Query { hello: String } type Mutation { go: Int }');
const open = () => documents(schema, { depth: 5, aliases: 5, cost: 100, tokens: 100 });

test('a document is parsed and checked once', () => {
  const check = open();
  const first = check('{ hello }');
  expect(isDocument(first)).toBe(true);
  expect(check('{ hello }')).toBe(first);
});

test('the least recently used document is forgotten, and one that is in use is not', () => {
  const check = open();
  const [kept, forgotten] = [check('{ hello } # kept'), check('{ hello } # forgotten')];
  for (let i = 0; i < 999; i++) {
    check(`{ hello } # ${i}`);
    check('{ hello } # kept');
  }
  expect(check('{ hello } # kept')).toBe(kept);
  expect(check('{ hello } # forgotten')).not.toBe(forgotten);
});

test('long and invalid documents are not stored', () => {
  const check = open();
  const long = `{ hello } #`.padEnd(LONGEST_KEPT + 1, 'x');
  expect(check(long)).not.toBe(check(long));
  expect(check('{ nothing }')).not.toBe(check('{ nothing }'));
});

test('all stored documents together are limited in length', () => {
  const check = open();
  const long = (i: number) => `{ hello } # ${i} `.padEnd(LONGEST_KEPT, 'x');
  const fit = Math.floor(KEPT_CHARACTERS / LONGEST_KEPT);
  // Each round fills all the space again, so what was forgotten must have been freed.
  for (let round = 0; round < 3; round++) {
    const sources = Array.from({ length: fit + 1 }, (_, i) => long(round * (fit + 1) + i));
    const first = sources.map(check);
    const again = sources.slice(1).map(check);
    expect(again.every((document, i) => document === first[i + 1])).toBe(true);
    expect(check(sources[0] as string)).not.toBe(first[0]);
  }
});

test('one of several operations must be named', () => {
  const document = open()('query A { hello } mutation B { go }');
  if (!isDocument(document)) throw document[0];
  expect(operationOf(document, 'B')).toMatchObject({ operation: 'mutation' });
  expect(operationOf(document, undefined)).toMatchObject({
    message: 'The document has several operations. Name one of them.',
  });
  expect(operationOf(document, 'C')).toMatchObject({ message: 'The document has no operation "C".' });
});
