/** Hints through a real message bus: who hears of what, and what happens while the bus is away. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBus } from '../../src/bus/bus.ts';
import { type Live, openLive } from '../../src/matches/live/hints.ts';
import { LOBBY } from '../../src/matches/live/lobby.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { hasRedis, noRedis, PASSWORD, type Redis, startRedis } from '../support/redis.ts';

interface Server {
  live: Live;
  counts: Record<'bus' | 'database' | 'sibling', { sent: number; received: number }>;
  log: string[];
  isConnected(): boolean;
  close(): Promise<void>;
}

describe.skipIf(!hasRedis)(`hints by a message bus${noRedis}`, () => {
  let database: FreshDatabase;
  let redis: Redis;
  /** What the database would answer. */
  const versions = new Map<string, number>();
  const servers: Server[] = [];
  let one: Server;
  let two: Server;
  let three: Server;

  async function newServer(busUrl: string | null = redis.url): Promise<Server> {
    const none = () => ({ sent: 0, received: 0 });
    const counts = { bus: none(), database: none(), sibling: none() };
    const log: string[] = [];
    const warn = (message: string) => void log.push(message);
    const bus = busUrl === null ? undefined : openBus({ url: busUrl, prefix: 'test', warn, inform: warn });
    const live = await openLive({
      url: database.url,
      bus,
      count: (way, direction) => counts[way][direction]++,
      versions: async (ids) => new Map(ids.map((id) => [id, versions.get(id) ?? 0])),
      warn: () => {},
      pollMs: 3_600_000, // nobody finds anything by polling
      aloneAfterMs: 3_600_000, // nor is anybody forgotten who says nothing
    });
    const server = {
      live,
      counts,
      log,
      isConnected: () => bus?.isConnected ?? false,
      async close() {
        await live.close();
        await bus?.close();
      },
    };
    servers.push(server);
    return server;
  }

  const followers = async (subject: string) => (await redis.ask<[string, number]>('PUBSUB', 'NUMSUB', subject))[1];

  beforeAll(async () => {
    database = await freshDatabase();
    redis = await startRedis();
    one = await newServer();
    await redis.ask('ACL', 'SETUSER', 'two', 'on', '>two', '~test:*', '&test:*', '+@all');
    two = await newServer(redis.url.replace(/:[^:@]*@/, 'two:two@'));
    three = await newServer();
  });
  afterAll(async () => {
    for (const { close } of servers) await close();
    await redis.kill();
    await database.drop();
  });

  it('reach only those who watch, and do not go through the database', async () => {
    const watchers = [two.live.watchMatch('m'), two.live.watchTurns('ann'), two.live.watchTurns(LOBBY)] as const;
    await expect.poll(() => followers('test:match:m')).toBe(1);
    await expect.poll(() => followers(`test:turns:${LOBBY}`)).toBe(1);
    for (const watcher of watchers.slice(1)) await watcher.wait(); // makes up for hints that may have been missed before
    one.live.tell({ match: 'm', version: 7, players: ['ann', 'ben', LOBBY] });
    for (const watcher of watchers) await watcher.wait();
    expect(watchers[0].version).toBe(7);
    expect([one, two, three].map(({ counts }) => counts.bus)).toEqual([
      { sent: 4, received: 0 },
      { sent: 0, received: 3 },
      { sent: 0, received: 0 },
    ]);
    for (const watcher of watchers) watcher.close();
    await expect.poll(() => redis.ask('PUBSUB', 'CHANNELS')).toEqual([]);
    one.live.tell({ match: 'm', version: 8, players: ['ann'] });
    expect(await followers('test:match:m')).toBe(0);
    expect(two.counts.bus.received).toBe(3);
    expect(one.counts.database.sent).toBe(0);
  });

  it('that were sent before a subject was followed are made up for by reading the log', async () => {
    versions.set('early', 3);
    const watcher = two.live.watchMatch('early');
    await watcher.wait();
    expect(watcher.version).toBe(3);
    watcher.close();
  });

  it('go through the database to and from a server that has lost the bus', async () => {
    const watchers = [one.live.watchMatch('apart'), two.live.watchMatch('apart')] as const;
    await Promise.all(watchers.map((watcher) => watcher.wait()));
    await redis.ask('ACL', 'SETUSER', 'two', 'off');
    await redis.ask('CLIENT', 'KILL', 'USER', 'two');
    await expect.poll(two.isConnected).toBe(false);
    await expect
      .poll(() => {
        three.live.tell({ match: 'apart', version: 4, players: [] });
        return watchers.map(({ version }) => version);
      })
      .toEqual([4, 4]);
    two.live.tell({ match: 'apart', version: 5, players: [] });
    await expect.poll(() => watchers[0].version).toBe(5);
    await redis.ask('ACL', 'SETUSER', 'two', 'on');
    await expect.poll(() => two.log.splice(0).at(-1)).toBe('The message bus is back.');
    for (const watcher of watchers) watcher.close();
  });

  it('go through the database while the bus is away, and through the bus when it is back', async () => {
    const watcher = two.live.watchMatch('w');
    await watcher.wait();
    await redis.kill();
    await expect.poll(() => servers.some(({ isConnected }) => isConnected())).toBe(false);
    await expect
      .poll(() => {
        one.live.tell({ match: 'w', version: 11, players: [] });
        return watcher.version;
      })
      .toBe(11);
    for (const { log } of servers)
      await expect.poll(() => log).toEqual([expect.stringMatching(/^The message bus is away \(/)]);

    versions.set('w', 12); // somebody acts, and all hints of it are lost
    await redis.start();
    await redis.ask('ACL', 'SETUSER', 'two', 'on', '>two', '~test:*', '&test:*', '+@all');
    await expect.poll(() => watcher.version).toBe(12);
    await expect.poll(() => servers.every(({ isConnected }) => isConnected())).toBe(true);
    for (const { log } of servers) await expect.poll(() => log[1]).toBe('The message bus is back.');
    await expect
      .poll(() => {
        const { sent } = one.counts.database;
        one.live.tell({ match: 'w', version: watcher.version + 1, players: [] });
        return one.counts.database.sent - sent;
      })
      .toBe(0); // once all servers have announced that they use the bus again
    await expect.poll(() => watcher.version).toBeGreaterThan(12);
    expect(servers.flatMap(({ log }) => log).join()).not.toContain(PASSWORD);
  });

  it('go through the database to and from a server without a bus', async () => {
    const old = await newServer(null);
    const [there, here] = [two.live.watchMatch('mixed'), old.live.watchMatch('mixed')];
    await expect
      .poll(() => {
        one.live.tell({ match: 'mixed', version: 5, players: [] });
        return [there.version, here.version];
      })
      .toEqual([5, 5]);
    old.live.tell({ match: 'mixed', version: 6, players: [] });
    await expect.poll(() => there.version).toBe(6);
    here.close();
    there.close();
  });
});
