import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type Migration, readMigrations } from '../../database/migrate.ts';
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { description: 'All is well.' });

/** `live`: the process answers. `ready`: and so does a database that has every migration. */
export async function health(app: FastifyInstance, { database }: { database: Database }): Promise<void> {
  const migrations = await readMigrations();
  const schema = { tags: ['health'], security: [], response: { 200: Health } };
  app.get('/health/live', { schema: { ...schema, summary: 'The process is alive' } }, async () => ({ status: 'ok' }));
  app.get('/health/ready', { schema: { ...schema, summary: 'Requests can be served' } }, async () => {
    await ready(database, migrations);
    return { status: 'ok' };
  });
}

async function ready({ pool }: Database, migrations: Migration[]): Promise<void> {
  const { rows } = await pool
    .query<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    )
    .catch(() => {
      throw refusals.databaseDown({ retryAfter: 2 });
    });
  const applied = new Set(rows.map((row) => row.name));
  const missing = migrations.filter(({ name }) => !applied.has(name));
  if (missing.length === 0) return;
  const names = missing.map((m) => m.name).join(', ');
  throw refusals.migrationsMissing(names, { retryAfter: 5 });
}
