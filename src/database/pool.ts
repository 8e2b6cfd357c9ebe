import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { connectingTo } from './address.ts';
import { type ColdStorage, openColdStorage } from './cold-storage.ts';
import { onReadOnly, withoutNames } from './pooler.ts';
import { openReplica, type Replica } from './replica.ts';
import { openSeal, type Seal } from './secrets/seal.ts';
import { atMost, endIdleOf, GOODBYE_MS, patienceOf, SilentDatabase } from './silence.ts';
import { waitAtMost } from './waiting.ts';
import { LOCK_MS, openWrites, type Writes } from './writes.ts';

export interface Database {
  /** The URL for connections that need a session of their own. */
  readonly url: string;
  /** Whether a pooler may give each transaction another session, so that nothing may be kept in one. */
  readonly pooled: boolean;
  /** For statements whose speed matters, such as appends to the log. */
  readonly pool: pg.Pool;
  /** For everything else. It uses the same connections. */
  readonly prisma: PrismaClient;
  /** A copy that may be read instead, if there is one. */
  readonly replica: Replica | undefined;
  /** Where the logs of ended matches may be stored, if cold storage is configured. */
  readonly cold: ColdStorage | undefined;
  /** Encrypts secrets at rest. */
  readonly seal: Seal;
  /** Whether the database currently commits what is written. */
  readonly writes: Writes;
  /**
   * To be called when the primary may have changed. A pooler keeps our connections while the database behind it is
   * restarted as a standby, so they are closed, and new ones are made to the host that accepts changes. Without a
   * pooler they end with the primary.
   */
  reconnect(): void;
  /** To be called when the process is stopping, so that dead connections are closed sooner. */
  hurry(): void;
  /** Waits for running statements, then closes every connection. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Bypasses the pooler to which `url` leads. */
  directUrl?: string | undefined;
  /** Leads to a read-only copy. */
  replicaUrl?: string | undefined;
  /** The value of COLD_STORAGE. */
  coldUrl?: string | undefined;
  poolSize: number;
  /** The value of ENCRYPTION_KEYS. */
  keys?: string | undefined;
  /** For tools, whose statements may take as long as they need. */
  patient?: boolean;
  /** How long a statement may go without an answer. */
  silenceMs?: number;
  /** How long a caller waits for a connection. */
  waitMs?: number;
  /** Called when a connection is lost. It is replaced when next needed. */
  onError?: (error: Error) => void;
}

/**
 * The adapter drops the offset of timestamps, so in any other time zone it would write wrong instants. Each statement
 * is planned once, because planning the append every time takes longer than running it.
 */
const SESSION = `SET TIME ZONE 'UTC'; SET plan_cache_mode = force_generic_plan`;

/**
 * PostgreSQL reads a table of a few pages from end to end, and a plan made while a table was that small is still used
 * when it has grown to thousands of rows. Every statement of the server finds its rows by an index.
 */
const BY_INDEX = 'SET enable_seqscan = off';

/** A caller is answered within ten seconds: this long to get a connection, and this long for the statement on it. */
const WAIT_MS = 2500;
const SILENCE_MS = 5500;
/** How long a connection may take to be made. It is then there for the next caller, if this one has given up. */
const CONNECT_MS = 5000;
/** The database itself gives up a little earlier. It is then certain that nothing was changed. */
const LIMITS = `SET statement_timeout = '5s'; SET lock_timeout = '${LOCK_MS}ms';
  SET idle_in_transaction_session_timeout = '10s'`;

export function openDatabase(options: DatabaseOptions): Database {
  const {
    url,
    directUrl,
    replicaUrl,
    coldUrl,
    poolSize,
    keys,
    patient = false,
    silenceMs = SILENCE_MS,
    waitMs = WAIT_MS,
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
      if (!patient) patience.watch(client, () => endIdle(new SilentDatabase(silenceMs)));
      if (pooled) onReadOnly(client, () => setImmediate(reconnect)); // the connection is idle again by then
      if (!pooled) await client.query(patient ? SESSION : `${SESSION}; ${BY_INDEX}; ${LIMITS}`);
    },
  });
  waitAtMost(pool, waitMs);
  const endIdle = endIdleOf(pool);
  const reconnect = () => {
    if (pooled) endIdle(new Error('Connection terminated: the primary may have changed'));
  };
  // The pool listens only to idle connections. One that is lost between two statements of a transaction would end the
  // process. With a listener of its own, the next statement fails instead, and every loss is reported once.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', onError));
  const replica = replicaUrl === undefined ? undefined : openReplica(replicaUrl, poolSize, onError);
  const statementNameGenerator = pooled ? () => '' : statementNames();
  const transactionOptions = { maxWait: waitMs, timeout: SILENCE_MS };
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator }), transactionOptions });
  return {
    url: directUrl ?? url,
    pooled,
    pool,
    prisma,
    replica,
    cold: coldUrl === undefined ? undefined : openColdStorage(coldUrl),
    seal,
    writes: openWrites(),
    reconnect,
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
