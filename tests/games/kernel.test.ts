import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hmacSha256, hmacSha256Hex, sha256, toHex } from '../../src/crypto.ts';
import { AtollError } from '../../src/errors.ts';
import { canonical } from '../../src/games/canonical.ts';
import type { Game } from '../../src/games/game.ts';
import { clone, isPlainJson, lookUp, same, stateHash } from '../../src/games/play.ts';
import { registryOf } from '../../src/games/registry.ts';
import { fastRng, rngFor } from '../../src/games/rng.ts';

const seed = Buffer.alloc(32, 7);
const draws = (rng: { int(n: number): number }, n = 1000, times = 64) =>
  Array.from({ length: times }, () => rng.int(n));

describe('rngFor', () => {
  it('repeats itself for the same seed and version and for no other', () => {
    expect(draws(rngFor(seed, 3))).toEqual(draws(rngFor(seed, 3)));
    expect(draws(rngFor(seed, 3))).not.toEqual(draws(rngFor(seed, 4)));
    expect(draws(rngFor(seed, 3))).not.toEqual(draws(rngFor(Buffer.alloc(32, 8), 3)));
  });

  it('keeps its streams for ever: a changed stream would replay every old log differently', () => {
    expect(draws(rngFor(seed, 1), 100, 8)).toMatchInlineSnapshot(`
      [
        97,
        39,
        24,
        21,
        39,
        32,
        20,
        60,
      ]
    `);
    expect(rngFor(seed, 1).shuffle([1, 2, 3, 4, 5, 6, 7, 8])).toMatchInlineSnapshot(`
      [
        5,
        3,
        7,
        4,
        2,
        1,
        8,
        6,
      ]
    `);
  });

  it('knows whether it was used', () => {
    const rng = rngFor(seed, 1);
    expect(rng.used).toBe(false);
    rng.shuffle(['one']);
    expect(rng.used).toBe(false);
    rng.pick(['one', 'two']);
    expect(rng.used).toBe(true);
  });
});

