/** Workers of one machine tell each other what they commit, and read the log only if that does not fit. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openInterest } from '../../src/matches/live/interest.ts';
import { openSiblings, packedEvent, socketOf } from '../../src/matches/live/siblings.ts';
import type { LoggedEvent, Match } from '../../src/matches/log/records.ts';
import type { Player } from '../../src/players/player.ts';
import { openServices, runningMatch, type TestServices, twoServers } from '../support/servers.ts';

const HOUR = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'atoll-test-'));
// Nobody polls, and nobody is told through the database.
const { database, one, two, players } = await twoServers({ folder, pollMs: HOUR, aloneAfterMs: 0 });
const [ann, ben, cho] = players;

beforeAll(() => until(() => one.live.siblings === 1 && two.live.siblings === 1));
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 2, timeout: 20_000 });

/** The match as this server remembers it. */
const remembered = (server: TestServices, id: string) => server.memo.peek(id) as Match;

/** Decides on what is remembered, so that nothing is read. */
function play(server: TestServices, id: string, player: Player, pick = 0) {
  const { engine, state, seats } = remembered(server, id);
  const action = engine.legal(state as object, seats.indexOf(player.id)).at(pick) as object;
  return server.matches.submit(player, { matchId: id, action });
}

/** The versions that a subscriber sees, and the code of the error with which the stream ended. */
async function follow(server: TestServices, id: string, after = 0) {
  const seen: (number | string)[] = [];
  const events = await server.matches.events(null, id, after);
  const ended = (async () => {
    for await (const { event } of events) seen.push(event.version);
  })().catch((error) => void seen.push(error.code));
  await until(() => seen.length > 0);
  return { seen, ended, stop: () => events.return?.() };
}

const reads = ({ store }: TestServices) =>
  (['since', 'tail', 'whole', 'row', 'versions'] as const).map((method) => vi.spyOn(store, method));

it('a match is played on two workers, and watched on both, without a read and without NOTIFY', async () => {
  const { id, version } = await runningMatch(one, players);
  const streams = [await follow(one, id), await follow(two, id)];
  const spies = [...reads(one), ...reads(two)];
  for (let at = version; ; at++) {
    await until(() => [one, two].every((server) => server.memo.versionOf(id) === at));
    const [seat] = remembered(one, id).acting;
    if (seat === undefined) break;
    await play(seat === 0 ? one : two, id, players[seat] as Player);
  }
  const whole = remembered(two, id).events.map((event) => event.version);
  for (const { seen, ended } of streams) {
    await ended;
    expect(seen).toEqual(whole);
  }
  expect(spies.filter((spy) => spy.mock.calls.length > 0)).toEqual([]);
  expect([one.hints.database, two.hints.database]).toEqual([0, 0]);
  // What was taken over is what the log says.
  const fresh = await openServices(database.url, { pollMs: HOUR, aloneAfterMs: 0 });
  const { engine: _, events, ...logged } = (await fresh.memo.fresh(id)) as Match;
  expect(remembered(two, id)).toMatchObject(logged);
  expect(remembered(two, id).events.slice()).toEqual(events.slice());
  await fresh.close();
});

it('a worker that neither watches nor plays a match hears nothing of it', async () => {
  const quiet = await runningMatch(one, players);
  const { id } = await runningMatch(one, players);
  const before = two.hints.sibling;
  const stream = await follow(two, id);
  await play(one, quiet.id, ann);
  await play(one, quiet.id, ben);
  await play(one, id, ann);
  await until(() => stream.seen.length === 5);
  expect(two.hints.sibling).toBe(before + 1);
  stream.stop();
});

it('a worker that has made a move of a match follows it without watching it', async () => {
  const { id } = await runningMatch(one, players);
  await play(one, id, ann);
  await two.memo.fresh(id);
  await play(two, id, ben);
  await until(() => one.memo.versionOf(id) === 6);
  const spies = reads(one);
  expect((await play(one, id, cho)).event.version).toBe(7);
  expect(spies.filter((spy) => spy.mock.calls.length > 0)).toEqual([]);
});

/** A process that says it is a sibling. `two` connects to it and hears what it sends. */
async function impostor(worker: number) {
  const links: Socket[] = [];
  const server = createServer((socket) => links.push(socket.resume())).listen(join(folder, socketOf(worker)));
  await once(server, 'listening');
  const hello = connect(join(folder, socketOf(2)));
  hello.write(`${JSON.stringify(['hello', 'impostor', worker])}\n`);
  await until(() => links.length === 1);
  return {
    links,
    send: (message: unknown) => links.at(-1)?.write(`${JSON.stringify(message)}\n`),
    close() {
      hello.destroy();
      for (const socket of links) socket.destroy();
      server.close();
    },
  };
}

