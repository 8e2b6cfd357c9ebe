/** Replaces src/crypto.ts in a browser: the same functions, without Node. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as noble } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const bytesOf = (part: string | Uint8Array): Uint8Array => (typeof part === 'string' ? utf8ToBytes(part) : part);

export function sha256(...parts: (string | Uint8Array)[]): Uint8Array {
  const hash = noble.create();
  for (const part of parts) hash.update(bytesOf(part));
  return hash.digest();
}

export const sha256Hex = (...parts: (string | Uint8Array)[]): string => bytesToHex(sha256(...parts));

export function hmacSha256(key: Uint8Array, ...parts: (string | Uint8Array)[]): Uint8Array {
  const mac = hmac.create(noble, key);
  for (const part of parts) mac.update(bytesOf(part));
  return mac.digest();
}

export const hmacSha256Hex = (key: Uint8Array, ...parts: (string | Uint8Array)[]): string =>
  bytesToHex(hmacSha256(key, ...parts));

export const toHex = bytesToHex;
export const fromHex = hexToBytes;

/** Nothing random is needed while a match is proven. */
export function randomBytes(): never {
  throw new Error('A proof draws no chance of its own.');
}
