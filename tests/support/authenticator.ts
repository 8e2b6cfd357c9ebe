/** A device with passkeys, in software: it answers what a browser would, or something else if asked to. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Json = Record<string, unknown>;

interface Credential {
  id: Buffer;
  userHandle: string;
  key: KeyObject;
  counter: number;
}

/** What a careless or hostile device does differently. */
export interface Mischief {
  origin?: string;
  rpId?: string;
  challenge?: string;
  counter?: number;
  userHandle?: string;
}

export interface Authenticator {
  credentials: Credential[];
  create(options: unknown, mischief?: Mischief): Json;
  get(options: unknown, mischief?: Mischief): Json;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const b64 = (data: Buffer | string) => Buffer.from(data).toString('base64url');

/** Just enough CBOR: small integers, byte strings, texts and maps. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([k, v]) => [cbor(k), cbor(v)])]);
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

function dataOf(rpId: string, flags: number, counter: number, more = Buffer.alloc(0)): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more]);
}

export function softAuthenticator(origin: string): Authenticator {
  const credentials: Credential[] = [];
  const clientData = (type: string, challenge: unknown, mischief: Mischief) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: mischief.challenge ?? challenge,
        origin: mischief.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const answer = (id: Buffer, response: Json): Json => ({
    id: b64(id),
    rawId: b64(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    credentials,
    create(options, mischief = {}) {
      const { challenge, rp, user } = options as { challenge: string; rp: { id: string }; user: { id: string } };
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
      const id = randomBytes(32);
      const cose = new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(cose)]);
      const authData = dataOf(mischief.rpId ?? rp.id, PRESENT | VERIFIED | HAS_CREDENTIAL, 0, attested);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      credentials.push({ id, userHandle: user.id, key: privateKey, counter: 0 });
      return answer(id, {
        clientDataJSON: b64(clientData('webauthn.create', challenge, mischief)),
        attestationObject: b64(cbor(attestation)),
        transports: ['internal'],
      });
    },
    get(options, mischief = {}) {
      const { challenge, rpId } = options as { challenge: string; rpId: string };
      const credential = credentials.at(-1) as Credential;
      credential.counter = mischief.counter ?? credential.counter + 1;
      const data = clientData('webauthn.get', challenge, mischief);
      const authenticatorData = dataOf(mischief.rpId ?? rpId, PRESENT | VERIFIED, credential.counter);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), credential.key);
      return answer(credential.id, {
        clientDataJSON: b64(data),
        authenticatorData: b64(authenticatorData),
        signature: b64(signature),
        userHandle: mischief.userHandle ?? credential.userHandle,
      });
    },
  };
}
