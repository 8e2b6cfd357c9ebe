/** Live streams: every event once and in order, whatever is cut; nothing is left behind. */
import { describe, expect, it, vi } from 'vitest';
import type { Player } from '../../src/players/player.ts';
import { databaseProxy } from '../support/proxy.ts';
import { anAction, newPlayers, openServices, runningMatch, type TestServices, twoServers } from '../support/servers.ts';

const { database, one, two, players } = await twoServers();

/** The versions that a subscriber sees until the stream ends. */
async function follow(server: TestServices, id: string, after: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { event } of await server.matches.events(null, id, after)) {
    seen.push(event.version);
  }
  return seen;
}

async function playOn(id: string, between: (version: number) => Promise<void> = async () => {}): Promise<number> {
  for (;;) {
    const match = await one.matches.see(null, id);
    const [seat] = match.acting;
    if (seat === undefined) return match.version;
    const player = players[seat] as Player;
    const server = match.version % 2 ? one : two;
    await server.matches.submit(player, { matchId: id, action: await anAction(server.matches, player, id) });
    await between(match.version);
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('matchEvents', () => {
  it('gives every subscriber on either server every event once, in order, and ends with the match', async () => {
    const { id } = await runningMatch(one, players);
    const early = [0, 0, 2, 3, 4].map((after, i) => ({ after, seen: follow(i % 2 ? one : two, id, after) }));
    const joiners: { after: number; seen: Promise<number[]> }[] = [];
    const last = await playOn(id, async (version) => {
      joiners.push({ after: version, seen: follow(version % 2 ? two : one, id, version) });
    });
    for (const { after, seen } of [...early, ...joiners]) expect(await seen).toEqual(range(after + 1, last));
    expect(await follow(two, id, last)).toEqual([]);
  });

  it('loses nothing when the connections for hints are killed', async () => {
    const { id } = await runningMatch(one, players);
    const subscribers = [one, two, one, two].map((server) => follow(server, id, 0));
    const last = await playOn(id, async () => {
      await one.database.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'atoll live' AND datname = current_database()",
      );
    });
    for (const seen of subscribers) expect(await seen).toEqual(range(1, last));
    // A quick match is over before the first attempt to reconnect.
    await expect.poll(() => one.live.reconnects + two.live.reconnects).toBeGreaterThan(0);
  });

  it('finds events by polling if no hint came', async () => {
    const { id } = await runningMatch(one, players);
    const mute = await openServices(database.url);
    mute.live.tell = () => {};
    const seen = follow(two, id, 4);
    for (let round = 0; round < 3; round++) {
      for (const player of players) {
        await mute.matches.submit(player, { matchId: id, action: await anAction(mute.matches, player, id) });
      }
    }
    expect(await seen).toEqual(range(5, 13));
    await mute.close();
  });

  it('reads the log once for all subscribers of a match', async () => {
    const { id } = await runningMatch(one, players);
    const third = await openServices(database.url, { pollMs: 60_000 });
    const subscribers = Array.from({ length: 30 }, () => follow(third, id, 0));
    while (third.live.watchers < 30) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    let reads = 0;
    const { since } = third.store;
    third.store.since = (...args) => {
      reads++;
      return since(...args);
    };
    await one.matches.submit(players[0], { matchId: id, action: await anAction(one.matches, players[0], id) });
    while (((await third.memo.recall(id))?.version ?? 0) < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(reads).toBe(1);
    const last = await playOn(id);
    for (const seen of subscribers) expect(await seen).toEqual(range(1, last));
    await third.close();
  });

  it('reads the log once for both players who begin to follow a match that is remembered', async () => {
    const { id } = await runningMatch(one, players);
    const reads = vi.spyOn(one.store, 'since');
    const gone = players.slice(0, 2).map(async (player) => {
      const events = await one.matches.events(player, id, 3);
      expect(await events.next()).toMatchObject({ value: { event: { version: 4 } } });
      await events.return();
    });
    await Promise.all(gone);
    expect(reads).toHaveBeenCalledOnce();
    reads.mockRestore();
  });

  it('begins after a version that is newer than the remembered match', async () => {
    const { id } = await runningMatch(one, players);
    const third = await openServices(database.url, { pollMs: 60_000 });
    await third.matches.see(null, id);
    const last = await playOn(id);
    expect(third.memo.versionOf(id)).toBe(4);
    expect(await follow(third, id, 6)).toEqual(range(7, last));
    await third.close();
  });

  it('frees everything when a subscriber leaves', async () => {
    const { id } = await runningMatch(one, players);
    const before = one.live.watchers;
    const gone = Array.from({ length: 20 }, async () => {
      const events = await one.matches.events(null, id, 4);
      const next = events.next(); // waits: nothing has happened yet
      setTimeout(() => void events.return(), 20);
      expect(await next).toEqual({ done: true, value: undefined });
    });
    await Promise.all(gone);
    expect(one.live.watchers).toBe(before);
  });

  it('can be closed while the connection for hints is being restored', async () => {
    const proxy = await databaseProxy(database.url);
    const server = await openServices(proxy.url);
    await proxy.cut();
    proxy.hold();
    await proxy.restore();
    await expect.poll(() => server.live.reconnects).toBe(1);
    await expect.poll(() => proxy.connections).toBe(1);
    const closed = server.close();
    proxy.release();
    await closed;
    await proxy.close();
  });

  it('refuses a version that does not exist', async () => {
    const { id } = await runningMatch(one, players);
    for (const after of [-1, 5, 1.5]) {
      const events = one.matches.events(null, id, after);
      await expect(events).rejects.toMatchObject({ code: 'BAD_INPUT', details: { version: 4 } });
    }
  });
});

describe('turns', () => {
  it('sends the current turns, then each gain and loss, from either server', async () => {
    const [dee, eve] = (await newPlayers(one, 'Dee', 'Eve')) as [Player, Player];
    const first = await runningMatch(one, [dee, eve]);
    const turns = two.matches.turns(dee);
    const seen: [string, boolean][] = [];
    let wake = () => {};
    const reading = (async () => {
      for await (const { match, acting } of turns) {
        seen.push([match.id, acting]);
        wake();
      }
    })();
    const until = async (n: number) => {
      while (seen.length < n) await new Promise<void>((resolve) => (wake = resolve));
    };
    await until(1);
    const second = await runningMatch(two, [eve, dee]);
    await until(2);
    await one.matches.submit(dee, { matchId: first.id, action: await anAction(one.matches, dee, first.id) });
    await until(3);
    await one.matches.submit(eve, { matchId: first.id, action: await anAction(one.matches, eve, first.id) });
    await until(4);
    expect(seen).toEqual([
      [first.id, true],
      [second.id, true],
      [first.id, false],
      [first.id, true],
    ]);
    await turns.return?.();
    await reading;
  });
});
