import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { run, UsageError, wholeNumber } from '../cli.ts';
import { benchAppend } from './append.ts';
import { GraphqlConnection, GraphqlSocket } from './clients.ts';
import { runLoad } from './load.ts';
import { residentMb } from './meter.ts';
import { freePort, startServer, stopServer } from './process.ts';
import { open, register, script, type Table, usualLength } from './tables.ts';

const HELP = `
Measures the server from outside, over real HTTP and WebSocket, with the driver in this process and the server in another.

Every match has its own players, and every player is a client as a real one is: one WebSocket with one subscription, and
one keep-alive HTTP connection. Each move is a legal action of a real match, committed to disk. What is timed is from the
move being sent to the opponent's subscription having it; the answer to the sender must be there as well.

The closed loop has one move of every match in flight and shows what the server can do. The open loop makes moves at a
steady rate and shows how long they take; a move that is late counts from when it was due.

Prints a JSON line for each game, way and loop, then the same append done by plain pg (the ceiling), alone and merged.
"cores" says who used the processors meanwhile: if "others" is above 0.2 the machine was not quiet, and the line is worth
little. Needs npm run build. Talks to loopback only. About three minutes with the defaults.

  npm run bench:server -- [options]

  --game <id,...>     all four
  --via <way,...>     how moves are sent: http,socket
  --loop <kind,...>   closed,open
  --matches <n>       matches in flight (50)
  --seats <n>         of each match (2)
  --rate <n>          moves a second of the open loop (500)
  --seconds <n>       how long to measure each (6)
  --warmup <n>        seconds before that (2)
  --fields <list>     what the subscription asks for ("version seat action label acting")
  --database <url>    an empty database to use, instead of a PostgreSQL of its own
  --profile <folder>  write a CPU profile of the server there; read it with npm run bench:profile -- <file>
  --no-append         leave out the bare append

Settings of the server come from the environment, for example WORKERS.
`;

const SUBMIT = 'mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version } }';

/** How many moves per second are prepared: more than any machine makes today. */
const ENOUGH_PER_SECOND = 8000;

interface Setting {
  game: string;
  via: string;
  loop: string;
  matches: number;
  seats: number;
  rate: number;
  seconds: number;
  warmup: number;
  fields: string;
}

/** Both connections of one player. */
interface Client {
  http: GraphqlConnection;
  socket: GraphqlSocket;
}

/** One match after the other, played by clients that stay. */
class Slot {
  readonly #clients: Client[];
  readonly #viaSocket: boolean;
  readonly #events: string;
  readonly #tables: Table[];
  #at = 0;
  #played = 0;
  /** Called when the seat's subscription has the version. */
  #awaited: { seat: number; version: number; seen(): void } | undefined;
  /** How often there was no match left to play. */
  short = 0;

  constructor(clients: Client[], tables: Table[], { via, fields }: Setting) {
    this.#clients = clients;
    this.#tables = tables;
    this.#viaSocket = via === 'socket';
    this.#events = `subscription ($id: ID!, $after: Int) { matchEvents(matchId: $id, after: $after) { ${fields} } }`;
  }

  follow(): void {
    const { id, start } = this.#tables[this.#at] as Table;
    for (const [seat, { socket }] of this.#clients.entries()) {
      socket.subscribe(id, this.#events, { id, after: start }, (data) => {
        const { version } = (data as { matchEvents: { version: number } }).matchEvents;
        if (this.#awaited?.seat === seat && this.#awaited.version === version) this.#awaited.seen();
      });
    }
  }

