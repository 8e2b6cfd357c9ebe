/** Connections of players go on at the home of their match, and their clients do not notice. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Handle, Homes } from '../../src/api/http/hand-over.ts';
import { bearer, type Json, type LegalJson } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type Wire, wireTo } from '../support/wire.ts';

type Take = Parameters<Homes['receive']>[0];

/** Two workers in one process. Matches are at home where the test says. */
const takers: Take[] = [];
let home: number | undefined;
const homesOf = (own: number): Homes => ({
  isElsewhere: () => home !== undefined && home !== own,
  send: (_match, handle: Handle, again) => takers[1 - own]?.(handle, again),
  receive(take) {
    takers[own] = take;
  },
});

const folder = mkdtempSync(join(tmpdir(), 'atoll-test-'));
let database: FreshDatabase;
let workers: [Instance, Instance];
const open: { close(): void }[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  const start = (own: number) =>
    startInstance(database.url, {
      env: { QUOTAS: 'off' },
      parts: { homes: homesOf(own) },
      services: { siblings: { folder, worker: own } },
    });
  workers = [await start(0), await start(1)];
});
afterEach(async () => {
  home = undefined;
  for (const one of open.splice(0)) one.close();
  await expect.poll(() => [socketsAt(0), socketsAt(1)]).toEqual([0, 0]);
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const handedOver = async () =>
  Promise.all(
    workers.map(async ({ metric }) => [
      (await metric('atoll_hand_overs_total{direction="sent"}')) || 0,
      (await metric('atoll_hand_overs_total{direction="received"}')) || 0,
    ]),
  );

/** How many connections left each worker since the last call. */
let before = [0, 0];
async function newlySent(): Promise<number[]> {
  const now = (await handedOver()).map(([sent = 0]) => sent);
  const news = now.map((sent, i) => sent - (before[i] ?? 0));
  before = now;
  return news;
}

interface Player {
  token: string;
  wire: Wire;
}

async function newPlayers(): Promise<[Player, Player]> {
  const make = async (name: string): Promise<Player> => {
    const { token } = await rest.client([workers[0].url]).register(name);
    const wire = wireTo(workers[0].url, token);
    open.push(wire);
    return { token, wire };
  };
  return [await make('Ann'), await make('Ben')];
}

async function newMatch([ann, ben]: readonly Player[]): Promise<string> {
  const { id } = JSON.parse((await (ann as Player).wire.ask('POST', '/v1/matches', { game: 'hashi', seats: 2 })).text);
  await (ben as Player).wire.ask('POST', `/v1/matches/${id}/seats`, {});
  return id;
}

const SUBMIT = 'mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version } }';

/** Makes the next move on the connection of whoever is to move, who first asks what is legal there. */
async function move(id: string, players: readonly Player[], face: 'REST' | 'GraphQL' = 'REST'): Promise<number> {
  const { acting, version } = JSON.parse((await (players[0] as Player).wire.ask('GET', `/v1/matches/${id}`)).text);
  const { wire } = players[acting[0]] as Player;
  const { text } = await wire.ask('GET', `/v1/matches/${id}/legal-actions`);
  const { action } = (JSON.parse(text).legalActions as LegalJson[])[0] as LegalJson;
  const submission = { action, expectedVersion: version, actionId: `to ${version + 1}` };
  const { status } =
    face === 'REST'
      ? await wire.ask('POST', `/v1/matches/${id}/actions`, submission)
      : await wire.ask('POST', '/graphql', { query: SUBMIT, variables: { input: { matchId: id, ...submission } } });
  expect(status).toBe(200);
  return version + 1;
}

interface Follower {
  versions: number[];
  /** The same by the id of the operation that they came with. */
  byOperation: Map<string, number[]>;
  /** The types of all other messages. */
  others: string[];
  send(message: object): void;
  follow(id: string, after?: number, operation?: string): void;
  state(): number;
  close(): void;
}

const EVENTS =
  'subscription Follow($id: ID!, $after: Int) { matchEvents(matchId: $id, after: $after) { version match { id } } }';

async function socketOf({ token }: { token?: string }, url = workers[0].url): Promise<Follower> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const versions: number[] = [];
  const byOperation = new Map<string, number[]>();
  const others: string[] = [];
  socket.on('message', (data) => {
    const { type, id = '', payload } = JSON.parse(String(data)) as { type: string; id?: string; payload?: Json };
    const version = (payload?.data as { matchEvents?: { version: number } } | undefined)?.matchEvents?.version;
    if (version !== undefined) {
      versions.push(version);
      byOperation.set(id, [...(byOperation.get(id) ?? []), version]);
    } else others.push(type);
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  socket.on('open', () => send({ type: 'connection_init', payload: token === undefined ? {} : { token } }));
  await expect.poll(() => others).toContain('connection_ack');
  const made = {
    versions,
    byOperation,
    others,
    send,
    follow: (id: string, after = 0, operation = id) =>
      send({ type: 'subscribe', id: operation, payload: { query: EVENTS, variables: { id, after } } }),
    state: () => socket.readyState,
    close: () => socket.close(),
  };
  open.push(made);
  return made;
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const socketsAt = (worker: number) => workers[worker]?.app.websocketServer.clients.size;

it('a player who follows a match goes on at its home, without a gap and without a second acknowledgement', async () => {
  const players = await newPlayers();
  const id = await newMatch(players);
  home = 1;
  const followers = [await socketOf(players[0]), await socketOf(players[1])];
  for (const follower of followers) follower.follow(id);
  await expect.poll(() => socketsAt(1)).toBe(2);
  expect(socketsAt(0)).toBe(0);
  let last = 0;
  for (let i = 0; i < 6; i++) last = await move(id, players);
  for (const { versions, others } of followers) {
    await expect.poll(() => versions).toEqual(upTo(last));
    expect(others).toEqual(['connection_ack']);
  }
  // The next match may be at home elsewhere.
  const next = await newMatch(players);
  await sleep(250);
  home = 0;
  const areHome = () => socketsAt(0) === 2 && socketsAt(1) === 0;
  let operation = id;
  // A socket stays if anything else is under way on it at that moment. It can go on when its client follows again.
  for (let tries = 1; tries <= 5 && !areHome(); tries++) {
    for (const { send, follow } of followers) {
      send({ type: 'complete', id: operation });
      follow(next, 0, `next ${tries}`);
    }
    operation = `next ${tries}`;
    await expect
      .poll(areHome, { timeout: 5000 })
      .toBe(true)
      .catch(() => {});
  }
  expect([socketsAt(0), socketsAt(1)]).toEqual([2, 0]);
  last = await move(next, players);
  for (const { byOperation } of followers) await expect.poll(() => byOperation.get(operation)).toEqual(upTo(last));
  for (const { state } of followers) expect(state()).toBe(WebSocket.OPEN);
});

it.each(['REST', 'GraphQL'] as const)(
  'after two moves of a match by %s, its connection goes on at its home',
  async (face) => {
    const players = await newPlayers();
    const id = await newMatch(players);
    await newlySent();
    home = 1;
    for (let left = 2; left > 0; ) {
      await move(id, players, face);
      left -= (await newlySent())[0] as number;
    }
    const told = async () =>
      Promise.all(workers.map(({ metric }) => metric('atoll_hints_total{way="sibling",direction="sent"}')));
    const sent = await told();
    for (let i = 0; i < 4; i++) await move(id, players, face);
    // Both connections are there now, so no other worker hears of a move.
    expect(await told()).toEqual(sent);
    expect((await newlySent())[1]).toBe(0);
  },
);

it('nothing is lost or done twice while connections go back and forth', async () => {
  const players = await newPlayers();
  const id = await newMatch(players);
  const follower = await socketOf(players[0]);
  let last = 0;
  home = 1;
  for (let i = 0; i < 24; i++) {
    if (i % 4 === 0) {
      await sleep(210);
      home = 1 - (home as number);
      follower.send({ type: 'complete', id: `${i - 4}` });
      follower.follow(id, follower.versions.at(-1) ?? 0, `${i}`);
    }
    last = await move(id, players, i % 2 === 0 ? 'REST' : 'GraphQL');
    await expect.poll(() => follower.versions.at(-1)).toBe(last);
  }
  expect(follower.versions).toEqual(upTo(last));
  const [[here = 0] = [], [there = 0] = []] = await handedOver();
  expect(Math.min(here, there)).toBeGreaterThan(3);
});

it('spectators stay where they are, and so does a socket on which something else is under way', async () => {
  const players = await newPlayers();
  const id = await newMatch(players);
  home = 1;
  const [spectator, stranger, busy] = [
    await socketOf({}),
    await socketOf((await newPlayers())[0]),
    await socketOf(players[0]),
  ];
  busy.send({ type: 'subscribe', id: 'turns', payload: { query: 'subscription { turns { acting } }' } });
  await expect.poll(() => busy.others).toContain('next');
  for (const follower of [spectator, stranger, busy]) follower.follow(id);
  for (const { versions } of [spectator, stranger, busy]) await expect.poll(() => versions.length).toBeGreaterThan(0);
  expect([socketsAt(0), socketsAt(1)]).toEqual([3, 0]);
});

it('a match that is over, or a connection on which several are played, has no reason to move', async () => {
  const players = await newPlayers();
  const matches = [await newMatch(players), await newMatch(players)];
  await newlySent();
  home = 1;
  for (let i = 0; i < 4; i++) for (const id of matches) await move(id, players);
  expect(await newlySent()).toEqual([0, 0]);
  await players[0].wire.ask('POST', `/v1/matches/${matches[0]}/resign`);
  const follower = await socketOf(players[1]);
  follower.follow(matches[0] as string);
  await expect.poll(() => follower.others).toContain('complete');
  expect(socketsAt(0)).toBe(1);
});

/** A connection on which bytes are written as the test says. */
function rawConnection({ token }: Player) {
  const socket = connect(Number(new URL(workers[0].url).port), '127.0.0.1').setEncoding('utf8');
  open.push({ close: () => socket.destroy() });
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  const headers = { host: 'localhost', 'content-type': 'application/json', ...bearer(token) };
  return {
    socket,
    received: () => received,
    request(method: string, path: string, body = '') {
      const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) });
      return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
    },
    answered: (count: number) => expect.poll(() => received.split('HTTP/1.1 200').length - 1).toBe(count),
  };
}

/** A move of Ann that is legal now, once Ben has made those before it. */
async function nextOfAnn(id: string, players: readonly [Player, Player]): Promise<string> {
  const { wire } = players[0];
  for (;;) {
    const { acting, version } = JSON.parse((await wire.ask('GET', `/v1/matches/${id}`)).text);
    if (acting[0] === 0) {
      const { text } = await wire.ask('GET', `/v1/matches/${id}/legal-actions`);
      return JSON.stringify({ action: JSON.parse(text).legalActions[0].action, expectedVersion: version });
    }
    await move(id, players);
  }
}

it('a connection stays where a part of its next request has been read', async () => {
  const players = await newPlayers();
  const id = await newMatch(players);
  await newlySent();
  const { socket, request, answered, received } = rawConnection(players[0]);
  const next = request('GET', '/health/live');
  for (const count of [1, 2, 3]) {
    home = undefined; // other connections stay
    const body = await nextOfAnn(id, players);
    home = 1;
    socket.write(request('POST', `/v1/matches/${id}/actions`, body) + (count === 2 ? next.slice(0, 20) : ''));
    if (count === 3) break;
    await answered(count);
    expect(await newlySent()).toEqual([0, 0]);
    if (count === 2) socket.write(next.slice(20));
  }
  await answered(4);
  expect(received()).toContain('"ok"');
  // Everything that was read has been answered now.
  expect(await newlySent()).toEqual([1, 0]);
});

it('a connection that ends with its second move is not handed over', async () => {
  const players = await newPlayers();
  const id = await newMatch(players);
  await newlySent();
  const { socket, request, answered } = rawConnection(players[0]);
  const closed = once(socket, 'close');
  for (const count of [1, 2]) {
    home = undefined;
    const text = request('POST', `/v1/matches/${id}/actions`, await nextOfAnn(id, players));
    home = 1;
    socket.write(count === 1 ? text : text.replace('host:', 'connection: close\r\nhost:'));
    await answered(count);
  }
  await closed;
  expect(await newlySent()).toEqual([0, 0]);
});

it('a worker that stops finishes a request on a connection that it was handed', async () => {
  const players = await newPlayers();
  const id = await newMatch(players);
  await newlySent();
  const { socket, request, answered, received } = rawConnection(players[0]);
  for (const count of [1, 2]) {
    home = undefined;
    const body = await nextOfAnn(id, players);
    home = 1;
    socket.write(request('POST', `/v1/matches/${id}/actions`, body));
    await answered(count);
  }
  expect(await newlySent()).toEqual([1, 0]);
  // Connections that were handed over and not used since do not delay the stop.
  const others = await newPlayers();
  const match = await newMatch(others);
  for (let moves = 0; (await newlySent())[0] === 0; moves++) {
    expect(moves).toBeLessThan(20);
    await move(match, others);
  }
  const last = request('POST', '/graphql', JSON.stringify({ query: '{ me { name } }' }));
  socket.write(last.slice(0, -10));
  await sleep(50);
  const stopped = workers[1].stop();
  await sleep(50);
  socket.write(last.slice(-10));
  await answered(3);
  expect(received()).toContain('"name":"Ann"');
  const since = performance.now();
  await stopped;
  expect(performance.now() - since).toBeLessThan(5000);
});
