/**
 * The bare append: the statement that moves a match and inserts an event, sent by pgbench (C, prepared, 32 clients) to
 * the same PostgreSQL. No server that commits every move separately can be faster.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { latencies } from '../bench/process.ts';

const CLIENTS = 32;
/** Every client has its own matches and takes them in turn, so that the version it expects is always right. */
const MATCHES_PER_CLIENT = 100;

const SCHEMA = `
  CREATE TABLE matches (id uuid PRIMARY KEY, version int NOT NULL DEFAULT 0, status text NOT NULL DEFAULT 'active',
    updated_at timestamptz NOT NULL DEFAULT now()) WITH (fillfactor = 70);
  CREATE TABLE actions (match_id uuid NOT NULL, seq int NOT NULL, payload jsonb NOT NULL, hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (match_id, seq));
  INSERT INTO matches (id) SELECT md5(n::text)::uuid FROM generate_series(0, 9999) n`;

const SCRIPT = `\\set k :k + 1
\\set m :client_id * ${MATCHES_PER_CLIENT} + :k % ${MATCHES_PER_CLIENT}
\\set v :k / ${MATCHES_PER_CLIENT}
WITH moved AS (UPDATE matches SET version = version + 1 WHERE id = md5(:m::text)::uuid AND version = :v::int RETURNING id, version) INSERT INTO actions (match_id, seq, payload, hash) SELECT id, version, :payload::jsonb, :hash::bytea FROM moved RETURNING seq;
`;

/** About as long as an event of ours. */
const PAYLOAD = JSON.stringify({
  type: 'place',
  player: 0,
  turn: 12,
  x: 12,
  y: 8,
  piece: 'knight',
  from: 'b1',
  to: 'c3',
  note: 'abcdefghijklmnopqrstuvwxyzabcdefghij',
  at: 1_700_000_000_012,
});

interface Transaction {
  ended: number;
  ms: number;
}

/** The fields of a log line: client, number, microseconds, script, second, microsecond. */
function readLogs(folder: string): Transaction[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('log'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => line.split(' ').map(Number))
    .map(([, , micros = 0, , second = 0, micro = 0]) => ({ ended: second + micro / 1e6, ms: micros / 1000 }));
}

async function runPgbench(command: string, url: URL, folder: string, seconds: number): Promise<void> {
  const file = join(folder, 'append.sql');
  writeFileSync(file, SCRIPT);
  const where = ['-h', url.hostname, '-p', url.port, '-U', url.username];
  const how = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(seconds)];
  const what = ['-f', file, '-D', 'k=-1', '-D', `payload=${PAYLOAD}`, '-D', `hash=\\x${'ab'.repeat(32)}`];
  const log = ['-l', '--log-prefix', join(folder, 'log')];
  const child = spawn(command, [...where, ...how, ...what, ...log, url.pathname.slice(1)]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`pgbench failed: ${output.trim().split('\n').at(-1)}`);
}

export async function benchPgbench(command: string, url: string, seconds: number, warmup: number) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  mkdirSync(resolve('.data'), { recursive: true });
  const folder = mkdtempSync(resolve('.data', 'pgbench-'));
  try {
    await client.query(SCHEMA);
    await client.query('VACUUM ANALYZE matches');
    await client.query('CHECKPOINT');
    await runPgbench(command, new URL(url), folder, seconds + warmup);
    const all = readLogs(folder);
    const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM actions');
    if (rows[0]?.n !== all.length) throw new Error('some transactions of pgbench appended nothing');
    const first = all.reduce((least, { ended }) => Math.min(least, ended), Number.POSITIVE_INFINITY);
    const last = all.reduce((most, { ended }) => Math.max(most, ended), 0);
    const measured = all.filter(({ ended }) => ended >= first + warmup).map(({ ms }) => ms);
    const movesPerSecond = Math.round(measured.length / (last - first - warmup));
    return { moves: measured.length, movesPerSecond, ms: latencies(measured) };
  } finally {
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
