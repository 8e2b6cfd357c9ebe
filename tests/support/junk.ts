/** The values that a fuzzer sends: of every kind, awkward ones first, all of them derived from the seed. */
import type { Rng } from '../../src/games/game.ts';

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\u202e',
  '🏝️'.repeat(20),
  'x'.repeat(101),
  'x'.repeat(5000),
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e400',
  "' OR 1=1; --",
  '../../etc/passwd',
  '%00',
  '00000000-0000-7000-8000-000000000000',
  'PUBLIC',
  'highest',
  '$1',
  '\r\nx-evil: 1',
];
const NUMBERS = [0, 1, 2, 3, -1, 0.5, -0.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, 1e308, 5e-324];
const KEYS = ['a', 'type', 'card', '__proto__', 'constructor', 'prototype', 'toString', 'length', '$ref', '', '0'];

export const junkText = (rng: Rng): string => rng.pick(TEXTS);

/** Encodes a text for a URL. Texts that are not valid Unicode cannot be encoded. */
export const junkParam = (rng: Rng): string => encodeURIComponent(junkText(rng).replace(/\p{Cs}/gu, '_'));

/** A JSON text, not a value: texts can hold what no object literal can, such as a key `__proto__`. */
export function junkJson(rng: Rng, depth = 3): string {
  const kind = rng.int(depth > 0 ? 8 : 5);
  if (kind === 0) return rng.pick(['true', 'false', 'null']);
  if (kind <= 2) return JSON.stringify(junkText(rng));
  if (kind <= 4) return JSON.stringify(rng.pick(NUMBERS));
  const items = Array.from({ length: rng.int(4) }, () => junkJson(rng, depth - 1));
  if (kind === 5) return `[${items}]`;
  return `{${items.map((item) => `${JSON.stringify(rng.pick(KEYS))}:${item}`)}}`;
}

/** Texts that are not JSON, or far too much of it. */
export const junkBody = (rng: Rng): string =>
  rng.pick([
    () => '',
    () => '{',
    () => '{"name":}',
    () => '{"name":"Ann"',
    () => '\ufeff{}',
    () => "{'name':'Ann'}",
    () => '{"name":"\u0000"}',
    () => '{"name":"Ann","name":"Ben"}',
    () => '{"__proto__":{"admin":true},"name":"Ann"}',
    () => '{"constructor":{"prototype":{"admin":true}},"name":"Ann"}',
    () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    () => `{"options":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},"game":"highest","seats":2}`,
    () => `{"action":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    () => JSON.stringify({ name: 'x'.repeat(300_000) }),
    () => junkJson(rng),
    () => junkJson(rng),
  ])();

/** A copy of a JSON text's value in which one place holds something else. */
export function damaged(text: string, rng: Rng): string {
  const root = JSON.parse(text) as Record<string, unknown>;
  let place = root;
  for (;;) {
    const keys = Object.keys(place);
    const key = rng.pick(keys);
    const inside = place[key];
    if (typeof inside === 'object' && inside !== null && Object.keys(inside).length > 0 && rng.int(4) > 0) {
      place = inside as Record<string, unknown>;
      continue;
    }
    place[key] = JSON.parse(junkJson(rng, 1));
    return JSON.stringify(root);
  }
}

const RIGHT: Record<string, string> = {
  name: '"Fay"',
  game: '"highest"',
  seats: '2',
  options: '{}',
  visibility: '"PUBLIC"',
  sit: 'true',
  entropy: '"salt"',
  action: '{"type":"card","card":1}',
  expectedVersion: '4',
  actionId: '"an id"',
  at: '3',
};

/** An object in which everything is valid except one field. */
export function nearlyRight(fields: readonly string[], rng: Rng, more: Record<string, string> = {}): string {
  const right = { ...RIGHT, ...more };
  const wrong = fields.length > 0 ? rng.pick(fields) : '';
  const junk = () => (rng.int(2) === 0 ? JSON.stringify(junkText(rng)) : junkJson(rng));
  const given = fields.filter((name) => name === wrong || name in right);
  return `{${given.map((name) => `"${name}":${name === wrong ? junk() : right[name]}`)}}`;
}
