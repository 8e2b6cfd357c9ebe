import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../src/database/migrate.ts';
import { type Database, openDatabase } from '../src/database/pool.ts';
import { startLocalPostgres } from '../src/database/postgres.ts';
import { registry } from '../src/games/registry.ts';
import { fastRng, rngFor } from '../src/games/rng.ts';
import { newId } from '../src/id.ts';
import { newRow } from '../src/matches/commands/seating.ts';
import { type Append, appending } from '../src/matches/log/append.ts';
import { compose, emptyMatch } from '../src/matches/log/match.ts';
import type { Match } from '../src/matches/log/records.ts';
import { openStore } from '../src/matches/log/store.ts';
import { seedOf } from '../src/matches/proof/hashes.ts';
import { GraphqlConnection, subscribe } from './bench-client.ts';
import { freePort, latencies, startServer, usage } from './bench-process.ts';
import { run, wholeNumber } from './cli.ts';

const HELP = `
Measures the server from outside, over real HTTP and WebSocket, with the driver in this process and the server in another.
Every submission is a legal action of a real match, committed to disk, and seen by the opponent's subscription.
Prints JSON lines: first the server, then the same append done by plain pg (the ceiling), alone and merged.
Needs npm run build. Talks to loopback only.

  npm run bench:server -- [options]

  --seconds <n>       how long to measure (15)
  --concurrency <n>   submissions in flight (64)
  --matches <n>       matches played at the same time (1536)
  --game <id>         cacao
  --seats <n>         2
`;

/** Whose turn and which action, in the order of play. */
type Script = { seat: number; action: object }[];

interface Table {
  id: string;
  script: Script;
  next: number;
  /** The version at the start: action n leads to version start + n + 1. */
  start: number;
  sent: Map<number, number>;
}

/** A whole random match, played in advance with the match's own seed, so that the driver only has to read it out. */
function scriptOf(game: string, seats: number, seed: Uint8Array, chance: number): Script {
  const rules = registry.game(game);
  const rng = fastRng(chance);
  const state = rules.setup(Object.values(rules.variants)[0] as object, seats, rngFor(seed, 0));
  let drawn = 1;
  const script: Script = [];
  for (;;) {
    const seat = Array.from({ length: seats }, (_, i) => i).find((i) => rules.legal(state, i).length > 0);
    if (seat === undefined) return script;
    const action = rng.pick(rules.legal(state, seat));
    script.push({ seat, action });
    const stream = rngFor(seed, drawn);
    rules.apply(state, seat, action, stream);
    if (stream.used) drawn++;
  }
}

const SUBMIT = 'mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version } }';
const EVENTS =
  'subscription ($id: ID!, $after: Int) { matchEvents(matchId: $id, after: $after) { version seat action label acting } }';

interface Setting {
  seconds: number;
  concurrency: number;
  matches: number;
  game: string;
  seats: number;
}

class Driver {
  readonly #port: number;
  readonly #setting: Setting;
  readonly #database: Database;
  readonly #tokens: string[] = [];
  readonly #tables: Table[] = [];
  readonly acknowledged: number[] = [];
  readonly seen: number[] = [];
  failures = 0;

  constructor(port: number, database: Database, setting: Setting) {
    this.#port = port;
    this.#database = database;
    this.#setting = setting;
  }

