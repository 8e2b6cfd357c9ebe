import { expect, it } from 'vitest';
import { fastRng } from '../../src/games/rng.ts';
import { isoTime } from '../../src/iso-time.ts';

/** The furthest that a date can be from 1970, in milliseconds. */
const FURTHEST = 8.64e15;

it.each([0, 1, 999, 1000, -1, -999, -1000, -62_198_755_200_000, 253_402_300_799_999, 253_402_300_800_000])(
  'the time %i has the same text as in JavaScript',
  (time) => expect(isoTime(new Date(time))).toBe(new Date(time).toISOString()),
);

it('times that are near each other and far from each other have the same text as in JavaScript', () => {
  const chance = fastRng(1);
  let time = Date.UTC(2026, 10, 19, 23, 59, 59, 990);
  for (let i = 0; i < 2000; i++) {
    time = i % 100 === 99 ? chance.int(2 ** 31) * 4_000_000 - FURTHEST / 2 : time + chance.int(1500) - 500;
    expect(isoTime(new Date(time))).toBe(new Date(time).toISOString());
  }
});

it('what is no time has no text', () => {
  expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError);
  expect(isoTime(new Date(5))).toBe('1970-01-01T00:00:00.005Z');
});
