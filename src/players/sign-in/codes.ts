/** Codes that people read and type, and what is kept of them. */
import { createHash, randomBytes } from 'node:crypto';

export type Hash = Uint8Array<ArrayBuffer>;

export const sha256 = (text: string): Hash => new Uint8Array(createHash('sha256').update(text).digest());

/** Crockford's letters and digits: none looks like another. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** So many characters of five random bits each, in groups of four. */
export function newCode(characters: number): string {
  const code = Array.from(randomBytes(characters), (byte) => LETTERS[byte & 31]).join('');
  return (code.match(/.{1,4}/g) as string[]).join('-');
}

/** A code as it was made, whatever somebody made of its case, its spaces and the letters that look like digits. */
export const readCode = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');

export const hashOfCode = (text: string): Hash => sha256(readCode(text));

/** A text that nobody can guess, for a cookie or a link. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
