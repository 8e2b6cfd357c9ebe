/** Live streams from outside: every event once and in order over two servers, whatever is cut, killed or stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { fastRng } from '../../src/games/rng.ts';
import type { EventJson, LegalJson } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { byRest, bySocket, type Open, type Stream, socketSubscription, ways } from '../support/streams.ts';
import { type Member, newMember, type Pair, startPair } from '../support/world.ts';

let pair: Pair;
let players: [Member, Member, Member];
let sql: pg.Client;

beforeAll(async () => {
  pair = await startPair({ parts: { recheckMs: 200 } });
  players = (await Promise.all(
    ['Ann', 'Ben', 'Cho'].map((name) => newMember(rest, pair.urls, name)),
  )) as typeof players;
  sql = new pg.Client({ connectionString: pair.database.url });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await pair.stop();
});

async function started(): Promise<string> {
  const [ann, ...others] = players;
  const { id } = await ann.createMatch({ game: 'highest', seats: 3 });
  for (const player of others) await player.join(id);
  return id;
}

/** Plays to the end by these servers in turn; highest of three seats ends with version 13. */
async function playOn(id: string, urls: readonly string[], between: () => Promise<unknown> = async () => {}) {
  const seats = players.map(({ token }) => rest.client(urls, token));
  for (let round = 0; round < 3; round++) {
    for (const seat of seats) {
      const [legal] = (await seat.legalActions(id)) as [LegalJson];
      await seat.submit(id, { action: legal.action });
      await between();
    }
  }
}
const LAST = 13;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const versions = (events: EventJson[]) => events.map(({ version }) => version);

/** A client that reconnects to any server with the last version it saw, until it is told of the end. */
function follower(open: Open, urls: () => readonly string[], id: string, after = 0) {
  const seen: number[] = [];
  let current: Stream | undefined;
  let connections = 0;
  const done = (async () => {
    for (;;) {
      const targets = urls();
      const last: number = seen.at(-1) ?? after;
      current = open(targets[connections++ % targets.length] as string, { id, token: players[0].token, after: last });
      const how = await current.ended;
      seen.push(...versions(current.seen));
      if (how === 'complete') return seen;
      if (how.startsWith('refused')) throw new Error(how);
      await sleep(20);
    }
  })();
  return {
    done,
    cut: () => current?.cut(),
    connections: () => connections,
  };
}

async function expectQuiet(instances: readonly Instance[]): Promise<void> {
  for (const { metric } of instances) {
    for (const name of ['atoll_watchers', 'atoll_live_connections', 'atoll_subscriptions']) {
      await expect.poll(() => metric(name)).toBe(0);
    }
  }
}

