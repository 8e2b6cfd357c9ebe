/** When each token was last used: kept in memory, and written for all tokens together once a minute. */
import { isIPv6 } from 'node:net';
import type { Database } from '../../database/pool.ts';
import type { AddressFamily } from '../../generated/prisma/enums.ts';

export interface TokenUse {
  lastUsedAt: Date;
  lastUsedFrom: AddressFamily;
}

export interface TokenUses {
  /** Notes a use in memory, so that it costs a request no query. */
  note(tokenId: string, ip: string): void;
  /** A use that has not been written yet. */
  pending(tokenId: string): TokenUse | undefined;
  /** Writes what was noted. */
  write(): Promise<void>;
  close(): Promise<void>;
}

const WRITE_MS = 60_000;

/** Instances write in any order, so an older use must not replace a newer one. */
const WRITE = `
UPDATE tokens SET last_used_at = u.at, last_used_from = u.family::"AddressFamily"
  FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS u(id, at, family)
 WHERE tokens.id = u.id AND (last_used_at IS NULL OR last_used_at < u.at)`;

/** IPv4 addresses are often mapped into IPv6. */
const familyOf = (ip: string): AddressFamily => (isIPv6(ip) && !/^::ffff:[\d.]+$/i.test(ip) ? 'IPV6' : 'IPV4');

interface Noted {
  at: number;
  ip: string;
}

export function openTokenUses(
  { pool, writes }: Pick<Database, 'pool' | 'writes'>,
  now: () => number,
  warn: (message: string, error: unknown) => void = () => {},
): TokenUses {
  let noted = new Map<string, Noted>();

  async function write(): Promise<void> {
    if (noted.size === 0 || writes.areStalled) return;
    const uses = [...noted];
    noted = new Map();
    try {
      await pool.query(WRITE, [
        uses.map(([id]) => id),
        uses.map(([, { at }]) => new Date(at)),
        uses.map(([, { ip }]) => familyOf(ip)),
      ]);
    } catch (error) {
      warn('the last uses of tokens could not be written', error); // the next use of each token is noted again
    }
  }

  const timer = setInterval(() => void write(), WRITE_MS).unref();
  return {
    note(tokenId, ip) {
      const known = noted.get(tokenId);
      if (!known) return void noted.set(tokenId, { at: now(), ip });
      known.at = now();
      known.ip = ip;
    },
    pending(tokenId) {
      const known = noted.get(tokenId);
      return known && { lastUsedAt: new Date(known.at), lastUsedFrom: familyOf(known.ip) };
    },
    write,
    async close() {
      clearInterval(timer);
      await write();
    },
  };
}
