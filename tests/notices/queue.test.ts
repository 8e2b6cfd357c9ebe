/** Several servers, servers that are killed, servers that stop: each notice arrives, and once. */
import { type ChildProcess, spawn } from 'node:child_process';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrateQueue, NEWEST_MIGRATION } from '../../src/notices/queue.ts';
import { unlockDead } from '../../src/notices/tasks.ts';
import type { Player } from '../../src/players/player.ts';
import { compiled } from '../support/compiled.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { deliveriesOf, type NoticeServer, noJobs, openNoticeServer, settled } from '../support/notices.ts';
import { untilItWorks } from '../support/patience.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { newPlayers, openServices, runningMatch, type TestServices } from '../support/servers.ts';

let database: FreshDatabase;
let receiver: Receiver;
/** A server without workers and relay, whose committed notices others must find. */
let mute: TestServices;
let ann: Player;
let ben: Player;
const open: NoticeServer[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  mute = await openServices(database.url);
});
afterAll(async () => {
  await mute.close();
  await database.drop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  [ann, ben] = (await newPlayers(mute, 'Ann', 'Ben')) as [Player, Player];
});
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
  await receiver[Symbol.asyncDispose]();
});

async function start(parts: Parameters<typeof openNoticeServer>[2] = {}): Promise<NoticeServer> {
  const server = await openNoticeServer(database.url, {}, { timeoutMs: 60_000, ...parts });
  open.push(server);
  return server;
}

test('a notice that a server committed before it died is sent by another', async () => {
  const server = await start();
  const { webhook } = await server.notices.webhooks.create(ann, { url: receiver.url });
  await runningMatch(mute, [ann, ben]); // committed, and not processed by this server
  await receiver.until(1);
  expect((await settled(server, webhook, 1))[0]).toMatchObject({ status: 'DELIVERED', attempts: 1 });
});

test('several servers share the work, and each notice is sent once', async () => {
  const servers = await Promise.all([start(), start(), start()]);
  const [server] = servers;
  const { webhook } = await server.notices.webhooks.create(ann, { url: receiver.url });
  const N = 30;
  await Promise.all(Array.from({ length: N }, (_, i) => runningMatch(servers[i % 3] as NoticeServer, [ann, ben])));
  const all = await settled(server, webhook, N);
  expect(all.every(({ status, attempts }) => status === 'DELIVERED' && attempts === 1)).toBe(true);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(N);
  expect(receiver.requests).toHaveLength(N);
});

test('a stop gives up deliveries that do not finish, and another server sends them', async () => {
  const first = await start();
  const { webhook } = await first.notices.webhooks.create(ann, { url: receiver.url });
  receiver.answer('silent', 200);
  await runningMatch(mute, [ann, ben]);
  await receiver.until(1);
  await first.notices.close(); // SHUTDOWN_SECONDS is 1; an attempt that came to its end would be counted
  expect((await deliveriesOf(first, webhook))[0]).toMatchObject({ status: 'PENDING', attempts: 0 });
  const second = await start();
  await receiver.until(2);
  expect((await settled(second, webhook, 1))[0]).toMatchObject({ status: 'DELIVERED', attempts: 1 });
});

test('a server that is killed while it sends leaves the job to another', async () => {
  const server = await start();
  const { webhook } = await server.notices.webhooks.create(ann, { url: receiver.url });
  await server.notices.close();
  receiver.answer('silent', 200);
  const child = await spawnServer({ WEBHOOK_ALLOW_PRIVATE: 'true', NOTICE_DELAY_SECONDS: '0' });
  await runningMatch(mute, [ann, ben]);
  await receiver.until(1);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const heir = await start();
  await unlockDead(mute.database.pool, 0); // a real server does this once a minute, for jobs locked for 90 seconds
  await receiver.until(2);
  expect((await settled(heir, webhook, 1))[0]).toMatchObject({ status: 'DELIVERED', attempts: 2 });
  await noJobs(heir.database.pool);
});

async function spawnServer(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [compiled('main')], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: database.url, ...env },
  });
  await new Promise<void>((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Atoll is listening')) resolve();
    });
  });
  return child;
}

test('workers survive a database that goes away and comes back', async () => {
  const server = await start();
  const { webhook } = await server.notices.webhooks.create(ann, { url: receiver.url });
  receiver.answer('silent', 200);
  await runningMatch(mute, [ann, ben]);
  await receiver.until(1);
  const admin = new pg.Client({ connectionString: database.url.replace(/\/t_\w+/, '/postgres') });
  await admin.connect();
  const name = new URL(database.url).pathname.slice(1);
  await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await receiver.stop(); // the attempt ends while nothing can be written
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await receiver.start();
  await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
  await admin.end();
  await untilItWorks(() => unlockDead(mute.database.pool, 0));
  await receiver.until(2);
  expect((await untilItWorks(() => settled(server, webhook, 1)))[0]).toMatchObject({ status: 'DELIVERED' });
});

test('a database role that may not create the tables gets an explanation', async () => {
  const fresh = await freshDatabase({ migrated: false });
  const admin = new pg.Client({ connectionString: fresh.url });
  await admin.connect();
  await admin.query('CREATE ROLE atoll_restricted LOGIN');
  try {
    const restricted = fresh.url.replace('postgres@', 'atoll_restricted@');
    await expect(migrateQueue(restricted)).rejects.toThrow(
      /schema graphile_worker\) could not be made: permission denied for database .* needs CREATE on the database/,
    );
    await migrateQueue(fresh.url);
    const { rows } = await admin.query('SELECT max(id) AS newest FROM graphile_worker.migrations');
    expect(rows).toEqual([{ newest: NEWEST_MIGRATION }]); // else every start would look for more
    await Promise.all([migrateQueue(fresh.url), migrateQueue(fresh.url)]);
  } finally {
    await admin.query('DROP ROLE atoll_restricted');
    await admin.end();
    await fresh.drop();
  }
});
