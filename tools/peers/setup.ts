/**
 * What the comparison needs besides the project: boardgame.io in a temporary folder, pgbench, and one PostgreSQL for
 * all.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { type LocalPostgres, startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { freePort } from '../bench/process.ts';

const PACKAGES = { 'boardgame.io': '0.50.2', 'bgio-postgres': '1.0.16' };

/** The package.json beside which boardgame.io is installed, or a sentence that says why it is not. */
export function installBoardgame(): { packageJson: string } | { missing: string } {
  const folder = resolve('.data', 'peers');
  const packageJson = join(folder, 'package.json');
  const installed = Object.keys(PACKAGES).every((name) => existsSync(join(folder, 'node_modules', name)));
  if (installed) return { packageJson };
  mkdirSync(folder, { recursive: true });
  writeFileSync(packageJson, JSON.stringify({ name: 'peers', private: true, dependencies: PACKAGES }));
  console.error(`Installing boardgame.io into ${folder} …`);
  // Its store declares an older release as a peer, but works with this one.
  const install = ['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', install, { cwd: folder, encoding: 'utf8', timeout: 180_000 });
  if (status === 0) return { packageJson };
  const reason = stderr?.trim().split('\n').at(-1) ?? 'npm did not answer';
  return { missing: `boardgame.io could not be installed from the npm registry, so it is left out: ${reason}` };
}

/** The pgbench in the PATH, or that of the newest PostgreSQL installed by Debian. */
export function findPgbench(): { command: string } | { missing: string } {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const places = ['pgbench', ...versions.map((version) => join(debian, version, 'bin', 'pgbench'))];
  for (const command of places) {
    try {
      execFileSync(command, ['--version'], { stdio: 'ignore' });
      return { command };
    } catch {} // not here
  }
  return {
    missing: 'pgbench is not installed (Debian: apt install postgresql-contrib), so the bare append is left out.',
  };
}

export interface Cluster {
  /** Creates the database again and returns its address over TCP, which pgbench and boardgame.io use. */
  fresh(name: string): Promise<string>;
  stop(): Promise<void>;
}

async function query(connectionString: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** One PostgreSQL with one set of settings for everybody; fsync and synchronous_commit stay on. */
export async function startCluster(): Promise<Cluster> {
  const dir = resolve('.data', `peers-${process.pid}`);
  const port = await freePort();
  process.env.PGPORT = String(port); // read by PostgreSQL and by its clients
  const configured: LocalPostgres = await startLocalPostgres(join(dir, 'pg'));
  await query(
    configured.url('postgres'),
    "ALTER SYSTEM SET listen_addresses = '127.0.0.1'",
    'ALTER SYSTEM SET max_connections = 200',
    "ALTER SYSTEM SET shared_buffers = '1GB'",
    "ALTER SYSTEM SET max_wal_size = '8GB'",
    "ALTER SYSTEM SET checkpoint_timeout = '15min'",
  );
  await configured.stop();
  const postgres = await startLocalPostgres(join(dir, 'pg'));
  return {
    async fresh(name) {
      const create = [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `CREATE DATABASE ${name}`, 'CHECKPOINT'];
      await query(postgres.url('postgres'), ...create);
      return `postgresql://postgres@127.0.0.1:${port}/${name}`;
    },
    async stop() {
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
