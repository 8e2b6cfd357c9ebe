import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { connectingTo } from './address.ts';
import { withoutNames } from './pooler.ts';
import { openReplica, type Replica } from './replica.ts';
import { openSeal, type Seal } from './secrets/seal.ts';
import { atMost, endIdleOf, GOODBYE_MS, patienceOf } from './silence.ts';
import { LOCK_MS, openWrites, type Writes } from './writes.ts';

export interface Database {
  /** Where a session of one's own can be had. */
  readonly url: string;
  /** Whether a pooler may give each transaction another session: nothing is kept in one. */
  readonly pooled: boolean;
  /** For statements whose speed matters: the log. */
  readonly pool: pg.Pool;
  /** For everything else; draws on the same connections. */
  readonly prisma: PrismaClient;
  /** A copy that may be read instead, where there is one. */
  readonly replica: Replica | undefined;
  /** How secrets are stored. */
  readonly seal: Seal;
  /** Whether what is written is committed at present. */
  readonly writes: Writes;
  /** The process is stopping: connections that are dead are given up sooner. */
  hurry(): void;
  /** Waits for what runs, then closes every connection. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Leads past the pooler that `url` leads to. */
  directUrl?: string | undefined;
  /** Leads to a copy that may only be read. */
  replicaUrl?: string | undefined;
  poolSize: number;
  /** As of ENCRYPTION_KEYS. */
  keys?: string | undefined;
  /** For tools, whose statements may take as long as they need. */
  patient?: boolean;
  /** How long a statement may go without an answer. */
  silenceMs?: number;
  /** Hears of connections that were lost: they are replaced when next needed. */
  onError?: (error: Error) => void;
}

/**
 * The adapter drops the offset of timestamps: in any other time zone it would write wrong instants.
 * Plans are made once per statement: planning the append anew each time takes longer than running it.
 */
const SESSION = `SET TIME ZONE 'UTC'; SET plan_cache_mode = force_generic_plan`;

/** Whoever asks is answered within ten seconds: so long for a connection, and so long for the statement on it. */
const CONNECT_MS = 3000;
const SILENCE_MS = 6500;
/** The database itself gives up a little earlier, and then it is certain that nothing was changed. */
const LIMITS = `SET statement_timeout = '6s'; SET lock_timeout = '${LOCK_MS}ms';
  SET idle_in_transaction_session_timeout = '10s'`;

export function openDatabase(options: DatabaseOptions): Database {
  const {
    url,
    directUrl,
    replicaUrl,
    poolSize,
    keys,
    patient = false,
    silenceMs = SILENCE_MS,
    onError = () => {},
  } = options;
  const seal = openSeal(keys);
  const pooled = directUrl !== undefined;
  const { connectionString, Client } = connectingTo(url);
  const patience = patienceOf(silenceMs);
  const pool = new pg.Pool({
    connectionString,
    Client: pooled ? withoutNames(Client) : Client,
    application_name: 'atoll',
    max: poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    onConnect: async (client) => {
      if (!patient) patience.watch(client, endIdle);
      if (!pooled) await client.query(patient ? SESSION : `${SESSION}; ${LIMITS}`);
    },
  });
  const endIdle = endIdleOf(pool, silenceMs);
  // The pool listens to idle connections only. One that is lost between two statements of a transaction would end the
  // process; with a listener of its own the next statement fails instead, and every loss is heard of once.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', onError));
  const replica = replicaUrl === undefined ? undefined : openReplica(replicaUrl, poolSize, onError);
  const statementNameGenerator = pooled ? () => '' : statementNames();
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator }) });
  return {
    url: directUrl ?? url,
    pooled,
    pool,
    prisma,
    replica,
    seal,
    writes: openWrites(),
    hurry: patience.hurry,
    async close() {
      await replica?.close();
      await prisma.$disconnect();
      await atMost(GOODBYE_MS, pool.end());
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
