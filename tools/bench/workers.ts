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
machine with few cores; this needs root. Each server is warmed up without that limit. The clients of a match connect as
they come, so with n workers two players of one match sit on the same one in 1 of n matches.

Prints a JSON line for each measurement, with the microseconds of processor time of the driver, of the server (all of its
processes) and of PostgreSQL for each move, and the share of each worker. The driver does the same for each move whatever
the server does, so if its time differs, the machine was slower. Ends with a table of medians, with the least and the
greatest. Ratios are made inside a round. Needs npm run build. Talks to loopback only. About eight minutes with the
defaults.

  npm run bench:workers -- [options]

  --workers <n,...>  how many workers to compare (1,2)
  --part <percent>   of a core for each worker (35); 100 holds nobody
  --game <id,...>    all four
  --via <way,...>    how moves are sent: socket,http
  --matches <n>      matches in flight for each worker (50)
  --rounds <n>       3
  --seconds <n>      how long to measure each (4)
  --warmup <n>       seconds before the first round, for each worker (6)
  --profile <folder> write a CPU profile of each worker there
`;

interface Plan {
  workers: number[];
  part: number;
  rounds: number;
  settings: Setting[];
  profile: string | undefined;
}

/** A server with some workers, and what limits them. */
interface Held {
  workers: number;
  /** Their processes. */
  pids: number[];
  port: number;
  database: Database;
  processes: Record<'server' | 'postgres', number>;
  limit: Limit;
  stop(): Promise<void>;
}

type Line = Awaited<ReturnType<typeof measure>>;

/** As many as by default: with more, a rare but long collection of garbage decides how a single measurement ends. */
const MEMO_MATCHES = '1000';
/** How long the load is under way before it is measured, after the limit was set. */
const SETTLE_SECONDS = 1;
/** How long a server is warmed up at a time, before further matches are opened. */
const WARMUP_SECONDS = 3;
/** More than any core makes today. */
const MOST_PER_SECOND = 12_000;
/** For so long after a start a server expects others, and tells them through the database. */
const ALONE_AFTER_MS = 11_000;

async function start(url: string, workers: number, { part, profile }: Plan): Promise<Held> {
  await migrate(url);
  const database = openDatabase({ url, poolSize: 16 });
  const port = await freePort();
  const server = await startServer(
    port,
    url,
    { WORKERS: String(workers), MEMO_MATCHES },
    undefined,
    profilingIn(profile),
  );
  const pid = server.pid as number;
  const pids = workers > 1 ? childrenOf(pid) : [pid];
  const limit = part < 1 ? openLimit(pids) : NO_LIMIT;
  return {
    workers,
    pids,
    port,
    database,
    limit,
    processes: { server: pid, postgres: await postmasterOf(database.pool) },
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
  slots: Slot[];
  round: number;
}

async function measure({ workers, pids, processes, limit }: Held, { part, setting, slots, round }: Measurement) {
  const { game, via, seconds } = setting;
  const ofWorkers = Object.fromEntries(pids.map((pid, i) => [`${i + 1}`, pid]));
  const load = { matches: slots.length, rate: 0, processes, move: (i: number) => (slots[i] as Slot).move() };
  limit.set(part);
  try {
    const readEach = sleep(SETTLE_SECONDS * 1000).then(() => meter(ofWorkers));
    const { cores, ...measured } = await runLoad({ ...load, seconds, warmupSeconds: SETTLE_SECONDS });
    const { others: _, ...each } = (await readEach)();
    const us = (name: string) => Math.round(((cores[name] ?? 0) * 1e6) / measured.movesPerSecond);
    const short = slots.reduce((sum, slot) => sum + slot.short, 0);
    return {
      bench: 'workers',
      round,
      workers,
      part,
      game,
      via,
      matches: slots.length,
      seconds,
      ...measured,
      usPerMove: { driver: us('driver'), server: us('server'), postgres: us('postgres') },
      cores,
      shares: pids.map((pid, i) => ({ cores: each[`${i + 1}`], sockets: socketsOf(pid) })),
      serverMb: residentMb(processes.server),
      ...(short > 0 && { ranOutOfMatches: short }),
    };
  } finally {
    limit.set(1);
  }
}

/**
 * Opens as many matches as are played in these seconds, and some more, because matches whose players share a worker are
 * played faster. They are opened shortly before they are played, because a server does not remember many.
 */
async function stock({ workers, database }: Held, slots: readonly Slot[], seconds: number, part: number) {
  const moves = (MOST_PER_SECOND * Math.min(1, part * workers) * seconds) / slots.length;
  await Promise.all(slots.map((slot) => slot.stock(database, 1.5 * moves)));
}

/** Opens the connections of a setting, and plays until the server is warm. */
async function warmed(held: Held, setting: Setting): Promise<Slot[]> {
  const { workers, port, database, processes } = held;
  const matches = setting.matches * workers;
  const slots = await prepare(port, database, { ...setting, matches, seconds: 0, warmup: 0 });
  const move = (i: number) => (slots[i] as Slot).move();
  for (const slot of slots) slot.follow();
  await sleep(500); // every subscription is in place
  for (let left = setting.warmup * workers; left > 0; left -= WARMUP_SECONDS) {
    const seconds = Math.min(left, WARMUP_SECONDS);
    await stock(held, slots, seconds, 1);
    await runLoad({ matches, rate: 0, processes, move, seconds, warmupSeconds: 0 });
  }
  return slots;
}

/** Each round begins with the server with which the round before has ended. */
const inTurns = <T>(all: readonly T[], round: number): readonly T[] => (round % 2 === 0 ? all : all.toReversed());

/** All rounds of one setting. Prints each line as soon as it is there. */
async function measureSetting(servers: readonly Held[], setting: Setting, plan: Plan): Promise<Line[]> {
  const started = performance.now();
  const lines: Line[] = [];
  const slots = new Map<Held, Slot[]>();
  try {
    for (const held of servers) slots.set(held, await warmed(held, setting));
    await sleep(Math.max(0, ALONE_AFTER_MS - (performance.now() - started)));
    for (let round = 0; round < plan.rounds; round++) {
      for (const held of inTurns(servers, round)) {
        const measurement = { part: plan.part, setting, slots: slots.get(held) as Slot[], round: round + 1 };
        await stock(held, measurement.slots, SETTLE_SECONDS + setting.seconds, plan.part);
        const line = await measure(held, measurement);
        lines.push(line);
        console.log(JSON.stringify(line));
      }
    }
    return lines;
  } finally {
    for (const slot of [...slots.values()].flat()) slot.close();
  }
}

async function measureAll(postgres: LocalPostgres, plan: Plan): Promise<void> {
  const lines: Line[] = [];
  const servers: Held[] = [];
  try {
    for (const workers of plan.workers) {
      const name = `workers_${workers}`;
      await postgres.createDatabase(name);
      servers.push(await start(postgres.url(name), workers, plan));
    }
    for (const setting of plan.settings) lines.push(...(await measureSetting(servers, setting, plan)));
  } finally {
    for (const server of servers) await server.stop();
  }
  console.log(tableOf(lines, plan).join('\n'));
}

/** How many times as much as the first number of workers made in the same round. */
function timesOf(line: Line, lines: readonly Line[], [first]: readonly number[]): number {
  const other = lines.find(({ workers, round }) => workers === first && round === line.round) as Line;
  return line.movesPerSecond / other.movesPerSecond;
}

function tableOf(lines: readonly Line[], { settings, workers }: Plan): string[] {
  const rows = settings.flatMap(({ game, via }) => {
    const ofSetting = lines.filter((line) => line.game === game && line.via === via);
    return workers.map((count) => {
      const mine = ofSetting.filter((line) => line.workers === count);
      const us = (name: 'driver' | 'server' | 'postgres') => mine.map(({ usPerMove }) => usPerMove[name]);
      return [
        `${game} by ${via}`,
        String(count),
        spread(
          mine.map(({ movesPerSecond }) => movesPerSecond),
          0,
        ),
        ...(['server', 'postgres', 'driver'] as const).map((name) => spread(us(name), 0)),
        count === workers[0]
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
      workers: { type: 'string', default: '1,2' },
      part: { type: 'string', default: '35' },
      game: { type: 'string', default: games.join(',') },
      via: { type: 'string', default: 'socket,http' },
      matches: { type: 'string', default: '50' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
      warmup: { type: 'string', default: '6' },
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
    workers: values.workers.split(',').map((count) => wholeNumber('workers', count, 1, 16)),
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
