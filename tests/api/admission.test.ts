import { expect, test } from 'vitest';
import { addressKey, cap, rateLimit } from '../../src/api/http/limits/admission.ts';

test('places are taken and given back, each once', () => {
  const places = cap(2);
  const release = places.take('a');
  places.take('a');
  expect(places.take('a')).toBeUndefined();
  expect(places.take('b')).toBeDefined();
  expect(places.size).toBe(3);
  release?.();
  release?.();
  expect(places.size).toBe(2);
  expect(places.take('a')).toBeDefined();
  expect(places.take('a')).toBeUndefined();
});

test('a minute is forgotten after a minute', () => {
  let time = 0;
  const take = rateLimit(2, () => time);
  take('a');
  take('a');
  expect(() => take('a')).toThrow('Try again in 60 s');
  take('b');
  time = 59_999;
  expect(() => take('a')).toThrow('Try again in 1 s');
  time = 60_000;
  take('a');
});

test('a look at what is left takes nothing', () => {
  const take = rateLimit(1, () => 0);
  take.check('a');
  take.check('a');
  take('a');
  expect(() => take.check('a')).toThrow('Try again in 60 s');
  take.check('b');
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the address %s counts as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key);
});