it('events out of order, forged or unreadable lead to what the log says', async () => {
  const { id } = await runningMatch(one, players);
  const stream = await follow(two, id);
  await until(() => two.memo.versionOf(id) === 4);
  const liar = await impostor(7);
  const since = vi.spyOn(two.store, 'since');

  // Forged: it follows a history that nobody has.
  const fake = { ...(remembered(two, id).events.at(-1) as LoggedEvent), version: 5 };
  liar.send([id, 5, [], '00'.repeat(32), [packedEvent(fake)]]);
  await until(() => since.mock.calls.length > 0);
  expect(remembered(two, id).version).toBe(4);

  // Out of order: version 6 comes, and nobody has told of version 5.
  const mute = await openServices(database.url, { pollMs: HOUR, aloneAfterMs: 0 });
  await mute.memo.fresh(id);
  await play(mute, id, ann);
  await play(mute, id, ben);
  const [fifth, sixth] = remembered(mute, id).events.slice(-2) as [LoggedEvent, LoggedEvent];
  liar.send([id, 6, [], fifth.hash, [packedEvent(sixth)]]);
  await until(() => stream.seen.length === 6);

  // Unreadable: the connection is given up and made again.
  liar.links[0]?.write('nonsense\n');
  await until(() => liar.links.length === 2);
  liar.close();
  await two.memo.fresh(id);
  await play(two, id, cho);
  await until(() => stream.seen.length === 7);
  expect(stream.seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
  stream.stop();
  await mute.close();
});

it('a history that the database has lost is cut back on every worker', async () => {
  const { id } = await runningMatch(one, players);
  const stream = await follow(two, id);
  await play(one, id, ann);
  await until(() => stream.seen.length === 5);
  const client = await one.database.pool.connect();
  await client.query('SET session_replication_role = replica');
  await client.query('DELETE FROM events WHERE match_id = $1 AND version = 5', [id]);
  await client.query("UPDATE matches SET version = 4, acting = '{0,1,2}' WHERE id = $1", [id]);
  client.release(true);
  await one.memo.fresh(id);
  await play(one, id, ann, -1);
  await play(one, id, ben);
  await stream.ended;
  expect(stream.seen).toEqual([1, 2, 3, 4, 5, 'HISTORY_CUT']);
  expect(two.cuts).toEqual([[5, 6]]);
  expect(remembered(two, id).hash).toBe(remembered(one, id).hash);
});

it('a worker that does not read is cut off, and told through the database from then on', async () => {
  const nothing = () => {};
  const siblings = openSiblings({
    folder,
    worker: 20,
    name: 'twenty',
    hear: nothing,
    take: nothing,
    remembered: () => 0,
    mayHaveMissed: nothing,
    mostUsed: 10,
    count: nothing,
  });
  await siblings.open();
  const frozen = connect(join(folder, socketOf(20)));
  frozen.write('["+","match","m",0]\n["hello","frozen",21]\n');
  await until(() => siblings.isTold('frozen'));
  const players = ['x'.repeat(1_000_000)];
  let told = 0;
  for (; siblings.isTold('frozen') && told < 100; told++) {
    siblings.tell({ match: 'm', version: told, players }, undefined);
    await new Promise(setImmediate);
  }
  expect(told).toBeLessThan(20);
  siblings.close();
  frozen.destroy();
});

it('what was not used for long is no longer followed', () => {
  const said: string[] = [];
  const interest = openInterest({
    follow: (kind, id) => void said.push(`+${kind} ${id}`),
    unfollow: (kind, id) => void said.push(`-${kind} ${id}`),
    mostUsed: 2,
  });
  const { matches, turns } = interest.audiences;
  interest.used('a');
  matches.came('a');
  matches.left('a');
  interest.used('a');
  interest.used('b');
  expect(said.splice(0)).toEqual(['+match a', '+match b']);
  interest.used('c'); // in place of b, as a was used twice
  expect(said.splice(0)).toEqual(['+match c', '-match b']);
  for (let n = 0; n <= 20; n++) interest.heard('a');
  expect(said.splice(0)).toEqual(['-match a']);
  matches.came('c');
  for (let n = 0; n <= 20; n++) interest.heard('c');
  turns.came('p');
  expect(said.splice(0)).toEqual(['+turns p']);
  expect([...interest.all()]).toEqual([
    ['match', 'c'],
    ['turns', 'p'],
  ]);
  matches.left('c');
  turns.left('p');
  expect(said.splice(0)).toEqual(['-match c', '-turns p']);
  // Whoever played here does so elsewhere, but somebody still watches one of the two.
  interest.used('d');
  interest.used('e');
  matches.came('e');
  interest.playedElsewhere('d');
  interest.playedElsewhere('e');
  interest.playedElsewhere('never used here');
  expect(said.splice(0)).toEqual(['+match d', '+match e', '-match d']);
  matches.left('e');
  expect(said).toEqual(['-match e']);
});