describe.each(ways)('%s', (_, open) => {
  it('delivers past and live events once, in order, and ends with the match', async () => {
    const id = await started();
    const streams = [0, 0, 2, 4].map((after, n) => ({ after, ...open(pair.urls[n % 2] as string, { id, after }) }));
    await playOn(id, pair.urls);
    for (const { after, ended, seen } of streams) {
      expect(await ended).toBe('complete');
      expect(versions(seen)).toEqual(range(after + 1, LAST));
    }
    const late = open(pair.urls[0], { id, after: LAST });
    expect([await late.ended, late.seen]).toEqual(['complete', []]);
    expect(await open(pair.urls[0], { id, after: LAST + 1 }).ended).toBe('refused BAD_INPUT');
    await expectQuiet(pair.instances);
  });

  it('loses and repeats nothing when connections are cut at random and the listeners are killed', async () => {
    const id = await started();
    const rng = fastRng(5);
    const followers = range(0, 5).map((after) => ({
      after: after % 4,
      ...follower(open, () => pair.urls, id, after % 4),
    }));
    await playOn(id, pair.urls, async () => {
      for (const { cut } of followers) if (rng.int(3) === 0) cut();
      if (rng.int(3) === 0) {
        await sql.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'atoll live' AND datname = current_database()",
        );
      }
    });
    for (const { after, done } of followers) expect(await done).toEqual(range(after + 1, LAST));
    expect(followers.reduce((sum, { connections }) => sum + connections(), 0)).toBeGreaterThan(followers.length);
    await expectQuiet(pair.instances);
  });

  it('continues on the other server when one is stopped in the middle of a match', async () => {
    const third = await startInstance(pair.database.url);
    const id = await started();
    const [, two] = pair.urls;
    let urls: readonly string[] = [third.url, two];
    const followers = [0, 2, 4].map((after) => ({ after, ...follower(open, () => urls, id, after) }));
    await expect.poll(() => third.metric('atoll_watchers')).toBe(followers.length);
    const watching = open(third.url, { id });
    await expect.poll(() => watching.seen.length).toBe(4);
    let acted = 0;
    await playOn(id, [two], async () => {
      if (++acted !== 4) return;
      urls = [two];
      await third.stop();
    });
    // The stream says that the server is stopping, not that the match is over, so clients reconnect.
    expect(await watching.ended).toBe(open === bySocket ? 'closed 1001' : 'cut');
    for (const { after, done } of followers) expect(await done).toEqual(range(after + 1, LAST));
    await expectQuiet(pair.instances);
  });

  it('ends when its token is revoked, and only then', async () => {
    const id = await started();
    const [url] = pair.urls;
    const api = rest.client([url], players[0].token);
    const { id: tokenId, token } = await api.createToken('phone');
    const mine = open(url, { id, token });
    const others = open(url, { id, token: players[1].token });
    const guests = open(url, { id });
    for (const { seen } of [mine, others, guests]) await expect.poll(() => seen.length).toBe(4);
    await api.revokeToken(tokenId);
    expect(await mine.ended).toBe(open === bySocket ? 'closed 4403' : 'cut');
    await playOn(id, pair.urls);
    expect([await others.ended, await guests.ended]).toEqual(['complete', 'complete']);
    await expectQuiet(pair.instances);
  });

  it('frees everything when many connections are lost', async () => {
    const id = await started();
    const streams = range(1, 15).map((n) => open(pair.urls[n % 2] as string, { id, after: 4 }));
    const watchers = async () =>
      (await Promise.all(pair.instances.map(({ metric }) => metric('atoll_watchers')))).reduce((a, b) => a + b);
    await expect.poll(watchers).toBe(15);
    for (const { cut } of streams) cut();
    await expectQuiet(pair.instances);
  });
});

it('a REST stream that is over answers 204, which tells an EventSource to stop', async () => {
  const id = await started();
  const stream = byRest(pair.urls[0], { id });
  await playOn(id, pair.urls);
  expect(await stream.ended).toBe('complete');
  const headers = { accept: 'text/event-stream', 'last-event-id': String(LAST) };
  for (const url of pair.urls) expect((await fetch(`${url}/v1/matches/${id}/events`, { headers })).status).toBe(204);
  const past = await fetch(`${pair.urls[0]}/v1/matches/${id}/events?after=10`, {
    headers: { accept: 'text/event-stream' },
  });
  expect(past.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await past.text()).toMatch(/^:\n\nid: 11\n[\s\S]*id: 13\n[\s\S]*event: end\ndata: \{\}\n\n$/);
});

it.each([
  ['text/event-stream, application/json;q=0.9', true],
  ['application/json;q=0.5, TEXT/EVENT-STREAM', true],
  ['text/event-stream, */*', true],
  ['application/json, text/event-stream;q=0', false],
  ['application/json, text/event-stream;q=0.1', false],
  ['*/*', false],
])('Accept: %s is weighed', async (accept, streams) => {
  const id = await started();
  const stop = new AbortController();
  const response = await fetch(`${pair.urls[0]}/v1/matches/${id}/events`, { headers: { accept }, signal: stop.signal });
  expect(response.headers.get('content-type')?.split(';')[0]).toBe(streams ? 'text/event-stream' : 'application/json');
  stop.abort();
});

it('a HEAD of a stream is an answer, not a stream', async () => {
  const id = await started();
  const headers = { accept: 'text/event-stream' };
  const response = await fetch(`${pair.urls[0]}/v1/matches/${id}/events`, { method: 'HEAD', headers });
  expect(response.status).toBe(200);
  await expectQuiet(pair.instances);
});

it('turns are sent by either server: the current ones, each gain and each loss', async () => {
  const [dee, eve] = (await Promise.all(['Dee', 'Eve'].map((name) => newMember(rest, pair.urls, name)))) as [
    Member,
    Member,
  ];
  const open = async () => {
    const { id } = await dee.createMatch({ game: 'highest', seats: 2 });
    await eve.join(id);
    return id;
  };
  const act = async (player: Member, id: string) =>
    player.submit(id, { action: ((await player.legalActions(id))[0] as LegalJson).action });
  const first = await open();
  const query = 'subscription { turns { acting match { id version } } }';
  const streams = pair.urls.map((url) =>
    socketSubscription<{ acting: boolean; match: { id: string } }>(url, dee.token, query, {}),
  );
  const told = ({ seen }: (typeof streams)[0]) => seen.map(({ acting, match }) => [match.id, acting]);
  const expectTold = async (...expected: [string, boolean][]) => {
    for (const stream of streams) await expect.poll(() => told(stream)).toEqual(expected);
  };
  await expectTold([first, true]);
  const second = await open();
  await expectTold([first, true], [second, true]);
  await act(dee, first);
  await expectTold([first, true], [second, true], [first, false]);
  await act(eve, first);
  await expectTold([first, true], [second, true], [first, false], [first, true]);
  for (const { cut } of streams) cut();
  await expectQuiet(pair.instances);
});

