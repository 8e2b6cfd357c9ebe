/** Several hosts, of which one accepts changes. A real standby is used where the tools of PostgreSQL are installed. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectingTo, hostsOf, newClient } from '../../src/database/address.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openLive } from '../../src/matches/live/hints.ts';
import { migrateQueue } from '../../src/notices/queue.ts';
import type { Api, MatchJson } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { untilItWorks } from '../support/patience.ts';
import { PAIR_NEEDS, program, type Pair as ServerPair, startPair } from '../support/programs.ts';
import { databaseProxy } from '../support/proxy.ts';

test.each([
  ['postgresql://u:p%40@a/db', ['postgresql://u:p%40@a/db']],
  ['postgresql://u@a:1,b:2/db?target_session_attrs=read-write', ['postgresql://u@a:1/db', 'postgresql://u@b:2/db']],
  [
    'postgres://a,[::1]:5/db?sslmode=require',
    ['postgres://a/db?sslmode=require', 'postgres://[::1]:5/db?sslmode=require'],
  ],
  [
    'postgresql://u@/db?host=%2Fx,%2Fy&port=1,2',
    ['postgresql://u@/db?host=%2Fx&port=1', 'postgresql://u@/db?host=%2Fy&port=2'],
  ],
])('%s', (url, hosts) => {
  expect(hostsOf(url)).toEqual(hosts);
});

test('goes to the host that accepts changes, and looks for another when that one fails', async () => {
  const fresh = await freshDatabase();
  const [one, two] = [await databaseProxy(fresh.url), await databaseProxy(fresh.url)];
  onTestFinished(async () => {
    await one.close();
    await two.close();
    await fresh.drop();
  });
  const portOf = (url: string) => new URL(url).port;
  const { pathname } = new URL(one.url);
  const both = `postgresql://postgres@127.0.0.1:${portOf(one.url)},127.0.0.1:${portOf(two.url)}${pathname}`;
  await one.cut();
  const { Client, connectionString } = connectingTo(both);
  const connectTo = async () => {
    const client = new Client({ connectionString });
    await client.connect();
    const { port } = client;
    await client.end();
    return String(port);
  };
  expect(await connectTo()).toBe(portOf(two.url));
  await one.restore();
  await two.cut();
  await expect(connectTo()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await connectTo()).toBe(portOf(one.url));
});

test('finds a standby that is promoted while another host is silent, without waiting for that one', async () => {
  const fresh = await freshDatabase();
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const proxy = await databaseProxy(fresh.url);
  onTestFinished(async () => {
    silent.close();
    await proxy.close();
    await fresh.drop();
  });
  const { pathname, port } = new URL(proxy.url);
  const alter = async (change: string) => {
    const admin = newClient(fresh.url, { options: '-c default_transaction_read_only=off' });
    await admin.connect();
    await admin.query(`ALTER DATABASE ${pathname.slice(1)} ${change}`);
    await admin.end();
  };
  await alter('SET default_transaction_read_only = on');
  const hosts = [(silent.address() as AddressInfo).port, port].map((each) => `127.0.0.1:${each}`);
  const client = newClient(`postgresql://postgres@${hosts}${pathname}`);
  const connecting = client.connect();
  await sleep(200); // by now it has been refused once, as a rule
  await alter('RESET default_transaction_read_only');
  await connecting;
  expect(String(client.port)).toBe(port);
  await client.end();
});

test('fails without further harm if the connection is lost while the host is asked whether it accepts changes', async () => {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  const client = newClient(`${fresh.url}&target_session_attrs=read-write`);
  client.once('connect', () => streamOf(client).destroy());
  await expect(client.connect()).rejects.toThrow('Connection terminated');
});

const streamOf = (client: Client) => (client as unknown as { connection: { stream: Socket } }).connection.stream;

test('fails if the attempt was given up while the primary was being looked for, as after a process was frozen', async () => {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  const client = newClient(`${fresh.url}&target_session_attrs=read-write`);
  const connecting = client.connect();
  streamOf(client).destroy();
  await expect(connecting).rejects.toThrow('Connection terminated');
});

const missing = PAIR_NEEDS.filter((name) => !program(name));

const word = missing.length > 0 ? ` (skipped: this machine has no ${missing})` : '';

describe.skipIf(missing.length > 0)(`with a streaming standby${word}`, () => {
  let pair: ServerPair;
  let url: string;
  let server: Instance;
  let ann: Api;

  beforeAll(async () => {
    pair = await startPair();
    const admin = newClient(pair.url('postgres'));
    await admin.connect();
    await admin.query('CREATE DATABASE atoll');
    await admin.end();
    url = pair.url('atoll');
    await migrate(url);
    await migrateQueue(url);
    // It remembers one match, so that all others are read.
    server = await startInstance(url, { env: { DATABASE_REPLICA_URL: pair.standbyUrl('atoll'), MEMO_MATCHES: '1' } });
    const { token } = await rest.client([server.url]).register('Ann');
    ann = rest.client([server.url], token);
  });
  afterAll(async () => {
    await server.stop();
    await pair.stop();
  });

  async function endedMatch(): Promise<MatchJson> {
    const { id } = await ann.createMatch({ game: 'hashi', seats: 1 });
    await ann.resign(id);
    return ann.match(id);
  }

  test('the standby serves lists and logs of ended matches, but no log that is behind', async () => {
    const standby = newClient(pair.standbyUrl('atoll'));
    await standby.connect();
    onTestFinished(() => standby.end());
    const listed = async () => (await ann.matches({ status: 'FINISHED' })).matches.map(({ id }) => id);
    const versions = async (id: string) => (await ann.events(id, { after: 0 })).map(({ version }) => version);
    const whole = ({ version }: MatchJson) => Array.from({ length: version }, (_, i) => i + 1);
    /** The last statement of each of our connections to it. */
    const asked = async () => {
      const { rows } = await standby.query<{ query: string }>(
        "SELECT query FROM pg_stat_activity WHERE application_name = 'atoll replica'",
      );
      return rows.map(({ query }) => query).join();
    };
    const early = await endedMatch();
    await expect.poll(listed).toContain(early.id);
    const readAgain = async () => {
      await endedMatch(); // so that the first is no longer remembered
      expect(await versions(early.id)).toEqual(whole(early));
      return asked();
    };
    await expect.poll(readAgain).toMatch(/FROM events/); // a standby that is slow is left out for a while

    await standby.query('SELECT pg_wal_replay_pause()');
    const late = await endedMatch();
    await endedMatch();
    await expect.poll(listed).not.toContain(late.id); // lists may be late
    expect(await ann.match(late.id)).toEqual(late);
    expect(await versions(late.id)).toEqual(whole(late));
    await ann.match(early.id);
    expect((await ann.export(late.id)).events).toHaveLength(late.version);
    await standby.query('SELECT pg_wal_replay_resume()');
    await expect.poll(listed).toContain(late.id);
  });

  /** A commit that notifies and waits for the standby holds the lock through which all notifications pass. */
  async function hintsWaitForNobody(): Promise<void> {
    const job = newClient(url);
    await job.connect();
    await job.query('BEGIN; CREATE TABLE IF NOT EXISTS waits (n int); NOTIFY jobs');
    const committed = job.query('COMMIT');
    const codes: unknown[] = [];
    const live = await openLive({
      url,
      versions: async () => new Map(),
      warn: (_, error) => codes.push((error as { code?: string }).code),
    });
    live.tell({ match: 'm', version: 1, players: [] });
    await expect.poll(() => codes[0]).toBe('55P03');
    expect(live.reconnects).toBe(0);
    await live.close();
    void committed.catch(() => {}).finally(() => job.end());
  }

  test('after a failover every part finds the new primary by itself', async () => {
    const { id } = await ann.createMatch({ game: 'cacao', seats: 2 });
    const ready = async () => (await fetch(`${server.url}/health/ready`)).status;
    expect(await ready()).toBe(200);

    // While the standby is away nothing is confirmed, and nobody is kept waiting.
    await pair.pauseStandby();
    await expect(ann.addBot(id)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect.poll(ready).toBe(503);
    await hintsWaitForNobody();
    pair.resumeStandby();
    await expect.poll(ready).toBe(200);

    await pair.failover(); // `npm run chaos` measures how long this takes
    await expect.poll(ready).toBe(200);
    const created = await untilItWorks(() => ann.createMatch({ game: 'hashi', seats: 1 }));
    expect(created.status).toBe('ACTIVE');
    expect((await untilItWorks(() => ann.match(id))).id).toBe(id);
    const listens = newClient(url);
    await listens.connect();
    const sessions = async () => {
      const { rows } = await listens.query<{ name: string }>(
        "SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = 'atoll'",
      );
      return rows.map(({ name }) => name);
    };
    await expect.poll(sessions).toEqual(expect.arrayContaining(['atoll', 'atoll live', 'atoll notices']));
    await listens.end();
  });
});
