import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type LocalPostgres, startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import type { Match } from '../../src/matches/log/records.ts';
import { openStore, type Store } from '../../src/matches/log/store.ts';
import { run, UsageError, wholeNumber } from '../cli.ts';
import { GraphqlConnection, GraphqlSocket } from './clients.ts';
import { type Heap, inspectHeap } from './inspector.ts';
import { residentMb } from './meter.ts';
import { freePort, startServer, stopServer } from './process.ts';
import { bytesOnDisk, copyMatches, finishedMatch, type Person, runningMatch } from './stored.ts';

const HELP = `
Measures what grows with what, from outside, with one request at a time:

  length     a submission to a match of 1,000 events against one to a match of 10
  stored     submission, lists and opening a match that nobody remembers, with many stored matches against 1,000;
             the matches are made by SQL: 2 % open, 8 % being played, 90 % over, between strangers
  memory     heap per remembered match of each game, and per idle subscriber, after full collections
  disk       bytes per finished match and per event, tables with their indexes

Prints JSON lines; "ratio" is large against small, of medians. Needs npm run build. Talks to loopback only.
About three minutes with a million stored matches, most of them spent on making those.

  npm run bench:growth -- [options]

  --only <part,...>   length,stored,memory,disk
  --stored <n>        how many matches are many (1000000)
  --samples <n>       requests for each median (200)
`;

const PARTS = ['length', 'stored', 'memory', 'disk'] as const;
const FEW = 1000;
const SUBSCRIBERS = 1000;
const REMEMBERED = 400;
/** Sent to each running match; none is over by then. */
const ACTIONS = 20;
const SUBMIT = 'mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version } }';

interface World {
  port: number;
  server: ChildProcess;
  heap: Heap;
  database: Database;
  store: Store;
  people: Person[];
  tokens: string[];
  connections: GraphqlConnection[];
  samples: number;
}

const say = (line: object) => console.log(JSON.stringify(line));
const round = (n: number, digits = 2) => Math.round(n * 10 ** digits) / 10 ** digits;

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Running matches of that length in the database, each with the actions that it will be sent. */
async function makeRunning({ store, people }: World, count: number, events: number, actions: number) {
  const made = Array.from({ length: count }, (_, i) => runningMatch(people, events, actions, fastRng(i)));
  for (const { match } of made) await store.create(match);
  return made;
}

type Running = Awaited<ReturnType<typeof makeRunning>>[number];

const submit = ({ connections }: World, { match, script }: Running, n: number) => {
  const { seat, action } = script[n] as Running['script'][number];
  const input = { matchId: match.id, expectedVersion: match.version + n, actionId: String(n), action };
  return (connections[seat] as GraphqlConnection).request(SUBMIT, { input });
};

/** Short and long matches alternate, so that disturbances on the machine affect both. */
async function benchLength(world: World): Promise<void> {
  const count = Math.ceil(world.samples / (ACTIONS - 2));
  const short = await makeRunning(world, count, 10, ACTIONS);
  const long = await makeRunning(world, count, 1000, ACTIONS);
  const took = { short: [] as number[], long: [] as number[] };
  for (let i = 0; i < count; i++) {
    for (let n = 0; n < ACTIONS; n++) {
      const ms = {
        short: await timed(() => submit(world, short[i] as Running, n)),
        long: await timed(() => submit(world, long[i] as Running, n)),
      };
      if (n < 2) continue; // the first reads the log
      took.short.push(ms.short);
      took.long.push(ms.long);
    }
  }
  const [at10, at1000] = [median(took.short), median(took.long)];
  const ratio = round(at1000 / at10);
  say({ growth: 'length', what: 'submission', at10Ms: round(at10), at1000Ms: round(at1000), ratio });
}

const LISTS = {
  'open matches': 'query { matches(status: OPEN, first: 20) { edges { node { id } } pageInfo { endCursor } } }',
  'a later page':
    'query ($after: String) { matches(status: FINISHED, first: 20, after: $after) { edges { node { id } } } }',
  mine: 'query { matches(mine: true, first: 20) { edges { node { id } } } }',
  myTurn: 'query { matches(myTurn: true, first: 20) { edges { node { id } } } }',
};

