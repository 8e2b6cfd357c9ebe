/** Signatures according to the Standard Webhooks specification: https://www.standardwebhooks.com */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** How long the previous secret still signs. */
export const GRACE_MS = 24 * 3_600_000;

export interface Secrets {
  secret: Uint8Array;
  oldSecret: Uint8Array | null;
  oldSecretUntil: Date | null;
}

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** A secret in the form that is shown to its owner. */
export const secretText = (secret: Uint8Array): string => PREFIX + Buffer.from(secret).toString('base64');

const sign = (secret: Uint8Array, content: string): string =>
  `v1,${createHmac('sha256', secret).update(content).digest('base64')}`;

/** The headers that prove to the receiver who sent this body, and when. */
export function signedHeaders(secrets: Secrets, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const content = `${id}.${timestamp}.${body}`;
  const { secret, oldSecret, oldSecretUntil } = secrets;
  const keys = oldSecret && oldSecretUntil && oldSecretUntil > now ? [secret, oldSecret] : [secret];
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => sign(key, content)).join(' '),
  };
}
