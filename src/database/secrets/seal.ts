/**
 * Secrets at rest: encrypted with a key from the environment, if there is one. Every reader and writer uses this
 * module.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface Seal {
  /**
   * The bytes in the form in which they are stored. `place` says where, so that they cannot be moved to another row.
   */
  seal(bytes: Uint8Array, place: string): Uint8Array<ArrayBuffer>;
  /** The original bytes. Those that were stored without a key are returned unchanged. */
  open(stored: Uint8Array, place: string): Uint8Array<ArrayBuffer>;
  /** Whether they are stored as `seal` would store them now. */
  isCurrent(stored: Uint8Array): boolean;
}

/** Sealed bytes begin with this mark, the length of the key's id and the id, followed by nonce, tag and cipher text. */
const MARK = Buffer.from('ATS1');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export const KEYS_PATTERN = '^[\\w-]{1,32}:[A-Za-z0-9+/_-]{43}=?(\\s*,\\s*[\\w-]{1,32}:[A-Za-z0-9+/_-]{43}=?)*$';

/** `id:key` pairs, separated by commas, with keys of 32 bytes in base64. The first key seals, and all of them open. */
function readKeys(text: string): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const pair of text.split(',').map((one) => one.trim())) {
    const [id, key] = pair.split(':') as [string, string];
    const bytes = Buffer.from(key, 'base64');
    if (bytes.length !== KEY_BYTES) throw new Error(`The key ${id} of ENCRYPTION_KEYS does not have 32 bytes`);
    if (keys.has(id)) throw new Error(`ENCRYPTION_KEYS names the key ${id} twice`);
    keys.set(id, bytes);
  }
  return keys;
}

interface Parts {
  id: string;
  nonce: Buffer;
  tag: Buffer;
  text: Buffer;
}

/** Null if it was stored without a key. */
function partsOf(stored: Uint8Array): Parts | null {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const start = MARK.length + 1 + (bytes[MARK.length] ?? 0);
  // A secret of 32 bytes may begin with the mark by chance, but it is too short to be sealed.
  if (!bytes.subarray(0, MARK.length).equals(MARK) || bytes.length <= start + NONCE_BYTES + TAG_BYTES) return null;
  const from = (at: number, length: number) => bytes.subarray(start + at, start + at + length);
  return {
    id: bytes.subarray(MARK.length + 1, start).toString('utf8'),
    nonce: from(0, NONCE_BYTES),
    tag: from(NONCE_BYTES, TAG_BYTES),
    text: bytes.subarray(start + NONCE_BYTES + TAG_BYTES),
  };
}

export function openSeal(text: string | undefined): Seal {
  const keys = text ? readKeys(text) : new Map<string, Buffer>();
  const [current] = keys;

  return {
    seal(bytes, place) {
      if (!current) return new Uint8Array(bytes);
      const [id, key] = current;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return new Uint8Array(
        Buffer.concat([MARK, Buffer.from([id.length]), Buffer.from(id), nonce, cipher.getAuthTag(), sealed]),
      );
    },

    open(stored, place) {
      const parts = partsOf(stored);
      if (!parts) return new Uint8Array(stored);
      const key = keys.get(parts.id);
      if (!key) throw new Error(`This was sealed with the key ${parts.id}, which ENCRYPTION_KEYS does not name`);
      const decipher = createDecipheriv('aes-256-gcm', key, parts.nonce).setAAD(Buffer.from(place));
      decipher.setAuthTag(parts.tag);
      return new Uint8Array(Buffer.concat([decipher.update(parts.text), decipher.final()]));
    },

    isCurrent: (stored) => partsOf(stored)?.id === current?.[0],
  };
}

/** The place of a secret. */
export const seedOfMatch = (id: string): string => `matches/${id}/server_seed`;
export const secretOfWebhook = (id: string): string => `webhooks/${id}/secret`;
export const PUSH_KEY = 'push_keys/private_key';
