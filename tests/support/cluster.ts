import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type LocalPostgres, startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { migrateQueue } from '../../src/notices/queue.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

/** One cluster per run, with a migrated template that `freshDatabase` clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const base = resolve('.data', `test-${process.pid}-${project.name}`);
  const server = await startLocalPostgres(join(base, 'pg'));
  const stop = async () => {
    await server.stop();
    rmSync(base, { recursive: true, force: true });
  };
  try {
    await prepare(server);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('postgresUrl', server.url('postgres'));
  return stop;
}

async function prepare(server: LocalPostgres): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url('postgres') });
  await admin.connect();
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    await admin.query(`ALTER SYSTEM SET ${setting} = off`);
  }
  await admin.query('SELECT pg_reload_conf()');
  await admin.query('CREATE DATABASE template_atoll');
  await migrate(server.url('template_atoll'));
  await migrateQueue(server.url('template_atoll'));
  // A stray connection to the template would make cloning fail.
  await admin.query('ALTER DATABASE template_atoll WITH is_template = true ALLOW_CONNECTIONS = false');
  await admin.end();
}
