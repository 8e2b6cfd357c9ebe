import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type LocalPostgres, startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { run, UsageError, wholeNumber } from '../cli.ts';
import { spread, table } from '../peers/report.ts';
import { canLimit, type Limit, NO_LIMIT, openLimit } from './limit.ts';
import { runLoad } from './load.ts';
import { childrenOf, meter, residentMb } from './meter.ts';
import { freePort, postmasterOf, profilingIn, startServer, stopServer } from './process.ts';
import { choices, prepare, type Setting, type Slot } from './slots.ts';

const HELP = `
Shows what a further worker (WORKERS) adds: the closed loop of npm run bench:server against a server with one worker and
against one with two, and so on. All servers run all the time, each with a database of its own, and take turns in each
round, so that they are equally warm and a slow moment of the machine affects all of them.

Each worker is held to a part of a core by a control group of Linux, so that the driver and PostgreSQL have room on a
machine with few cores; this needs root. Each server is warmed up without that limit. The clients of a match connect in
no particular order, so with n workers two players of one match begin on the same one in 1 of n matches.

With 1+1, two servers of one worker each, with a database each, which know nothing of each other, play half of the
matches each: what the machine can do with two.

Prints a JSON line for each measurement, with the microseconds of processor time of the driver, of the server (all of its
processes) and of PostgreSQL for each move, and the share of each worker. The driver does the same for each move whatever
the server does, so if its time differs, the machine was slower. Ends with a table of medians, with the least and the
greatest. Ratios are made inside a round. Needs npm run build. Talks to loopback only. About 15 minutes with the
defaults.

  npm run bench:workers -- [options]

  --workers <n,...>  how many workers to compare (1,2,1+1)
  --part <percent>   of a core for each worker (35); 100 holds nobody
  --game <id,...>    all four
  --via <way,...>    how moves are sent: socket,http
  --matches <n>      matches in flight for each worker (50)
  --rounds <n>       3
  --seconds <n>      how long to measure each (4)
  --warmup <n>       seconds before the first round, for each worker (9)
  --profile <folder> write a CPU profile of each worker there
`;

interface Plan {
  /** Which servers to compare. */
  workers: Workers[];
  part: number;
  rounds: number;
  settings: Setting[];
  profile: string | undefined;
}

/** How many workers a server has, or each of several servers that know nothing of each other. */
interface Workers {
  /** As it is written: 2 or 1+1. */
  name: string;
  each: number[];
}

/** A server with some workers, and what limits them. */
interface Server {
  workers: number;
  /** Its process. */
  pid: number;
  /** The processes of its workers. */
  pids: number[];
  port: number;
  database: Database;
  limit: Limit;
  stop(): Promise<void>;
}

/** Servers that are measured together. */
interface Held {
  workers: Workers;
  servers: Server[];
  processes: Record<string, number>;
}

/** The matches that are played on one of them. */
interface Seated {
  server: Server;
  slots: Slot[];
}

type Line = Awaited<ReturnType<typeof measure>>;

/** As many as by default: with more, a rare but long collection of garbage decides how a single measurement ends. */
const MEMO_MATCHES = '1000';
/** For each worker. By default all of them together would have more connections than PostgreSQL allows. */
const DATABASE_POOL_SIZE = '6';
/** How long the load is under way before it is measured, after the limit was set. */
const SETTLE_SECONDS = 1;
/** How long a server is warmed up at a time, before further matches are opened. */
const WARMUP_SECONDS = 3;
/** More than any core makes today. */
const MOST_PER_SECOND = 12_000;
/** For so long after a start a server expects others, and tells them through the database. */
const ALONE_AFTER_MS = 11_000;

async function startAll(postgres: LocalPostgres, workers: Workers, plan: Plan): Promise<Held> {
  const servers: Server[] = [];
  try {
    for (const [i, count] of workers.each.entries()) {
      const name = `workers_${workers.name.replaceAll('+', '_')}_${i}`;
      await postgres.createDatabase(name);
      servers.push(await start(postgres.url(name), count, plan));
    }
    const { database } = servers[0] as Server;
    const pids = Object.fromEntries(servers.map(({ pid }, i) => [`${SERVER}${i + 1}`, pid]));
    return { workers, servers, processes: { ...pids, postgres: await postmasterOf(database.pool) } };
  } catch (error) {
    for (const server of servers) await server.stop();
    throw error;
  }
}

/** The names of the processes of servers begin with this. */
const SERVER = 'server ';