describe.each([
  ['rngFor', rngFor(seed, 1)],
  ['fastRng', fastRng(1)],
])('%s', (_name, rng) => {
  it('is fair enough: every number of 0 to 5 comes up about equally often', () => {
    const counts = new Array(6).fill(0);
    for (let i = 0; i < 60_000; i++) counts[rng.int(6)]++;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  it('shuffles without losing anything and leaves its input alone', () => {
    const items = Object.freeze([1, 2, 3, 4, 5]);
    expect(rng.shuffle(items).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 33])('refuses int(%s)', (n) => {
    expect(() => rng.int(n)).toThrow(RangeError);
  });
});

describe('hashes', () => {
  const parts = [[], [''], ['ē'.repeat(40), seed], [seed, Buffer.alloc(70_000, 1), 'x'], [Buffer.alloc(200_000)]];

  it.each(parts.map((list, i) => [i, list] as const))('are those of Node, list of parts %s', (_i, list) => {
    const bytes = Buffer.concat(list.map((part) => Buffer.from(part)));
    expect(toHex(sha256(...list))).toBe(createHash('sha256').update(bytes).digest('hex'));
    for (const key of [seed, Buffer.alloc(0), Buffer.alloc(64, 9), Buffer.alloc(65, 9)]) {
      const wanted = createHmac('sha256', key).update(bytes).digest('hex');
      expect([toHex(hmacSha256(key, ...list)), hmacSha256Hex(key, ...list)]).toEqual([wanted, wanted]);
    }
  });
});

describe('canonical', () => {
  it('sorts keys at every depth and is JSON', () => {
    expect(canonical({ b: [1, { d: null, c: 'x"y' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x\\"y","d":null}]}');
  });

  it('writes what JSON writes, whatever the characters, the numbers and the length', () => {
    const texts = [
      '',
      'plain',
      'x"y\\z',
      '\n\u0001\u007f',
      'Haleakal\u0101',
      '\u{1f334}',
      'lone \ud83c',
      'y'.repeat(70_000),
    ];
    const numbers = [0, 7, -1, 10, 99, -100, 4095, 1.5, 1e21, 2 ** 31 - 1, -(2 ** 31), 2 ** 53, 1e-7, Number.MAX_VALUE];
    for (const value of [
      ...texts,
      ...numbers,
      true,
      null,
      texts,
      [numbers, [[]]],
      { a: texts, b: { '"': 1, ä: {} } },
    ]) {
      expect(canonical(value) === JSON.stringify(value)).toBe(true);
    }
    expect(canonical('short again')).toBe('"short again"');
  });

  it('writes keys in full wherever its buffer ends', () => {
    for (let length = 65_500; length <= 65_540; length++) {
      const value = { a: 'y'.repeat(length), 'b, é and more': { c: 1, longerThanFour: [2] } };
      expect(canonical(value) === JSON.stringify(value)).toBe(true);
    }
  });

  it('sorts keys by their code units, whatever their order, and however many kinds of objects there were', () => {
    const value = { b: 1, 10: 2, a: 3, 2: 4, B: 5, é: 6 };
    const wanted = '{"10":2,"2":4,"B":5,"a":3,"b":1,"é":6}';
    for (let n = 0; n < 3; n++) {
      expect(canonical(value)).toBe(wanted);
      for (let i = 0; i < 3000; i++) canonical({ [`key ${n} ${i}`]: { z: i, [`y ${i}`]: i } });
    }
    expect(canonical({ é: 6, B: 5, 2: 4, a: 3, 10: 2, b: 1 })).toBe(wanted);
  });

  it('agrees with same', () => {
    const values = [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
      { a: 1 },
      { a: 1, c: [2] },
      [1],
      ['1'],
      {},
      [],
      null,
      { a: { a: 1, b: [2] } },
    ];
    for (const x of values) for (const y of values) expect(same(x, y)).toBe(canonical(x) === canonical(y));
  });
});

it('clone copies at every depth', () => {
  const value = { a: [1, { b: null }] };
  const copy = clone(value);
  expect(copy).toEqual(value);
  (copy.a[1] as { b: unknown }).b = 5;
  expect(value).toEqual({ a: [1, { b: null }] });
});

it('stateHash depends on the seed and not on the order of keys', () => {
  expect(stateHash(seed, { a: 1, b: 2 })).toBe(stateHash(seed, { b: 2, a: 1 }));
  expect(stateHash(seed, { a: 1 })).not.toBe(stateHash(Buffer.alloc(32, 8), { a: 1 }));
});

describe('what is not plain JSON', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  it.each([
    [undefined],
    [() => 1],
    [Number.NaN],
    [new Date()],
    [new Map()],
    [{ a: undefined }],
    [1n],
    [Symbol('x')],
    [cyclic],
  ])('%s is refused', (value) => {
    expect(isPlainJson(value)).toBe(false);
  });

  it.each([[undefined], [null], [1], ['place'], [[]], [cyclic], [{ a: undefined }]])('%s is no action', (value) => {
    const game = { legal: () => [{ kind: 'wait' }] } as unknown as Game;
    expect(() => lookUp(game, {}, 0, value)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
  });

  it('an action with a __proto__ key is no action: a copy of it would inherit', () => {
    const game = { legal: () => [{ kind: 'wait' }], result: () => null } as unknown as Game;
    const action = JSON.parse('{"kind":"wait","__proto__":{"kind":"wait"}}');
    expect(() => lookUp(game, {}, 0, action)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
  });
});

describe('registryOf', () => {
  const version = (id: string, rules: number) => ({ id, rules }) as Game;
  const { games, versions, game } = registryOf([
    [version('go', 1), version('go', 3)],
    version('chess', 2),
    version('go', 2),
  ]);

  it('offers the newest rules and finds the old ones', () => {
    expect(games.map(({ id, rules }) => `${id}${rules}`)).toEqual(['go3', 'chess2']);
    expect(game('go').rules).toBe(3);
    expect(game('go', 1).rules).toBe(1);
    expect(versions.map(({ id, rules }) => `${id}${rules}`)).toEqual(['go1', 'go3', 'chess2', 'go2']);
  });

  it('refuses the same rules of a game twice', () => {
    expect(() => registryOf([version('go', 1), [version('go', 1)]])).toThrow('go has rules 1 twice');
  });

  it('says what there is when a game or its rules are unknown', () => {
    expect(() => game('poker')).toThrow('There is no game "poker". The games are: go, chess');
    expect(() => game('go', 9)).toThrow('The game "go" has no rules version 9');
    expect(() => game('poker')).toThrow(AtollError);
  });
});