it('the lobby is sent by either server: open tables, each change, and tables that are gone, of all games or one', async () => {
  const [ann, ben] = players;
  const { id: before } = await ann.createMatch({ game: 'highest', seats: 3 });
  const { id: hidden } = await ann.createMatch({ game: 'highest', seats: 3, visibility: 'PRIVATE' });
  const query =
    'subscription ($game: ID) { lobby(game: $game) { type matchId match { id version visibility seats { index player { name } } } } }';
  interface Change {
    type: string;
    matchId: string;
    match: { id: string; version: number } | null;
  }
  const watch = (url: string, game?: string) => socketSubscription<Change>(url, undefined, query, { game });
  const streams = [...pair.urls.map((url) => watch(url)), watch(pair.urls[1], 'highest')];
  const others = watch(pair.urls[0], 'cacao');
  const told = ({ seen }: Stream<Change>, id: string) =>
    seen.filter(({ matchId }) => matchId === id).map(({ type, match }) => [type, match?.version]);
  const expectTold = async (id: string, ...expected: [string, number?][]) => {
    for (const stream of streams)
      await expect.poll(() => told(stream, id)).toEqual(expected.map(([type, n]) => [type, n]));
  };
  await expectTold(before, ['OPEN', 1]);
  await ben.join(before);
  await expectTold(before, ['OPEN', 1], ['OPEN', 2]);
  const { id: after } = await ben.createMatch({ game: 'highest', seats: 2 });
  await expectTold(after, ['OPEN', 1]);
  await ann.join(after);
  await ann.cancel(before);
  await expectTold(after, ['OPEN', 1], ['GONE']);
  await expectTold(before, ['OPEN', 1], ['OPEN', 2], ['GONE']);
  const { id: cacao } = await ann.createMatch({ game: 'cacao', seats: 2 });
  await expect.poll(() => told(others, cacao)).toEqual([['OPEN', 1]]);
  expect(others.seen.map(({ matchId }) => matchId)).toEqual([cacao]);
  expect(streams.flatMap((stream) => told(stream, hidden))).toEqual([]);
  expect(told(streams[2] as Stream<Change>, cacao)).toEqual([]);
  await ann.cancel(cacao);
  for (const { cut } of [...streams, others]) cut();
  await expectQuiet(pair.instances);
});

it('a socket answers queries and mutations too, and may carry many subscriptions', async () => {
  const id = await started();
  const socket = new WebSocket(`${pair.urls[0].replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const heard: { id?: string; type: string; payload?: { data?: Record<string, unknown> } }[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data))));
  await new Promise((resolve) => socket.once('open', resolve));
  const say = (message: object) => socket.send(JSON.stringify(message));
  say({ type: 'connection_init', payload: { token: players[0].token } });
  await expect.poll(() => heard.length).toBe(1);
  const subscription = `subscription { matchEvents(matchId: "${id}") { version match { version mySeat } } }`;
  for (const n of ['a', 'b']) say({ type: 'subscribe', id: n, payload: { query: subscription } });
  say({ type: 'subscribe', id: 'q', payload: { query: `{ me { name } match(id: "${id}") { mySeat } }` } });
  const of = (name: string) => heard.filter((message) => message.id === name && message.type === 'next');
  await expect.poll(() => [of('a').length, of('b').length, of('q').length]).toEqual([4, 4, 1]);
  expect(of('q')[0]?.payload?.data).toEqual({ me: { name: 'Ann' }, match: { mySeat: 0 } });
  expect(of('a').map(({ payload }) => payload?.data)).toEqual(
    range(1, 4).map((version) => ({ matchEvents: { version, match: { version: 4, mySeat: 0 } } })),
  );
  say({ type: 'complete', id: 'b' });
  await expect.poll(() => pair.instances[0].metric('atoll_subscriptions')).toBe(1);
  socket.close();
  await expectQuiet(pair.instances);
});