  /** One player per seat plays all matches; the script of each is made from its seed, read from the database. */
  async prepare(): Promise<void> {
    const { matches, game, seats } = this.#setting;
    const anonymous = new GraphqlConnection(this.#port);
    for (let seat = 0; seat < seats; seat++) {
      const { register } = await anonymous.request<{ register: { token: string } }>(
        `mutation { register(name: "bench ${seat}") { token } }`,
      );
      this.#tokens.push(register.token);
    }
    anonymous.close();
    const connections = this.#tokens.map((token) => new GraphqlConnection(this.#port, token));
    for (let i = 0; i < matches; i++) {
      const input = { game, seats };
      const { createMatch } = await (connections[0] as GraphqlConnection).request<{ createMatch: { id: string } }>(
        'mutation ($input: CreateMatchInput!) { createMatch(input: $input) { id } }',
        { input },
      );
      for (const connection of connections.slice(1)) {
        await connection.request('mutation ($id: ID!) { joinMatch(matchId: $id) { id } }', { id: createMatch.id });
      }
      this.#tables.push({ id: createMatch.id, script: [], next: 0, start: seats + 1, sent: new Map() });
    }
    for (const connection of connections) connection.close();
    const { rows } = await this.#database.pool.query<{ id: string; server_seed: Buffer }>(
      'SELECT id, server_seed FROM matches',
    );
    const seeds = new Map(rows.map((row) => [row.id, row.server_seed]));
    const nothing = new Array<null>(seats).fill(null);
    this.#tables.forEach((table, i) => {
      const seed = seedOf(seeds.get(table.id) as Buffer, nothing);
      table.script = scriptOf(game, seats, seed, i);
    });
  }

  /** Every seat watches every match; what is counted is when somebody else than the actor has seen an action. */
  async watch(): Promise<() => void> {
    const operations = this.#tables.map(({ id, start }) => ({ query: EVENTS, variables: { id, after: start } }));
    const stops = await Promise.all(
      this.#tokens.map((token, watcher) =>
        subscribe(this.#port, token, operations, (index, data) => {
          const { version, seat } = (data as { matchEvents: { version: number; seat: number } }).matchEvents;
          if (watcher !== (seat + 1) % this.#setting.seats) return;
          const sent = this.#tables[index]?.sent.get(version);
          if (sent !== undefined) this.seen.push(performance.now() - sent);
        }),
      ),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Each worker plays its own share of the matches, one action each in turn, one request at a time. */
  async work(until: number): Promise<void> {
    const { concurrency } = this.#setting;
    const workers = Array.from({ length: concurrency }, async (_, worker) => {
      const connections = this.#tokens.map((token) => new GraphqlConnection(this.#port, token));
      let mine = this.#tables.filter((_table, i) => i % concurrency === worker);
      while (performance.now() < until && mine.length > 0) {
        for (const table of mine) {
          await this.#submit(table, connections);
          if (performance.now() >= until) break;
        }
        mine = mine.filter(({ next, script }) => next < script.length);
      }
      for (const connection of connections) connection.close();
    });
    await Promise.all(workers);
  }

  async #submit(table: Table, connections: GraphqlConnection[]): Promise<void> {
    const { seat, action } = table.script[table.next] as Script[number];
    const expectedVersion = table.start + table.next;
    const input = { matchId: table.id, expectedVersion, actionId: String(expectedVersion), action };
    const sent = performance.now();
    table.sent.set(expectedVersion + 1, sent);
    try {
      await (connections[seat] as GraphqlConnection).request(SUBMIT, { input });
      this.acknowledged.push(performance.now() - sent);
    } catch {
      this.failures++;
    }
    table.next++;
  }
}

async function benchServer(port: number, server: ChildProcess, database: Database, setting: Setting) {
  const driver = new Driver(port, database, setting);
  await driver.prepare();
  const stop = await driver.watch();
  await new Promise((done) => setTimeout(done, 1000)); // every subscription is in place
  await driver.work(performance.now() + 3000); // warm
  driver.acknowledged.length = 0;
  driver.seen.length = 0;
  const before = usage(server.pid as number);
  const driverBefore = process.cpuUsage();
  const start = performance.now();
  await driver.work(start + setting.seconds * 1000);
  const elapsed = (performance.now() - start) / 1000;
  const after = usage(server.pid as number);
  const used = process.cpuUsage(driverBefore);
  await new Promise((done) => setTimeout(done, 500)); // what is still on its way to a subscription
  stop();
  return {
    bench: 'server',
    ...setting,
    submissions: driver.acknowledged.length,
    failures: driver.failures,
    perSecond: Math.round(driver.acknowledged.length / elapsed),
    acknowledgedMs: latencies(driver.acknowledged),
    seenByOpponent: driver.seen.length,
    seenByOpponentMs: latencies(driver.seen),
    serverCpu: Math.round(((after.cpuSeconds - before.cpuSeconds) / elapsed) * 100) / 100,
    serverRssMb: after.rssMb,
    driverCpu: Math.round((used.user + used.system) / elapsed / 10_000) / 100,
  };
}

