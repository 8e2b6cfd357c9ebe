import { type ChildProcess, spawn } from 'node:child_process';
import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let database: FreshDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await freshDatabase({ migrated: false });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => database.drop());

interface Process {
  child: ChildProcess;
  output(): string;
  exit: Promise<number | null>;
}

function run(env: Record<string, string>): Process {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', ...env },
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  return { child, output: () => output, exit: new Promise((resolve) => child.once('close', resolve)) };
}

async function started(env: Record<string, string>): Promise<Process & { url: string }> {
  const server = run(env);
  const url = () => server.output().match(/Atoll is listening on (http:\S+)/)?.[1];
  await expect.poll(url, { timeout: 30_000, interval: 100 }).toBeDefined();
  return { ...server, url: url()?.replace('localhost', '127.0.0.1') as string };
}

test('a wrong variable stops the start with a sentence', async () => {
  const server = run({ PORT: 'http' });
  expect(await server.exit).toBe(1);
  expect(server.output()).toBe('Atoll cannot start.\nPORT is "http", but must be a whole number from 0 to 65535.\n');
}, 60_000);

test('so does a database that is not there', async () => {
  const server = run({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
  expect(await server.exit).toBe(1);
  expect(server.output()).toBe(
    'Atoll cannot start.\nThe database of DATABASE_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1.\n',
  );
}, 60_000);

test('two that start at once on an empty database both serve, and stop cleanly', async () => {
  // A busy machine may hold a process up while it starts: that must not be answered with 503 here.
  const env = { DATABASE_URL: database.url, MAX_EVENT_LOOP_DELAY_MS: '0' };
  const servers = await Promise.all([started(env), started(env)]);
  for (const { url } of servers) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  const [first] = servers;
  const closed = new Promise<{ code: number }>((resolve) => {
    const client = createClient({
      url: `${first?.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      lazy: false,
      retryAttempts: 0,
      on: { connected: () => first?.child.kill('SIGTERM'), closed: (event) => resolve(event as { code: number }) },
      onNonLazyError: () => {},
    });
    void client;
  });
  expect((await closed).code).toBe(1001);
  expect(await first?.exit).toBe(0);
  servers[1]?.child.kill('SIGINT');
  expect(await servers[1]?.exit).toBe(0);
}, 90_000);