type Sample = (world: World, n: number) => Promise<number>;

/** The requests, each with the time that it took. */
async function samplesOf(worlds: World[]): Promise<[string, Sample, number][]> {
  const { samples } = worlds[0] as World;
  const first = ({ connections }: World) => connections[0] as GraphqlConnection;
  const cursors = new Map<World, string>();
  const running = new Map<World, Running[]>();
  for (const world of worlds) {
    const page = await first(world).request<{ matches: { pageInfo: { endCursor: string } } }>(
      'query { matches(status: FINISHED, first: 100) { pageInfo { endCursor } } }',
    );
    cursors.set(world, page.matches.pageInfo.endCursor);
    running.set(world, await makeRunning(world, Math.ceil(samples / ACTIONS), 10, ACTIONS));
  }
  const lists = Object.entries(LISTS).map(([name, query]): [string, Sample, number] => [
    name,
    (world) => timed(() => first(world).request(query, { after: cursors.get(world) })),
    samples,
  ]);
  const submission: Sample = (world, n) => {
    const match = running.get(world)?.[Math.floor(n / ACTIONS)] as Running;
    return timed(() => submit(world, match, n % ACTIONS));
  };
  const cold: Sample = async (world, n) => {
    const match = finishedMatch('cacao', world.people, fastRng(n));
    await world.store.create(match);
    return timed(() => first(world).request('query ($id: ID!) { match(id: $id) { version view } }', { id: match.id }));
  };
  return [...lists, ['submission', submission, samples], ['opening a cold match', cold, Math.min(samples, 100)]];
}

/** Two servers on two databases alternate, so that disturbances on the machine affect both. */
async function benchStored(few: World, many: World, stored: number): Promise<void> {
  for (const [world, count] of [[few, FEW] as const, [many, stored] as const]) {
    const { match } = runningMatch(world.people, 3, 0, fastRng(1));
    await world.store.create(match);
    const seconds = round((await timed(() => copyMatches(world.database, match.id, 1, count))) / 1000, 1);
    say({ growth: 'stored', made: count, seconds });
  }
  for (const [what, sample, count] of await samplesOf([few, many])) {
    const took = { few: [] as number[], many: [] as number[] };
    for (let n = 0; n < count; n++) {
      took.few.push(await sample(few, n));
      took.many.push(await sample(many, n));
    }
    const [before, after] = [median(took.few), median(took.many)];
    say({ growth: 'stored', what, fewMs: round(before), manyMs: round(after), ratio: round(after / before) });
  }
}

async function perRemembered({ heap, store, people, connections }: World, game: string) {
  const matches: Match[] = [];
  for (let i = 0; i < REMEMBERED; i++) matches.push(finishedMatch(game, people, fastRng(i)));
  for (const match of matches) await store.create(match);
  const before = await heap.used();
  const [first] = connections as [GraphqlConnection];
  for (const { id } of matches) await first.request('query ($id: ID!) { match(id: $id) { version view } }', { id });
  const events = matches.reduce((sum, { version }) => sum + version, 0) / REMEMBERED;
  return { events: Math.round(events), heapKb: round(((await heap.used()) - before) / REMEMBERED / 1024, 1) };
}

async function perSubscriber({ heap, port, server, tokens, store, people }: World) {
  const { match } = runningMatch(people, 10, 0, fastRng(1));
  await store.create(match);
  const before = { heap: await heap.used(), rss: residentMb(server.pid as number) };
  const sockets: GraphqlSocket[] = [];
  for (let i = 0; i < SUBSCRIBERS; i++) {
    const socket = new GraphqlSocket(port, tokens[i % tokens.length] as string);
    await socket.ready();
    const query = 'subscription ($id: ID!, $after: Int) { matchEvents(matchId: $id, after: $after) { version label } }';
    socket.subscribe('events', query, { id: match.id, after: match.version }, () => {});
    sockets.push(socket);
  }
  await sleep(1500); // every subscription is in place
  const heapKb = round(((await heap.used()) - before.heap) / SUBSCRIBERS / 1024, 1);
  const residentKb = round(((residentMb(server.pid as number) - before.rss) / SUBSCRIBERS) * 1024, 1);
  for (const socket of sockets) socket.close();
  return { heapKb, residentKb };
}