/** The same statement with the same kind of rows, and nothing around it: alone as each append comes, or merged. */
async function benchAppend(database: Database, setting: Setting, merged: boolean) {
  const store = openStore(database);
  const appendAll = appending();
  const alone = async (one: Append) => (await appendAll(database.pool, [one])).moved.has(one.match.id);
  const append = merged ? store.append : alone;
  const took: number[] = [];
  const fresh = Array.from({ length: setting.concurrency }, () => bareMatch(setting));
  for (const match of fresh) await store.create(match);
  const start = performance.now();
  const until = start + Math.min(setting.seconds, 10) * 1000;
  const writers = fresh.map(async (first) => {
    for (let match = first; performance.now() < until; ) {
      const next = compose(match, DRAFT, null, new Date());
      const sent = performance.now();
      if (!(await append({ expected: match.version, match: next }))) throw new Error('a race was lost that nobody ran');
      took.push(performance.now() - sent);
      match = next;
    }
  });
  await Promise.all(writers);
  const perSecond = Math.round((took.length * 1000) / (performance.now() - start));
  return {
    bench: merged ? 'append, merged' : 'append, plain pg',
    concurrency: setting.concurrency,
    perSecond,
    ms: latencies(took),
  };
}

/** As long as a typical action; JOINED, because that needs no state. */
const DRAFT = {
  type: 'JOINED',
  seat: 0,
  action: { type: 'place', tile: '2-1-0-1', row: 3, col: 4, turn: 1 },
  label: 'place 2-1-0-1 at (3,4), double side east',
  stateHash: 'ab'.repeat(32),
} as const;

function bareMatch({ game, seats }: Setting): Match {
  const rules = registry.game(game);
  const row = { game, rules: rules.rules, options: {}, seatCount: seats, visibility: 'PUBLIC' } as const;
  return emptyMatch(rules, newRow(newId(), new Date(), row));
}

async function main(setting: Setting): Promise<void> {
  const dir = resolve('.data', `bench-${process.pid}`);
  const postgres = await startLocalPostgres(join(dir, 'pg'));
  const url = postgres.url('postgres');
  await migrate(url);
  const database = openDatabase({ url, poolSize: 16 });
  const port = await freePort();
  let server: ChildProcess | undefined;
  try {
    server = await startServer(port, url);
    console.log(JSON.stringify(await benchServer(port, server, database, setting)));
    const stopped = new Promise((done) => server?.once('exit', done));
    server.kill('SIGTERM');
    await stopped;
    console.log(JSON.stringify(await benchAppend(database, setting, false)));
    console.log(JSON.stringify(await benchAppend(database, setting, true)));
  } finally {
    server?.kill('SIGKILL');
    await database.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

await run(HELP, async () => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '15' },
      concurrency: { type: 'string', default: '64' },
      matches: { type: 'string', default: '1536' },
      game: { type: 'string', default: 'cacao' },
      seats: { type: 'string', default: '2' },
    },
  });
  const { min, max } = registry.game(values.game).seats;
  await main({
    seconds: wholeNumber('seconds', values.seconds, 1, 600),
    concurrency: wholeNumber('concurrency', values.concurrency, 1, 1000),
    matches: wholeNumber('matches', values.matches, 1, 5000),
    game: values.game,
    seats: wholeNumber('seats', values.seats, Math.max(min, 2), max),
  });
});
