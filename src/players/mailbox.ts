/** E-mail addresses: what counts as one, and when two of them are the same. */
import { createHash } from 'node:crypto';
import { refusals } from '../errors.ts';

const MAX_ADDRESS = 254;

export function cleanAddress(text: string): string {
  const address = text.trim();
  if (
    address.length <= MAX_ADDRESS &&
    /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]+\.[^\s@.<>()[\]\\,;:"\p{Cc}]+$/u.test(address)
  )
    return address;
  throw refusals.badEmail({ field: 'address' });
}

/** Equal for addresses that differ only in upper and lower case. */
export const addressDigest = (address: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(address.trim().toUpperCase()).digest());