async function benchMemory(world: World): Promise<void> {
  for (const { id } of registry.games)
    say({ growth: 'memory', what: `remembered match, ${id}`, ...(await perRemembered(world, id)) });
  say({ growth: 'memory', what: 'idle subscriber', ...(await perSubscriber(world)) });
}

async function benchDisk({ database, store, people }: World): Promise<void> {
  for (const { id } of registry.games) {
    const matches = Array.from({ length: 200 }, (_, i) => finishedMatch(id, people, fastRng(i)));
    await database.pool.query('VACUUM matches');
    const before = await bytesOnDisk(database);
    for (const match of matches) await store.create(match);
    const bytes = (await bytesOnDisk(database)) - before;
    const events = matches.reduce((sum, { version }) => sum + version, 0);
    const perMatch = Math.round(bytes / matches.length);
    say({
      growth: 'disk',
      what: `finished match, ${id}`,
      bytes: perMatch,
      events: Math.round(events / 200),
      bytesPerEvent: Math.round(bytes / events),
    });
  }
}

interface Opened extends World {
  close(): Promise<void>;
}

/** A database, a server on it, and two players who know each other. */
async function openWorld(postgres: LocalPostgres, name: string, samples: number): Promise<Opened> {
  await postgres.createDatabase(name);
  const url = postgres.url(name);
  await migrate(url);
  const [port, inspecting] = [await freePort(), await freePort()];
  const inspect = [`--inspect=127.0.0.1:${inspecting}`, '--inspect-publish-uid=http'];
  // A full collection stops the server for longer than its limit for accepting requests.
  const server = await startServer(port, url, { MAX_EVENT_LOOP_DELAY_MS: '0' }, undefined, inspect);
  process.once('exit', () => server.kill('SIGKILL'));
  const heap = await inspectHeap(inspecting);
  const database = openDatabase({ url, poolSize: 4, patient: true });
  const people: Person[] = [];
  const tokens: string[] = [];
  const anonymous = new GraphqlConnection(port);
  for (const person of ['Growth one', 'Growth two']) {
    const { register } = await anonymous.request<{ register: { token: string; player: { id: string } } }>(
      'mutation ($name: String!) { register(name: $name) { token player { id } } }',
      { name: person },
    );
    people.push({ id: register.player.id, name: person, kind: 'HUMAN', tag: null });
    tokens.push(register.token);
  }
  anonymous.close();
  const connections = tokens.map((token) => new GraphqlConnection(port, token));
  return {
    ...{ port, server, heap, database, people, tokens, connections, samples },
    store: openStore(database),
    async close() {
      heap.close();
      for (const connection of connections) connection.close();
      await stopServer(server);
      await database.close();
    },
  };
}

async function withWorlds(names: string[], samples: number, use: (worlds: World[]) => Promise<void>): Promise<void> {
  const dir = resolve('.data', `bench-${process.pid}`);
  const postgres = await startLocalPostgres(join(dir, 'pg'));
  const worlds: Opened[] = [];
  try {
    for (const name of names) worlds.push(await openWorld(postgres, name, samples));
    await use(worlds);
  } finally {
    for (const world of worlds) await world.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

await run(HELP, async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: PARTS.join(',') },
      stored: { type: 'string', default: '1000000' },
      samples: { type: 'string', default: '200' },
    },
  });
  const parts = values.only.split(',');
  const wrong = parts.find((part) => !(PARTS as readonly string[]).includes(part));
  if (wrong !== undefined) throw new UsageError(`--only takes a list of ${PARTS.join(', ')}, not "${wrong}"`);
  const many = wholeNumber('stored', values.stored, FEW + 1, 5_000_000);
  const samples = wholeNumber('samples', values.samples, 20, 2000);
  const names = parts.includes('stored') ? ['few', 'many'] : ['few'];
  await withWorlds(names, samples, async ([world, large]) => {
    if (!world) return;
    if (large) await benchStored(world, large, many);
    if (parts.includes('length')) await benchLength(world);
    if (parts.includes('memory')) await benchMemory(world);
    if (parts.includes('disk')) await benchDisk(world);
  });
});