async function start(url: string, workers: number, { part, profile }: Plan): Promise<Server> {
  await migrate(url);
  const database = openDatabase({ url, poolSize: 4 });
  const port = await freePort();
  const server = await startServer(
    port,
    url,
    { WORKERS: String(workers), MEMO_MATCHES, DATABASE_POOL_SIZE },
    undefined,
    profilingIn(profile),
  );
  const pid = server.pid as number;
  const pids = workers > 1 ? childrenOf(pid) : [pid];
  const limit = part < 1 ? openLimit(pids) : NO_LIMIT;
  return {
    workers,
    pid,
    pids,
    port,
    database,
    limit,
    async stop() {
      await stopServer(server);
      await limit.close();
      await database.close();
    },
  };
}

/** How many sockets a process has open. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).filter((fd) => readlinkSync(join(folder, fd)).startsWith('socket:')).length;
  } catch {
    return Number.NaN; // this system has no /proc
  }
}

interface Measurement extends Pick<Plan, 'part'> {
  setting: Setting;
  seated: Seated[];
  round: number;
}

async function measure({ workers, servers, processes }: Held, { part, setting, seated, round }: Measurement) {
  const { game, via, seconds } = setting;
  const slots = seated.flatMap((one) => one.slots);
  const pids = servers.flatMap((server) => server.pids);
  const ofWorkers = Object.fromEntries(pids.map((pid, i) => [`${i + 1}`, pid]));
  const load = { matches: slots.length, rate: 0, processes, move: (i: number) => (slots[i] as Slot).move() };
  for (const { limit } of servers) limit.set(part);
  try {
    const readEach = sleep(SETTLE_SECONDS * 1000).then(() => meter(ofWorkers));
    const { cores, ...measured } = await runLoad({ ...load, seconds, warmupSeconds: SETTLE_SECONDS });
    const { others: _, ...each } = (await readEach)();
    const us = (name: string) => {
      const used = Object.entries(cores).filter(([process]) => process.startsWith(name));
      return Math.round((used.reduce((sum, [, share]) => sum + share, 0) * 1e6) / measured.movesPerSecond);
    };
    const short = slots.reduce((sum, slot) => sum + slot.short, 0);
    return {
      bench: 'workers',
      round,
      workers: workers.name,
      part,
      game,
      via,
      matches: slots.length,
      seconds,
      ...measured,
      usPerMove: { driver: us('driver'), server: us('server'), postgres: us('postgres') },
      cores,
      shares: pids.map((pid, i) => ({ cores: each[`${i + 1}`], sockets: socketsOf(pid) })),
      serverMb: servers.reduce((sum, { pid }) => sum + residentMb(pid), 0),
      ...(short > 0 && { ranOutOfMatches: short }),
    };
  } finally {
    for (const { limit } of servers) limit.set(1);
  }
}

/**
 * Opens as many matches as are played in these seconds, and some more, because matches whose players share a worker are
 * played faster. They are opened shortly before they are played, because a server does not remember many.
 */
async function stock({ server: { workers, database }, slots }: Seated, seconds: number, part: number) {
  const moves = (MOST_PER_SECOND * Math.min(1, part * workers) * seconds) / slots.length;
  await Promise.all(slots.map((slot) => slot.stock(database, 1.5 * moves)));
}

/** Opens the connections of a setting, and plays until the server is warm. */
async function warmed(server: Server, setting: Setting): Promise<Seated> {
  const { workers, port, database } = server;
  const matches = setting.matches * workers;
  const slots = await prepare(port, database, { ...setting, matches, seconds: 0, warmup: 0 });
  const seated = { server, slots };
  const move = (i: number) => (slots[i] as Slot).move();
  for (const slot of slots) slot.follow();
  await sleep(500); // every subscription is in place
  for (let left = setting.warmup * workers; left > 0; left -= WARMUP_SECONDS) {
    const seconds = Math.min(left, WARMUP_SECONDS);
    await stock(seated, seconds, 1);
    await runLoad({ matches, rate: 0, processes: {}, move, seconds, warmupSeconds: 0 });
  }
  return seated;
}

/** Each round begins with the server with which the round before has ended. */
const inTurns = <T>(all: readonly T[], round: number): readonly T[] => (round % 2 === 0 ? all : all.toReversed());

