import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Process, runServer, startProcess } from '../support/process.ts';

let database: FreshDatabase;
const started: Process[] = [];

beforeAll(async () => {
  database = await freshDatabase({ migrated: false });
});
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => database.drop());

function run(env: Record<string, string>): Process {
  const server = runServer(env);
  started.push(server);
  return server;
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
  const servers = await Promise.all([startProcess(database.url), startProcess(database.url)]);
  started.push(...servers);
  for (const { url } of servers) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  const [first, second] = servers;
  const closed = new Promise<{ code: number }>((resolve) => {
    const client = createClient({
      url: `${first.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      lazy: false,
      retryAttempts: 0,
      on: { connected: () => first.child.kill('SIGTERM'), closed: (event) => resolve(event as { code: number }) },
      onNonLazyError: () => {},
    });
    void client;
  });
  expect((await closed).code).toBe(1001);
  expect(await first.exit).toBe(0);
  second.child.kill('SIGINT');
  expect(await second.exit).toBe(0);
}, 90_000);