  async move(): Promise<void> {
    if (this.#played >= (this.#tables[this.#at] as Table).script.length && !this.#next()) {
      this.short++;
      return sleep(1000);
    }
    const { id, start, script: moves } = this.#tables[this.#at] as Table;
    const { seat, action } = moves[this.#played] as Table['script'][number];
    const expectedVersion = start + this.#played++;
    const opponent = (seat + 1) % this.#clients.length;
    const seen = new Promise<void>((done) => {
      this.#awaited = { seat: opponent, version: expectedVersion + 1, seen: done };
    });
    const { http, socket } = this.#clients[seat] as Client;
    const input = { matchId: id, expectedVersion, actionId: String(expectedVersion), action };
    await Promise.all([seen, (this.#viaSocket ? socket : http).request(SUBMIT, { input })]);
  }

  #next(): boolean {
    if (this.#at + 1 >= this.#tables.length) return false;
    for (const { socket } of this.#clients) socket.unsubscribe((this.#tables[this.#at] as Table).id);
    this.#at++;
    this.#played = 0;
    this.follow();
    return true;
  }

  close(): void {
    for (const { http, socket } of this.#clients) {
      http.close();
      socket.close();
    }
  }
}

async function prepare(port: number, database: Database, setting: Setting): Promise<Slot[]> {
  const { game, seats, matches, loop, rate, seconds, warmup } = setting;
  const perSecond = loop === 'open' ? rate : ENOUGH_PER_SECOND;
  const each = Math.ceil((perSecond * (seconds + warmup)) / matches / usualLength(game, seats)) + 1;
  const tokens = await register(port, matches * seats);
  return Promise.all(
    Array.from({ length: matches }, async (_, i) => {
      const clients = tokens.slice(i * seats, (i + 1) * seats).map((token) => {
        return { http: new GraphqlConnection(port, token), socket: new GraphqlSocket(port, token) };
      });
      const connections = clients.map(({ http }) => http);
      const tables = await open(connections, game, each);
      await script(database, game, seats, tables);
      for (const { socket } of clients) await socket.ready();
      return new Slot(clients, tables, setting);
    }),
  );
}

async function measure(port: number, processes: Record<string, number>, database: Database, setting: Setting) {
  const { game, via, loop, matches, seats, rate, seconds, warmup: warmupSeconds } = setting;
  const slots = await prepare(port, database, setting);
  for (const slot of slots) slot.follow();
  await database.pool.query('CHECKPOINT');
  await sleep(500); // every subscription is in place
  try {
    const measured = await runLoad({
      matches,
      seconds,
      warmupSeconds,
      rate: loop === 'open' ? rate : 0,
      processes,
      move: (i) => (slots[i] as Slot).move(),
    });
    const short = slots.reduce((sum, slot) => sum + slot.short, 0);
    return {
      bench: 'server',
      game,
      via,
      loop,
      ...(loop === 'open' && { rate }),
      matches,
      clients: matches * seats,
      seconds,
      ...measured,
      serverMb: residentMb(processes.server as number),
      ...(short > 0 && { ranOutOfMatches: short }),
    };
  } finally {
    for (const slot of slots) slot.close();
  }
}

interface Plan {
  settings: Setting[];
  profile: string | undefined;
  append: boolean;
}

async function measureAll(url: string, { settings, profile, append }: Plan): Promise<void> {
  await migrate(url);
  const database = openDatabase({ url, poolSize: 16 });
  const port = await freePort();
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`];
  let server: ChildProcess | undefined;
  try {
    const { rows } = await database.pool.query<{ pid: number }>(
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
    );
    server = await startServer(port, url, {}, undefined, profiling);
    const processes = { server: server.pid as number, postgres: rows[0]?.pid as number };
    for (const setting of settings) {
      console.log(JSON.stringify(await measure(port, processes, database, setting)));
    }
    await stopServer(server);
    if (!append) return;
    for (const merged of [false, true]) console.log(JSON.stringify(await benchAppend(database, 64, 5, merged)));
  } finally {
    server?.kill('SIGKILL');
    await database.close();
  }
}

function choices(name: string, text: string, known: readonly string[]): string[] {
  const chosen = text.split(',');
  const wrong = chosen.find((one) => !known.includes(one));
  if (wrong === undefined) return chosen;
  throw new UsageError(`--${name} takes a list of ${known.join(', ')}, not "${wrong}"`);
}

function readPlan(): Plan & { url: string | undefined } {
  const games = registry.games.map(({ id }) => id);
  const { values } = parseArgs({
    options: {
      game: { type: 'string', default: games.join(',') },
      via: { type: 'string', default: 'http,socket' },
      loop: { type: 'string', default: 'closed,open' },
      matches: { type: 'string', default: '50' },
      seats: { type: 'string', default: '2' },
      rate: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '6' },
      warmup: { type: 'string', default: '2' },
      fields: { type: 'string', default: 'version seat action label acting' },
      database: { type: 'string' },
      profile: { type: 'string' },
      'no-append': { type: 'boolean', default: false },
    },
  });
  const chosen = choices('game', values.game, games);
  const most = Math.min(...chosen.map((id) => registry.game(id).seats.max));
  const common = {
    matches: wholeNumber('matches', values.matches, 1, 500),
    seats: wholeNumber('seats', values.seats, 2, most),
    rate: wholeNumber('rate', values.rate, 1, 100_000),
    seconds: wholeNumber('seconds', values.seconds, 1, 60),
    warmup: wholeNumber('warmup', values.warmup, 0, 60),
    fields: values.fields,
  };
  if (!/\bversion\b/.test(values.fields)) throw new UsageError('--fields must have version in it');
  const settings = chosen.flatMap((game) =>
    choices('loop', values.loop, ['closed', 'open']).flatMap((loop) =>
      choices('via', values.via, ['http', 'socket']).map((via) => ({ game, loop, via, ...common })),
    ),
  );
  return { settings, profile: values.profile, append: !values['no-append'], url: values.database };
}

await run(HELP, async () => {
  const { url, ...plan } = readPlan();
  if (url !== undefined) return measureAll(url, plan);
  const dir = resolve('.data', `bench-${process.pid}`);
  const postgres = await startLocalPostgres(join(dir, 'pg'));
  try {
    await measureAll(postgres.url('postgres'), plan);
  } finally {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
