/** Starts a built server in a separate process, and computes the numbers that benchmarks print. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import type { Pool } from 'pg';

export const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });

/** The arguments that `npm start` gives to node. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').slice(1);
}

/** Limits that no benchmark reaches. */
const UNLIMITED = {
  RATE_LIMIT_PER_PLAYER: '10000000',
  RATE_LIMIT_PER_ADDRESS: '10000000',
  RATE_LIMIT_REGISTRATIONS: '1000000',
  WORK_LIMIT_PER_PLAYER: '1000000000',
  WORK_LIMIT_PER_ADDRESS: '1000000000',
  QUOTAS: 'off',
  MAX_SUBSCRIPTIONS_PER_PLAYER: '10000',
  MAX_SOCKETS_PER_PLAYER: '10000',
  MAX_SOCKETS_PER_ADDRESS: '100000',
  MAX_CONNECTIONS_PER_ADDRESS: '100000',
  MEMO_MATCHES: '5000',
};

export async function startServer(
  port: number,
  databaseUrl: string,
  extra: Record<string, string> = {},
  limits: Record<string, string> = UNLIMITED,
  nodeArguments: string[] = [],
): Promise<ChildProcess> {
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'warn',
    ...limits,
    ...extra,
  };
  const server = spawn(process.execPath, [...nodeArguments, ...startArguments()], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; tries < 600; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    if (ready?.ok) return server;
    await new Promise((done) => setTimeout(done, 100));
  }
  server.kill();
  throw new Error('the server did not become ready');
}

/** Stops the server as an operator would. One that hangs is killed. */
export async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const stopped = new Promise((done) => server.once('exit', done));
  const patience = setTimeout(() => server.kill('SIGKILL'), 20_000);
  server.kill('SIGTERM');
  await stopped;
  clearTimeout(patience);
}

/** The arguments with which a server writes a CPU profile into this folder. */
export const profilingIn = (folder: string | undefined): string[] =>
  folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(folder)}`];

/** The id of the process of PostgreSQL that has started all the others. */
export async function postmasterOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
  );
  return rows[0]?.pid as number;
}

const percentile = (sorted: number[], p: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0) * 100) / 100;

export function latencies(values: number[]) {
  const sorted = values.sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), p99: percentile(sorted, 0.99) };
}

/** CPU seconds and memory of a process, where the system provides them. */
export function usage(pid: number): { cpuSeconds: number; rssMb: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, rssMb: Math.round(Number(rss) / 1024) };
  } catch {
    return { cpuSeconds: Number.NaN, rssMb: Number.NaN };
  }
}
