import { hmacSha256 } from '../crypto.ts';
import type { Rng } from './game.ts';

/**
 * An Rng that records whether it was used. Chance is drawn when it is revealed, so "used" means that something was
 * revealed.
 */
export interface WitnessedRng extends Rng {
  readonly used: boolean;
}

/**
 * The chance of one event: a stream of HMAC-SHA-256 blocks keyed by the match's seed, with a new stream for each
 * number.
 */
export const rngFor = (seed: Uint8Array, stream: number): WitnessedRng => new KeyedRng(seed, stream);

/**
 * A fast generator for bots, play-outs and tests (xoshiro128**). It is repeatable but predictable, so it is never used
 * for a real match.
 */
export const fastRng = (seed: number): Rng => new FastRng(seed);

/** An Rng from a source of 32-bit words. */
abstract class WordRng implements Rng {
  protected abstract next(): number;

  int(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 2 ** 32) throw new RangeError(`int(${n}): expected 1 to 2^32`);
    // Words above the largest multiple of n are drawn again: a bare remainder would favour small numbers.
    const limit = 2 ** 32 - (2 ** 32 % n);
    let word = this.next();
    while (word >= limit) word = this.next();
    return word % n;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(i + 1);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }
}

const EMPTY: Uint8Array = new Uint8Array();

class KeyedRng extends WordRng implements WitnessedRng {
  readonly #seed: Uint8Array;
  readonly #stream: number;
  #block = EMPTY;
  #blocks = 0;
  #at = 0;

  constructor(seed: Uint8Array, stream: number) {
    super();
    this.#seed = seed;
    this.#stream = stream;
  }

  get used(): boolean {
    return this.#blocks > 0;
  }

  protected next(): number {
    if (this.#at === this.#block.length) {
      // "atoll/draw" separates these blocks from every other use of the seed.
      const what = `atoll/draw/${this.#stream}/${this.#blocks++}`;
      this.#block = hmacSha256(this.#seed, what);
      this.#at = 0;
    }
    let word = 0;
    for (let i = 0; i < 4; i++) word = (word << 8) | (this.#block[this.#at++] as number);
    return word >>> 0;
  }
}

class FastRng extends WordRng {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    super();
    let x = seed | 0;
    const splitmix = () => {
      x = (x + 0x9e3779b9) | 0;
      let z = x;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return z ^ (z >>> 15);
    };
    this.#a = splitmix();
    this.#b = splitmix();
    this.#c = splitmix();
    this.#d = splitmix();
  }

  protected next(): number {
    const scrambled = Math.imul(this.#b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result >>> 0;
  }
}
