import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { refusals } from '../errors.ts';
import { ROOT } from '../root.ts';
import { newClient } from './address.ts';

export const MIGRATIONS = new URL('migrations/', ROOT);

/** The key that `prisma migrate` itself locks, so that the two tools also exclude each other. */
const LOCK_KEY = 72707369;

/** The columns that Prisma's own schema engine writes; `prisma migrate deploy` reads this table. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id"                  VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum"            VARCHAR(64) NOT NULL,
  "finished_at"         TIMESTAMPTZ,
  "migration_name"      VARCHAR(255) NOT NULL,
  "logs"                TEXT,
  "rolled_back_at"      TIMESTAMPTZ,
  "started_at"          TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** The migrations of a folder in Prisma's layout, in order. */
export async function readMigrations(dir: URL = MIGRATIONS): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((e) => e.isDirectory()).map((e) => e.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, dir));
      return { name, sql: sql.toString('utf8'), checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * A migration whose name ends like this makes the database unusable for servers that do not know it. All others only
 * add, so that servers of the previous version keep working until they are replaced.
 */
const BREAKING = '_breaking';

/** The migration that locks out a server that knows only these, if there is one. */
export function lockedOutBy(applied: readonly string[], known: readonly Pick<Migration, 'name'>[]): string | undefined {
  const names = new Set(known.map(({ name }) => name));
  return applied.find((name) => name.endsWith(BREAKING) && !names.has(name));
}

/**
 * Applies every migration that is not recorded yet, and returns their names. Any number of processes may call it at
 * once.
 */
export async function migrate(connectionString: string, dir: URL = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(dir);
  const client = newClient(connectionString, { application_name: 'atoll migrate' });
  client.on('error', () => {}); // the statement under way fails, which is enough
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]); // released when the session ends
    await client.query("SET client_min_messages = 'warning'");
    await client.query(CREATE_TABLE);
    const pending = await pendingOf(client, migrations);
    for (const migration of pending) await apply(client, migration);
    return pending.map((m) => m.name);
  } finally {
    await client.end();
  }
}

async function pendingOf(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string; done: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS done
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const newer = lockedOutBy(
    rows.map(({ name }) => name),
    migrations,
  );
  if (newer) throw new Error(refusals.serverTooOld(newer).message);
  const known = new Map(rows.map((row) => [row.name, row]));
  return migrations.filter(({ name, checksum }) => {
    const row = known.get(name);
    if (!row) return true;
    if (!row.done) throw new Error(`Migration ${name} failed earlier: repair it, then prisma migrate resolve`);
    if (row.checksum !== checksum)
      throw new Error(`Migration ${name} was edited after it was applied: undo the edit, or use a fresh database`);
    return false;
  });
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => {});
    throw new Error(`Migration ${name} failed and was rolled back: ${(cause as Error).message}`, { cause });
  }
}
