import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { openSeal, type Seal } from './seal.ts';

export interface Database {
  readonly url: string;
  /** For statements whose speed matters: the log. */
  readonly pool: pg.Pool;
  /** For everything else; draws on the same connections. */
  readonly prisma: PrismaClient;
  /** How secrets are stored. */
  readonly seal: Seal;
  /** Waits for what runs, then closes every connection. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** As of ENCRYPTION_KEYS. */
  keys?: string | undefined;
  /** Hears of connections that were lost: they are replaced when next needed. */
  onError?: (error: Error) => void;
}

/**
 * The adapter drops the offset of timestamps: in any other time zone it would write wrong instants.
 * Plans are made once per statement: planning the append anew each time takes longer than running it.
 */
const SESSION = `SET TIME ZONE 'UTC'; SET plan_cache_mode = force_generic_plan;
  SET statement_timeout = '30s'; SET idle_in_transaction_session_timeout = '30s'`;

export function openDatabase({ url, poolSize, keys, onError = () => {} }: DatabaseOptions): Database {
  const seal = openSeal(keys);
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'atoll',
    max: poolSize,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    onConnect: async (client) => {
      await client.query(SESSION);
    },
  });
  // The pool listens to idle connections only. One that is lost between two statements of a transaction would end the
  // process; with a listener of its own the next statement fails instead, and every loss is heard of once.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', onError));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: statementNames() }) });
  return {
    url,
    pool,
    prisma,
    seal,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/** Prepared statements stay in the server's memory, so only this many different texts get a name. */
const NAMED_STATEMENTS = 500;

function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (names.size >= NAMED_STATEMENTS) return '';
    names.set(sql, `p${names.size}`);
    return `p${names.size - 1}`;
  };
}
