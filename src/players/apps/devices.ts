/** Sign-in of devices without a browser (RFC 8628): the device shows a code, and a person types it elsewhere. */
import { randomInt } from 'node:crypto';
import type { Database } from '../../database/pool.ts';
import type { Scope } from '../player.ts';
import { hashOf } from '../tokens/tokens.ts';
import { type AppRequest, type Grants, newSecret } from './grants.ts';

export interface DeviceCodes {
  deviceCode: string;
  /** The code that a person types. */
  userCode: string;
}

/** The answer to a device that polls for the person's decision. */
export type Polled = 'pending' | 'slow_down' | 'denied' | 'expired' | { grantId: string; scopes: Scope[] };

export interface Devices {
  begin(app: AppRequest): Promise<DeviceCodes>;
  /** The request that belongs to a code; null if there is no such code, or it was answered, or it has expired. */
  find(userCode: string): Promise<AppRequest | null>;
  /** Resolves to false where `find` would resolve to null. */
  answer(userCode: string, playerId: string, allowed: boolean): Promise<boolean>;
  poll(deviceCode: string, client: string): Promise<Polled>;
}

export const DEVICE_SECONDS = 600;
export const POLL_SECONDS = 5;

/** No vowels, so that no words arise, and no letters that look alike (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** The code as it was made, however it was typed. */
const plainCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '');
const isCode = (code: string): boolean => code.length === LENGTH;
const hashOfCode = (typed: string) => hashOf(`user code ${plainCode(typed)}`);

/** A single statement, so that a device that polls twice at once is told at least once to slow down. */
const POLL = `
UPDATE device_requests d
   SET polled_at = $3,
       interval = d.interval + CASE WHEN d.polled_at > $3::timestamptz - d.interval * interval '1 second' THEN 5 ELSE 0 END
  FROM device_requests before
 WHERE d.device_hash = $1 AND d.client = $2 AND before.device_hash = d.device_hash
RETURNING d.interval > before.interval AS fast, d.expires_at <= $3 AS expired, d.answered_at IS NOT NULL AS answered,
          d.grant_id AS "grantId", d.scopes::text[]`;

interface Row {
  fast: boolean;
  expired: boolean;
  answered: boolean;
  grantId: string | null;
  scopes: Scope[];
}

export function openDevices({ prisma, pool }: Database, grants: Grants, now: () => number): Devices {
  const waiting = (userCode: string) => ({
    userCodeHash: hashOfCode(userCode),
    answeredAt: null,
    expiresAt: { gt: new Date(now()) },
  });
  return {
    async begin({ client, scopes }) {
      const deviceCode = newSecret('device');
      const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
      const expiresAt = new Date(now() + DEVICE_SECONDS * 1000);
      const hashes = { deviceHash: hashOf(deviceCode), userCodeHash: hashOfCode(letters) };
      await prisma.deviceRequest.create({
        data: { ...hashes, client, scopes: [...scopes], expiresAt, interval: POLL_SECONDS },
      });
      return { deviceCode, userCode: `${letters.slice(0, 4)}-${letters.slice(4)}` };
    },
    async find(userCode) {
      if (!isCode(plainCode(userCode))) return null;
      return prisma.deviceRequest.findFirst({
        where: waiting(userCode),
        select: { client: true, scopes: true },
      });
    },
    answer: (userCode, playerId, allowed) =>
      prisma.$transaction(async (tx) => {
        const where = waiting(userCode);
        // This comes first, so that the later of two simultaneous answers finds no request waiting.
        const { count } = await tx.deviceRequest.updateMany({ where, data: { answeredAt: new Date(now()) } });
        if (count === 0) return false;
        if (!allowed) return true;
        const { userCodeHash } = where;
        const { client, scopes } = await tx.deviceRequest.findUniqueOrThrow({ where: { userCodeHash } });
        const grantId = await grants.allowIn(tx, playerId, { client, scopes });
        await tx.deviceRequest.update({ where: { userCodeHash }, data: { grantId } });
        return true;
      }),
    async poll(deviceCode, client) {
      const hash = hashOf(deviceCode);
      const { rows } = await pool.query<Row>(POLL, [hash, client, new Date(now())]);
      const [found] = rows;
      if (!found || found.expired) return 'expired';
      if (found.fast) return 'slow_down';
      if (!found.answered) return 'pending';
      const { grantId, scopes } = found;
      // A code can be exchanged once: of two simultaneous exchanges, only one finds it.
      const { count } = await prisma.deviceRequest.deleteMany({ where: { deviceHash: hash } });
      if (count === 0) return 'expired';
      return grantId === null ? 'denied' : { grantId, scopes };
    },
  };
}
