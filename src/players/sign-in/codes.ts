/** Codes that people read and type, and the hashes that are stored of them. */
import { createHash, randomBytes } from 'node:crypto';
import { BASE32 } from '../../id.ts';

export type Hash = Uint8Array<ArrayBuffer>;

export const sha256 = (text: string): Hash => new Uint8Array(createHash('sha256').update(text).digest());

/** A code of this many characters, with five random bits each, in groups of four. */
export function newCode(characters: number): string {
  const code = Array.from(randomBytes(characters), (byte) => BASE32[byte & 31]).join('');
  return (code.match(/.{1,4}/g) as string[]).join('-');
}

/** The code as it was made, regardless of case, spaces, and letters that look like digits. */
export const readCode = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');

export const hashOfCode = (text: string): Hash => sha256(readCode(text));

/** A random text that cannot be guessed, for a cookie or a link. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
