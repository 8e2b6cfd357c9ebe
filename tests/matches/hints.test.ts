/** Hints between servers are sent only while there are other servers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Live, openLive } from '../../src/matches/live/hints.ts';
import { type Hint, openWatchers } from '../../src/matches/live/watchers.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let database: FreshDatabase;
let ear: pg.Client;
const heard: string[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  ear = new pg.Client({ connectionString: database.url });
  await ear.connect();
  ear.on('notification', ({ payload }) => heard.push(String(payload)));
  await ear.query('LISTEN atoll_2');
});
afterAll(async () => {
  await ear.end();
  await database.drop();
});

const open = (aloneAfterMs: number): Promise<Live> =>
  openLive({ url: database.url, versions: async () => new Map(), warn: () => {}, pollMs: 20, aloneAfterMs });

const hint = (version: number): Hint => ({ match: 'm', version, players: ['p', 'q'] });
const told = () => heard.filter((payload) => payload.includes(':'));

it('a server sends hints only while there are other servers', async () => {
  const one = await open(100);
  const beats = heard.length;
  await expect.poll(() => heard.length, { interval: 20 }).toBeGreaterThan(beats + 10); // longer than it takes to be alone
  one.tell(hint(1));
  const two = await open(100);
  const watchers = [two.watchMatch('m'), two.watchTurns('q')];
  await expect
    .poll(
      () => {
        one.tell(hint(2));
        return watchers[0]?.version;
      },
      { interval: 10 },
    )
    .toBe(2);
  await watchers[1]?.wait();
  expect(told().every((payload) => / m:2:p,q$/.test(payload))).toBe(true);
  await two.close();
  await one.close();
});

it('workers of one machine are told directly, and NOTIFY is sent only while there are other servers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-test-'));
  let sent = 0;
  const openWorker = (worker: number): Promise<Live> =>
    openLive({
      url: database.url,
      siblings: { folder, worker, mostUsed: 10, remembered: () => 0, take: () => {} },
      count: (way, direction) => (sent += Number(way === 'database' && direction === 'sent')),
      versions: async () => new Map(),
      warn: () => {},
      pollMs: 20,
      aloneAfterMs: 100,
    });
  const [one, two] = await Promise.all([openWorker(1), openWorker(2)]);
  await expect.poll(() => [one.siblings, two.siblings], { interval: 5 }).toEqual([1, 1]);
  const beats = heard.length;
  await expect.poll(() => heard.length, { interval: 20 }).toBeGreaterThan(beats + 20); // so that they expect no others
  const watcher = two.watchMatch('m');
  const turns = two.watchTurns('q');
  await turns.wait(); // once for what may have been missed, when the other knows of both
  one.tell(hint(3));
  expect(sent).toBe(0);
  await watcher.wait();
  await turns.wait();
  expect(watcher.version).toBe(3);

  const elsewhere = await open(100);
  const other = elsewhere.watchMatch('m');
  const tellOn = () => {
    one.tell(hint(4));
    return other.version;
  };
  await expect.poll(tellOn, { interval: 10 }).toBe(4);
  for (const live of [elsewhere, two, one]) await live.close();
  rmSync(folder, { recursive: true, force: true });
});

it('many watchers are woken in groups, and none is forgotten', async () => {
  const watchers = openWatchers();
  const crowd = Array.from({ length: 1000 }, () => watchers.watchMatch('m'));
  const woken = () => crowd.filter(({ version }) => version === 7).length;
  watchers.wake(hint(7));
  expect(woken()).toBeLessThan(500);
  let turns = 0;
  for (; woken() < 1000; turns++) await new Promise(setImmediate);
  expect(turns).toBeGreaterThan(2);
  for (const watcher of crowd) watcher.close();
  expect(watchers.size).toBe(0);
});

it('a watcher calls back once for each time that it was asked to, and not if a hint is known already', () => {
  const watchers = openWatchers();
  const watcher = watchers.watchMatch('m');
  const seen: number[] = [];
  const call = () => void seen.push(watcher.version);
  expect(watcher.callWhenWoken(call)).toBe(true);
  watchers.wake(hint(1));
  watchers.wake(hint(2));
  expect(seen).toEqual([1]);
  expect(watcher.callWhenWoken(call)).toBe(false); // the second hint came meanwhile
  expect(watcher.callWhenWoken(call)).toBe(true);
  watchers.cutBack('m', 1);
  expect(seen).toEqual([1, 1]);
  expect(watcher.callWhenWoken(call)).toBe(true);
  watcher.close();
  expect(seen).toEqual([1, 1, 1]);
  expect(watcher.callWhenWoken(call)).toBe(false);
});
