/**
 * All the cryptography that rules and proofs need, in one module. The page in which a browser proves a match is built
 * with web/src/proof/crypto.ts in its place, so that there is only one verifier.
 */
import { createHash, createHmac } from 'node:crypto';

export { randomBytes } from 'node:crypto';

export function sha256(...parts: (string | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return Buffer.from(hash.digest()); // a copy takes half the memory, which matters because hashes are remembered
}

export function hmacSha256(key: Uint8Array, ...parts: (string | Uint8Array)[]): Uint8Array {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const fromHex = (text: string): Uint8Array => Buffer.from(text, 'hex');
