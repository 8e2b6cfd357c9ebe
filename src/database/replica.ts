/** A copy of the database, for reads where a few seconds do not matter or where the result can be checked. */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { hostsOf } from './address.ts';
import { atMost, GOODBYE_MS, giveUpWhenSilent } from './silence.ts';
import { steady } from './time.ts';

export interface Reader {
  pool: pg.Pool;
  prisma: PrismaClient;
}

export interface Replica {
  /**
   * The result of `read` on the replica; undefined if it cannot be reached or is too far behind, so that the primary
   * must be asked.
   */
  read<T>(read: (reader: Reader) => Promise<T>): Promise<T | undefined>;
  close(): Promise<void>;
}

/** Heartbeats are written every two seconds. If the latest one is this old, the replica is not following. */
const MAX_AGE_SECONDS = 30;
const LOOK_EVERY_MS = 5000;
/** A replica that does not answer must not delay what the primary could have answered. */
const CONNECT_MS = 1000;
const SILENCE_MS = 3000;

const AGE = 'SELECT extract(epoch FROM clock_timestamp() - at)::float8 AS age FROM heartbeat WHERE id = 1';

export function openReplica(url: string, poolSize: number, onError: (error: Error) => void = () => {}): Replica {
  const pool = new pg.Pool({
    connectionString: hostsOf(url)[0] as string,
    application_name: 'atoll replica',
    max: poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    onConnect: async (client) => {
      giveUpWhenSilent(client, SILENCE_MS);
      await client.query("SET TIME ZONE 'UTC'; SET default_transaction_read_only = on; SET statement_timeout = '3s'");
    },
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', onError));
  const reader: Reader = { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) };
  let looked = Number.NEGATIVE_INFINITY;
  let looking: Promise<boolean> = Promise.resolve(false);

  async function isFresh(): Promise<boolean> {
    const { rows } = await pool.query<{ age: number }>(AGE);
    return (rows[0]?.age ?? Number.POSITIVE_INFINITY) < MAX_AGE_SECONDS;
  }

  const isUsable = (): Promise<boolean> => {
    if (steady() - looked > LOOK_EVERY_MS) {
      looked = steady();
      looking = isFresh().catch(() => false);
    }
    return looking;
  };

  return {
    async read(read) {
      if (!(await isUsable())) return undefined;
      return read(reader).catch(() => {
        looking = Promise.resolve(false); // until the next check
        return undefined;
      });
    },
    async close() {
      await reader.prisma.$disconnect();
      await atMost(GOODBYE_MS, pool.end());
    },
  };
}