/** All rounds of one setting. Prints each line as soon as it is there. */
async function measureSetting(all: readonly Held[], setting: Setting, plan: Plan): Promise<Line[]> {
  const started = performance.now();
  const lines: Line[] = [];
  const tables = new Map<Held, Seated[]>(all.map((held) => [held, []]));
  try {
    for (const [{ servers }, seated] of tables) {
      for (const server of servers) seated.push(await warmed(server, setting));
    }
    await sleep(Math.max(0, ALONE_AFTER_MS - (performance.now() - started)));
    for (let round = 0; round < plan.rounds; round++) {
      for (const held of inTurns(all, round)) {
        const seated = tables.get(held) as Seated[];
        for (const one of seated) await stock(one, SETTLE_SECONDS + setting.seconds, plan.part);
        const line = await measure(held, { part: plan.part, setting, seated, round: round + 1 });
        lines.push(line);
        console.log(JSON.stringify(line));
      }
    }
    return lines;
  } finally {
    for (const slot of [...tables.values()].flat().flatMap(({ slots }) => slots)) slot.close();
  }
}

async function measureAll(postgres: LocalPostgres, plan: Plan): Promise<void> {
  const lines: Line[] = [];
  const all: Held[] = [];
  try {
    for (const workers of plan.workers) all.push(await startAll(postgres, workers, plan));
    for (const setting of plan.settings) lines.push(...(await measureSetting(all, setting, plan)));
  } finally {
    for (const { servers } of all) for (const server of servers) await server.stop();
  }
  console.log(tableOf(lines, plan).join('\n'));
}

/** How many times as much as the first number of workers made in the same round. */
function timesOf(line: Line, lines: readonly Line[], [first]: readonly Workers[]): number {
  const other = lines.find(({ workers, round }) => workers === first?.name && round === line.round) as Line;
  return line.movesPerSecond / other.movesPerSecond;
}

function tableOf(lines: readonly Line[], { settings, workers }: Plan): string[] {
  const rows = settings.flatMap(({ game, via }) => {
    const ofSetting = lines.filter((line) => line.game === game && line.via === via);
    return workers.map(({ name }) => {
      const mine = ofSetting.filter((line) => line.workers === name);
      const us = (name: 'driver' | 'server' | 'postgres') => mine.map(({ usPerMove }) => usPerMove[name]);
      return [
        `${game} by ${via}`,
        name,
        spread(
          mine.map(({ movesPerSecond }) => movesPerSecond),
          0,
        ),
        ...(['server', 'postgres', 'driver'] as const).map((name) => spread(us(name), 0)),
        name === workers[0]?.name
          ? '–'
          : spread(
              mine.map((line) => timesOf(line, ofSetting, workers)),
              2,
            ),
        Math.max(...mine.map(({ cores }) => cores.others as number)).toFixed(2),
      ];
    });
  });
  const micros = ['the server', 'PostgreSQL', 'the driver'].map((name) => `µs of ${name}`);
  return table(['game and way', 'workers', 'moves a second', ...micros, 'times as much', 'others'], rows);
}

function readPlan(): Plan {
  const games = registry.games.map(({ id }) => id);
  const { values } = parseArgs({
    options: {
      workers: { type: 'string', default: '1,2,1+1' },
      part: { type: 'string', default: '35' },
      game: { type: 'string', default: games.join(',') },
      via: { type: 'string', default: 'socket,http' },
      matches: { type: 'string', default: '50' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
      warmup: { type: 'string', default: '9' },
      profile: { type: 'string' },
    },
  });
  const common = {
    loop: 'closed',
    matches: wholeNumber('matches', values.matches, 1, 200),
    seats: 2,
    rate: 0,
    seconds: wholeNumber('seconds', values.seconds, 1, 60),
    warmup: wholeNumber('warmup', values.warmup, 0, 60),
    fields: 'version seat action label acting',
  };
  const settings = choices('game', values.game, games).flatMap((game) =>
    choices('via', values.via, ['http', 'socket']).map((via) => ({ game, via, ...common })),
  );
  return {
    settings,
    workers: values.workers.split(',').map((name) => ({
      name,
      each: name.split('+').map((count) => wholeNumber('workers', count, 1, 16)),
    })),
    part: wholeNumber('part', values.part, 1, 100) / 100,
    rounds: wholeNumber('rounds', values.rounds, 1, 20),
    profile: values.profile,
  };
}

await run(HELP, async () => {
  const plan = readPlan();
  if (plan.part < 1 && !canLimit()) {
    throw new UsageError(
      'There are no control groups here that this user may change: run it as root on Linux, or with --part 100 on a machine with cores to spare',
    );
  }
  const dir = resolve('.data', `bench-${process.pid}`);
  const postgres = await startLocalPostgres(join(dir, 'pg'));
  try {
    await measureAll(postgres, plan);
  } finally {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
