/**
 * All the cryptography that rules and proofs need, in one module. The page in which a browser proves a match is built
 * with web/src/proof/crypto.ts in its place, so that there is only one verifier.
 */
import { hash } from 'node:crypto';

export { randomBytes } from 'node:crypto';

type Part = string | Uint8Array;

/** The bytes that SHA-256 takes in at a time, and those that it gives. */
const [BLOCK, DIGEST] = [64, 32];

/**
 * Everything is hashed in one call, and the digest is read as text ("binary" is one character for each byte): this
 * takes half the time of a Hash object, and leaves no memory outside the heap for the garbage collector to release.
 */
export function sha256(...parts: Part[]): Uint8Array {
  const [only] = parts;
  return bytesOf(hash('sha256', parts.length === 1 && only !== undefined ? only : joined(parts), 'binary'));
}

/** The same in hexadecimal digits. */
export const sha256Hex = (...parts: Part[]): string => hash('sha256', joined(parts), 'hex');

/** Not a small Buffer, which would be a piece of 8 kB that Node shares out, and keep all of them in memory. */
function bytesOf(digest: string): Uint8Array {
  const bytes = new Uint8Array(DIGEST);
  for (let i = 0; i < DIGEST; i++) bytes[i] = digest.charCodeAt(i);
  return bytes;
}

/** Enough for any state. What is longer gets a buffer of its own. */
const USUAL_BYTES = 65_536;

const usual = Buffer.allocUnsafeSlow(USUAL_BYTES);

/** The parts one after another, with room for so many bytes before them. The next call overwrites them. */
function joined(parts: readonly Part[], room = 0): Buffer {
  let length = room;
  for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  const bytes = length > USUAL_BYTES ? Buffer.allocUnsafeSlow(length) : usual;
  let at = room;
  for (const part of parts) {
    if (typeof part === 'string') at += bytes.write(part, at);
    else {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return bytes.subarray(0, length);
}

const outer = Buffer.alloc(BLOCK + DIGEST);

/** HMAC as RFC 2104 defines it: two hashes, which take less time than an Hmac object. */
function hmac(key: Uint8Array, parts: readonly Part[], form: 'binary' | 'hex'): string {
  const secret = key.length > BLOCK ? sha256(key) : key;
  const inner = joined(parts, BLOCK);
  putKey(inner, secret, 0x36);
  putKey(outer, secret, 0x5c);
  outer.write(hash('sha256', inner, 'binary'), BLOCK, 'binary');
  return hash('sha256', outer, form);
}

/** The first block of both hashes: the key, filled up with zeros, each byte combined with the one given. */
function putKey(bytes: Uint8Array, key: Uint8Array, byte: number): void {
  for (let i = 0; i < key.length; i++) bytes[i] = (key[i] as number) ^ byte;
  bytes.fill(byte, key.length, BLOCK);
}

export const hmacSha256 = (key: Uint8Array, ...parts: Part[]): Uint8Array => bytesOf(hmac(key, parts, 'binary'));

/** The same in hexadecimal digits. */
export const hmacSha256Hex = (key: Uint8Array, ...parts: Part[]): string => hmac(key, parts, 'hex');

export function toHex(bytes: Uint8Array): string {
  if (bytes.length > USUAL_BYTES) return Buffer.from(bytes).toString('hex');
  usual.set(bytes);
  return usual.toString('hex', 0, bytes.length);
}

export const fromHex = (text: string): Uint8Array => Buffer.from(text, 'hex');
