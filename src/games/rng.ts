import { createHmac } from 'node:crypto';
import type { Rng } from './game.ts';

/** An Rng that knows whether it was asked: since chance is drawn when it is revealed, "used" means "something was revealed". */
export interface WitnessedRng extends Rng {
  readonly used: boolean;
}

/** The chance of one event: a stream of HMAC-SHA-256 blocks keyed by the match's seed, a fresh one for each version. */
export function rngFor(seed: Uint8Array, version: number): WitnessedRng {
  let block = Buffer.alloc(0);
  let blocks = 0;
  let at = 0;
  const next = () => {
    if (at === block.length) {
      // "atoll/draw" keeps these blocks apart from every other use of the seed.
      block = createHmac('sha256', seed).update(`atoll/draw/${version}/${blocks++}`).digest();
      at = 0;
    }
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  return Object.defineProperty(rngFrom(next), 'used', { get: () => blocks > 0 }) as WitnessedRng;
}

/** A fast generator for bots, play-outs and tests (xoshiro128**): repeatable, but predictable, so never for a real match. */
export function fastRng(seed: number): Rng {
  let x = seed | 0;
  const splitmix = () => {
    x = (x + 0x9e3779b9) | 0;
    let z = x;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let [a, b, c, d] = [splitmix(), splitmix(), splitmix(), splitmix()];
  return rngFrom(() => {
    const scrambled = Math.imul(b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result >>> 0;
  });
}

/** An Rng from a source of 32-bit words. */
function rngFrom(next: () => number): Rng {
  const int = (n: number): number => {
    if (!Number.isInteger(n) || n < 1 || n > 2 ** 32) throw new RangeError(`int(${n}): expected 1 to 2^32`);
    // Words above the largest multiple of n are drawn again: a bare remainder would favour small numbers.
    const limit = 2 ** 32 - (2 ** 32 % n);
    let word = next();
    while (word >= limit) word = next();
    return word % n;
  };
  return {
    int,
    pick<T>(items: readonly T[]): T {
      return items[int(items.length)] as T;
    },
    shuffle<T>(items: readonly T[]): T[] {
      const out = [...items];
      for (let i = out.length - 1; i > 0; i--) {
        const j = int(i + 1);
        [out[i], out[j]] = [out[j] as T, out[i] as T];
      }
      return out;
    },
  };
}
