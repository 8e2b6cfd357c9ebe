/** The database that is configured. It is reached before anything else is made. */
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError } from '../config.ts';
import { newClient } from './address.ts';
import { type LocalPostgres, startLocalPostgres } from './embedded/postgres.ts';
import { losesSessions } from './pooler.ts';

/** The name of the database in the embedded cluster. */
export const EMBEDDED_DATABASE = 'atoll';

export interface Storage {
  url: string;
  /** Bypasses the pooler to which `url` leads. */
  directUrl?: string;
  /** Undefined if the server is not embedded. */
  embedded?: LocalPostgres;
}

/** `onWait` is called with a sentence that says why the start takes longer. */
export async function openStorage(config: Config, onWait: (why: string) => void): Promise<Storage> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR } = config;
  if (DATABASE_URL) {
    await reach('DATABASE_URL', DATABASE_URL, onWait);
    if (DATABASE_DIRECT_URL) return pooled(DATABASE_URL, DATABASE_DIRECT_URL, onWait);
    if (await losesSessions(DATABASE_URL)) throw new ConfigError([NEEDS_DIRECT]);
    return { url: DATABASE_URL };
  }
  const embedded = await startLocalPostgres(join(resolve(DATA_DIR), 'postgres'), console.warn);
  await embedded.createDatabase(EMBEDDED_DATABASE);
  return { url: embedded.url(EMBEDDED_DATABASE), embedded };
}

const NEEDS_DIRECT =
  'DATABASE_URL leads to a pooler that gives each transaction another session (PgBouncer in transaction mode). Set DATABASE_DIRECT_URL to the database itself: migrations, notifications and the job queue need sessions of their own.';

async function pooled(url: string, directUrl: string, onWait: (why: string) => void): Promise<Storage> {
  await reach('DATABASE_DIRECT_URL', directUrl, onWait);
  if (await losesSessions(directUrl)) {
    throw new ConfigError(['DATABASE_DIRECT_URL leads to a pooler too. It must lead to the database itself.']);
  }
  const client = newClient(url, { connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ TimeZone: string; name: string }>(
      `SELECT current_setting('TimeZone') AS "TimeZone", quote_ident(current_database()) AS name`,
    );
    const { TimeZone, name } = rows[0] as { TimeZone: string; name: string };
    if (/^(Etc\/)?(UTC|UCT|GMT|Zulu)$/.test(TimeZone)) return { url, directUrl };
    throw new ConfigError([
      `The sessions of DATABASE_URL are in the time zone ${TimeZone}, and with a pooler the server cannot set it for itself: run ALTER DATABASE ${name} SET timezone TO 'UTC', then restart the pooler.`,
    ]);
  } finally {
    await client.end();
  }
}

const CONNECT_MS = 5000;
const RETRY_MS = 1000;

/** Errors that pass by themselves: the database does not exist yet, is starting, recovering or switching over. */
const PASSES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
  ...['57P03', '57P01', '53300', '25006', '08006', '08001'],
]);

interface Failure {
  code?: string;
  message: string;
  errors?: Failure[];
}

const passes = ({ code, message, errors = [] }: Failure): boolean =>
  PASSES.has(String(code)) || /timeout|terminated unexpectedly/i.test(message) || errors.some(passes);

/**
 * Waits for a database that is not ready yet. An error that only the operator can fix ends the start with a sentence.
 */
async function reach(variable: string, url: string, onWait: (why: string) => void): Promise<void> {
  for (;;) {
    const client = newClient(url, { connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => {}); // the statement under way fails, which is enough
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException; // if several addresses fail, only the code is set
      const sentence = `The database of ${variable} cannot be reached: ${message || code}.`;
      if (!passes(error as Failure)) throw new ConfigError([sentence]);
      onWait(sentence);
      await sleep(RETRY_MS);
    }
  }
}
