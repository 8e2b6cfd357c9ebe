/** Web Push: messages that only the browser that asked for them can read (RFC 8030, 8291, 8292). */
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Database } from '../database/pool.ts';
import { PUSH_KEY, type Seal } from '../database/secrets/seal.ts';
import { refusals } from '../errors.ts';
import { type Message, sentence, subjectOf } from './message.ts';

/** The keys of a browser's subscription, in base64url. */
export interface BrowserKeys {
  p256dh: string;
  auth: string;
}

/** How this server identifies itself to the browsers' push services. */
export interface ServerKeys {
  subject: string;
  publicKey: string;
  privateKey: string;
}

const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const UNCOMPRESSED = 4;
const BASE64URL = /^[A-Za-z0-9_-]+=*$/;

/** Encodes a browser's keys as the secret of its webhook. */
export function secretOfBrowser(keys: BrowserKeys | null | undefined): Buffer {
  const { p256dh = '', auth = '' } = keys ?? {};
  const [point, secret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')];
  const isPoint = BASE64URL.test(p256dh) && point.length === POINT_BYTES && point[0] === UNCOMPRESSED;
  if (!isPoint || !BASE64URL.test(auth) || secret.length !== AUTH_BYTES) throw refusals.badBrowserKeys();
  return Buffer.concat([point, secret]);
}

function browserKeys(secret: Uint8Array): BrowserKeys {
  const bytes = Buffer.from(secret);
  return {
    p256dh: bytes.subarray(0, POINT_BYTES).toString('base64url'),
    auth: bytes.subarray(POINT_BYTES).toString('base64url'),
  };
}

/** A push message about a turn is useless after a day. */
const TTL_SECONDS = 86_400;

/** The request that delivers a message to a browser: encrypted for it, and signed by us. */
export async function pushRequest(url: string, secret: Uint8Array, message: Message, keys: ServerKeys) {
  const { matchId } = message;
  const payload = {
    title: message.type === 'PING' ? 'Atoll' : titleOf(message),
    body: sentence(message, null),
    matchId,
    url: matchId ? `/matches/${matchId}` : '/',
  };
  const { default: webPush } = await import('web-push');
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint: url, keys: browserKeys(secret) },
    JSON.stringify(payload),
    { vapidDetails: keys, TTL: TTL_SECONDS, urgency: 'normal' },
  );
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { headers: Object.fromEntries(lower) as Record<string, string>, body: body as Buffer };
}

function titleOf(message: Message): string {
  if (message.type === 'MATCH_STARTED') return `${message.gameName} has started`;
  return message.type === 'MATCH_FINISHED' ? `${message.gameName} is over` : subjectOf(message);
}

/** From the environment, or made once and kept in the database, so that all servers have the same ones. */
export async function openServerKeys(config: Config, { pool, seal }: Database): Promise<ServerKeys> {
  const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, PUBLIC_URL, MAIL_FROM } = config;
  const mail = /[^\s<>]+@[^\s<>]+/.exec(MAIL_FROM ?? '')?.[0];
  const subject = PUBLIC_URL?.startsWith('https:') ? PUBLIC_URL : `mailto:${mail ?? 'nobody@localhost'}`;
  if (VAPID_PUBLIC_KEY && VAPID_PRIVATE_KEY)
    return { subject, publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY };
  const { publicKey, privateKey } = (await keptKeys(pool)) ?? (await newKeys(pool, seal));
  return { subject, publicKey, privateKey: Buffer.from(seal.open(privateKey, PUSH_KEY)).toString() };
}

interface KeptKeys {
  publicKey: string;
  /** Sealed. */
  privateKey: Buffer;
}

async function keptKeys(pool: Pool): Promise<KeptKeys | undefined> {
  const { rows } = await pool.query<KeptKeys>(
    'SELECT public_key AS "publicKey", private_key AS "privateKey" FROM push_keys WHERE id = 1',
  );
  return rows[0];
}

/** Another server may make them at the same time; then both use those that were stored first. */
async function newKeys(pool: Pool, seal: Seal): Promise<KeptKeys> {
  const { default: webPush } = await import('web-push');
  const fresh = webPush.generateVAPIDKeys();
  await pool.query('INSERT INTO push_keys (id, public_key, private_key) VALUES (1, $1, $2) ON CONFLICT DO NOTHING', [
    fresh.publicKey,
    Buffer.from(seal.seal(Buffer.from(fresh.privateKey), PUSH_KEY)),
  ]);
  return (await keptKeys(pool)) as KeptKeys;
}
