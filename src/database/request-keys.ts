/** Idempotency keys: a request that makes something makes it once, however often it is sent. */
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { refusals } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';

/** A request identified by its key: the row is written in the transaction that makes what was requested. */
export interface RequestKey {
  playerId: string;
  /** Only hashes are stored, so that someone who reads the table learns nothing about a key that is hard to guess. */
  key: Uint8Array<ArrayBuffer>;
  input: Uint8Array<ArrayBuffer>;
}

/** At least a day, as documented. `tidy` deletes older ones. */
export const KEEP_HOURS = 48;

const MIN_KEY = 1;
const MAX_KEY = 100;

const sha256 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(text).digest());

/** Null if the request has no key. Fields that are null count as left out when two inputs are compared. */
export function requestKey(
  playerId: string,
  key: string | null | undefined,
  what: string,
  input: object,
): RequestKey | null {
  if (key === null || key === undefined) return null;
  if (key.length < MIN_KEY || key.length > MAX_KEY || /[\0\p{Cs}]/u.test(key))
    throw refusals.badIdempotencyKey(MIN_KEY, MAX_KEY);
  return { playerId, key: sha256(key), input: sha256(JSON.stringify([what, sorted(input)])) };
}

const MAX_DEPTH = 64;

/** Sorts the keys, so that two ways to write the same input are equal. */
function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw refusals.tooDeep();
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, item]) => [name, sorted(item, depth + 1)]);
}

/**
 * The id of what an earlier request with this key made, or null if there was none. Throws if that request had another
 * input.
 */
export async function madeBefore(pool: Pool, { playerId, key, input }: RequestKey): Promise<string | null> {
  const { rows } = await pool.query<{ input: Buffer; made: string }>(
    'SELECT input, made FROM request_keys WHERE player_id = $1 AND key = $2',
    [playerId, key],
  );
  const [found] = rows;
  if (!found) return null;
  if (Buffer.from(input).equals(found.input)) return found.made;
  throw refusals.idempotencyKeyReused();
}

const WRITE = 'INSERT INTO request_keys (player_id, key, input, made) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';

/**
 * To be called within a transaction. Resolves to false if another request with this key came first and has committed.
 */
export async function writeKey(
  client: PoolClient | Pool,
  { playerId, key, input }: RequestKey,
  made: string,
): Promise<boolean> {
  const { rowCount } = await client.query(WRITE, [playerId, key, input, made]);
  return rowCount === 1;
}

/** The same with a Prisma transaction. */
export async function writeKeyIn(
  tx: Prisma.TransactionClient,
  { playerId, key, input }: RequestKey,
  made: string,
): Promise<boolean> {
  const { count } = await tx.requestKey.createMany({ data: { playerId, key, input, made }, skipDuplicates: true });
  return count === 1;
}

/** Ends a transaction whose key was used meanwhile, so that nothing of it remains. */
export class KeyUsed extends Error {}

/**
 * Returns what an earlier request with this key made, or what `make` makes now. `make` writes the key in its own
 * transaction and throws KeyUsed if it cannot.
 */
export async function once<T>(
  pool: Pool,
  request: RequestKey | null,
  again: (made: string) => Promise<T>,
  make: () => Promise<T>,
): Promise<T> {
  if (!request) return make();
  const before = await madeBefore(pool, request);
  if (before !== null) return again(before);
  try {
    return await make();
  } catch (error) {
    const made = error instanceof KeyUsed ? await madeBefore(pool, request) : null;
    if (made === null) throw error;
    return again(made);
  }
}
