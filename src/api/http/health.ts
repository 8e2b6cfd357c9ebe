import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { lockedOutBy, type Migration, readMigrations } from '../../database/migrate.ts';
import type { Database } from '../../database/pool.ts';
import { steady } from '../../database/time.ts';
import { refusals } from '../../errors.ts';
import { beat } from '../../matches/live/sweep.ts';
import { within } from '../../time-limit.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { description: 'All is well.' });

/** A check that takes longer than this has failed. */
const PATIENCE_MS = 3000;
const tooLate = () => refusals.databaseDown({ retryAfter: 2 });
/** Writing is tried at most this often, however often it is asked for. */
const KEEP_MS = 1000;

/**
 * `live` means that the process answers. `ready` means that the database also answers, has every migration and commits
 * writes.
 */
export async function health(app: FastifyInstance, { database }: { database: Database }): Promise<void> {
  const migrations = await readMigrations();
  const schema = { tags: ['health'], security: [], response: { 200: Health } };
  let tried = Number.NEGATIVE_INFINITY;
  let writing = Promise.resolve();
  const written = (): Promise<void> => {
    if (steady() - tried > KEEP_MS) {
      tried = steady();
      writing = writes(database);
    }
    return writing;
  };
  app.get(
    '/health/live',
    { schema: { ...schema, operationId: 'isAlive', summary: 'The process is alive' } },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/health/ready',
    { schema: { ...schema, operationId: 'isReady', summary: 'Requests can be served' } },
    async () => {
      await within(PATIENCE_MS, Promise.all([hasMigrations(database, migrations), written()]), tooLate);
      return { status: 'ok' };
    },
  );
}

/** A heartbeat serves as the test write, since it says that a server is up. */
async function writes(database: Database): Promise<void> {
  await beat(database).catch(() => {
    throw refusals.databaseDown({ retryAfter: 2 });
  });
}

async function hasMigrations({ pool }: Database, migrations: Migration[]): Promise<void> {
  const { rows } = await pool
    .query<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    )
    .catch(() => {
      throw refusals.databaseDown({ retryAfter: 2 });
    });
  const applied = rows.map((row) => row.name);
  const newer = lockedOutBy(applied, migrations);
  if (newer) throw refusals.serverTooOld(newer);
  const missing = migrations.filter(({ name }) => !applied.includes(name));
  if (missing.length === 0) return;
  const names = missing.map((m) => m.name).join(', ');
  throw refusals.migrationsMissing(names, { retryAfter: 5 });
}
