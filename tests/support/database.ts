import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of this test file's own: cloned from the migrated template, or empty. */
export async function freshDatabase({ migrated = true } = {}): Promise<FreshDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await admin(`CREATE DATABASE ${name} TEMPLATE ${migrated ? 'template_atoll' : 'template0'}`);
  return {
    url: inject('postgresUrl').replace('/postgres?', `/${name}?`),
    drop: () => admin(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function admin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * For a test that looks into its database. A pool says that it has ended before its connections are closed, and the
 * database is dropped meanwhile: without a listener that would end the test run.
 */
export function poolFor({ url }: FreshDatabase): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => {});
  return pool;
}
