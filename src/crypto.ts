/**
 * All the cryptography that rules and proofs need, in one module. The page in which a browser proves a match is built
 * with web/src/proof/crypto.ts in its place, so that there is only one verifier.
 */
import { hash } from 'node:crypto';

export { randomBytes } from 'node:crypto';

type Part = string | Uint8Array;

/**
 * Everything is hashed in one call, and the digest is read as text ("binary" is one character for each byte): this
 * takes half the time of a Hash object, and leaves no memory outside the heap for the garbage collector to release.
 */
export const sha256 = (...parts: Part[]): Uint8Array => Buffer.from(hash('sha256', joined(parts), 'binary'), 'binary');

/** Enough for any state. What is longer gets a buffer of its own. */
const USUAL_BYTES = 65_536;

const usual = Buffer.allocUnsafeSlow(USUAL_BYTES);

function joined(parts: readonly Part[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only instanceof Uint8Array) return only;
  let length = 0;
  for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  const bytes = length > USUAL_BYTES ? Buffer.allocUnsafeSlow(length) : usual;
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') at += bytes.write(part, at);
    else {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return bytes.subarray(0, length);
}

/** The bytes that SHA-256 takes in at a time. */
const BLOCK = 64;

const inner = Buffer.alloc(BLOCK);
const outer = Buffer.alloc(BLOCK);

/** HMAC as RFC 2104 defines it: two hashes, which take less time than an Hmac object. */
export function hmacSha256(key: Uint8Array, ...parts: Part[]): Uint8Array {
  const secret = key.length > BLOCK ? sha256(key) : key;
  for (let i = 0; i < BLOCK; i++) {
    const byte = secret[i] ?? 0;
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  return sha256(outer, sha256(inner, ...parts));
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const fromHex = (text: string): Uint8Array => Buffer.from(text, 'hex');
