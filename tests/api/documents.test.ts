import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { documents, isDocument, operationOf } from '../../src/api/documents.ts';

const schema = buildSchema('type Query { hello: String } type Mutation { go: Int }');
const open = () => documents(schema, { depth: 5, aliases: 5, cost: 100, tokens: 100 });

test('a document is parsed and checked once', () => {
  const check = open();
  const first = check('{ hello }');
  expect(isDocument(first)).toBe(true);
  expect(check('{ hello }')).toBe(first);
});

test('the least recently used of many is forgotten, and one that is in use is not', () => {
  const check = open();
  const [kept, forgotten] = [check('{ hello } # kept'), check('{ hello } # forgotten')];
  for (let i = 0; i < 999; i++) {
    check(`{ hello } # ${i}`);
    check('{ hello } # kept');
  }
  expect(check('{ hello } # kept')).toBe(kept);
  expect(check('{ hello } # forgotten')).not.toBe(forgotten);
});

test('long ones and wrong ones take no room', () => {
  const check = open();
  const long = `{ hello } # ${'x'.repeat(10_000)}`;
  expect(check(long)).not.toBe(check(long));
  expect(check('{ nothing }')).not.toBe(check('{ nothing }'));
});

test('one of several operations must be named', () => {
  const document = open()('query A { hello } mutation B { go }');
  if (!isDocument(document)) throw document[0];
  expect(operationOf(document, 'B')).toBe('mutation');
  expect(operationOf(document, undefined)).toMatchObject({ message: 'The document has several operations: name one.' });
  expect(operationOf(document, 'C')).toMatchObject({ message: 'The document has no operation "C".' });
});
