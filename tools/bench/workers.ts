import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { run, UsageError, wholeNumber } from '../cli.ts';
import { canLimit, type Limit, NO_LIMIT, openLimit } from './limit.ts';
import { runLoad } from './load.ts';
import { childrenOf, residentMb } from './meter.ts';
import { freePort, postmasterOf, profilingIn, startServer, stopServer } from './process.ts';
import { choices, prepare, type Setting, type Slot } from './slots.ts';

const HELP = `
Shows what a further worker (WORKERS) adds: the closed loop of npm run bench:server against one server with one worker,
then one with two, and so on, in turns.

Each worker is held to a part of a core by a control group of Linux, so that the driver and PostgreSQL have room on a
machine with few cores; this needs root. Each server is warmed up without that limit. The clients of a match connect as
they come, so with n workers two players of one match sit on the same one in 1 of n matches.

Prints a JSON line for each number of workers, game and way, with the microseconds of processor time of the server (all
of its processes) and of PostgreSQL for each move, then how many times as much as the first number of workers the others
made (medians of the rounds). Needs npm run build. Talks to loopback only. About three minutes with the defaults.

  npm run bench:workers -- [options]

  --workers <n,...>  how many workers to compare (1,2)
  --part <percent>   of a core for each worker (25); 100 holds nobody
  --game <id,...>    cacao
  --via <way,...>    how moves are sent: socket
  --matches <n>      matches in flight for each worker (50)
  --rounds <n>       3
  --seconds <n>      how long to measure each (6)
  --warmup <n>       seconds before that, for each worker (10)
  --profile <folder> write a CPU profile of each worker there
`;

interface Plan {
  workers: number[];
  part: number;
  rounds: number;
  settings: Setting[];
  profile: string | undefined;
}

interface Line {
  workers: number;
  game: string;
  via: string;
  movesPerSecond: number;
}

/** A server with some workers, and what limits them. */
interface Held {
  workers: number;
  part: number;
  port: number;
  processes: Record<'server' | 'postgres', number>;
  limit: Limit;
  /** When it was started, by performance.now(). */
  since: number;
}

/** How long the load is under way before it is measured, after the limit was set. */
const SETTLE_SECONDS = 1;
/** For so long after a start a server expects others, and tells them through the database. */
const ALONE_AFTER_MS = 11_000;

async function measure({ workers, part, port, processes, limit, since }: Held, database: Database, setting: Setting) {
  const { game, via, seconds, warmup } = setting;
  const matches = setting.matches * workers;
  // More than enough, because matches whose players share a worker are played faster.
  const slots = await prepare(port, database, {
    ...setting,
    matches,
    warmup: 1.5 * (warmup * workers + SETTLE_SECONDS),
  });
  const load = { matches, rate: 0, processes, move: (i: number) => (slots[i] as Slot).move() };
  try {
    for (const slot of slots) slot.follow();
    await sleep(500); // every subscription is in place
    if (warmup > 0) await runLoad({ ...load, seconds: warmup * workers, warmupSeconds: 0 });
    await sleep(Math.max(0, since + ALONE_AFTER_MS - performance.now()));
    limit.set(part);
    const { cores, ...measured } = await runLoad({ ...load, seconds, warmupSeconds: SETTLE_SECONDS });
    const us = (name: string) => Math.round(((cores[name] ?? 0) * 1e6) / measured.movesPerSecond);
    const short = slots.reduce((sum, slot) => sum + slot.short, 0);
    return {
      bench: 'workers',
      workers,
      part,
      game,
      via,
      matches,
      seconds,
      ...measured,
      usPerMove: { server: us('server'), postgres: us('postgres') },
      cores,
      serverMb: residentMb(processes.server),
      ...(short > 0 && { ranOutOfMatches: short }),
    };
  } finally {
    limit.set(1);
    for (const slot of slots) slot.close();
  }
}

async function measureAll(url: string, plan: Plan): Promise<void> {
  await migrate(url);
  const database = openDatabase({ url, poolSize: 16 });
  const lines: Line[] = [];
  try {
    const postgres = await postmasterOf(database.pool);
    for (let round = 0; round < plan.rounds; round++) {
      for (const workers of plan.workers) lines.push(...(await measureServer(url, database, postgres, workers, plan)));
    }
  } finally {
    await database.close();
  }
  for (const { game, via } of plan.settings) {
    const ofSetting = lines.filter((line) => line.game === game && line.via === via);
    console.log(JSON.stringify({ bench: 'workers', game, via, ...compared(ofSetting, plan.workers) }));
  }
}

/** All settings with one server, which is started for this. Prints each line as soon as it is there. */
async function measureServer(
  url: string,
  database: Database,
  postgres: number,
  workers: number,
  { part, settings, profile }: Plan,
): Promise<Line[]> {
  const port = await freePort();
  const server = await startServer(port, url, { WORKERS: String(workers) }, undefined, profilingIn(profile));
  const pid = server.pid as number;
  const since = performance.now();
  const lines: Line[] = [];
  let limit = NO_LIMIT;
  try {
    if (part < 1) limit = openLimit(workers > 1 ? childrenOf(pid) : [pid]);
    const held = { workers, part, port, limit, since, processes: { server: pid, postgres } };
    for (const setting of settings) {
      const line = await measure(held, database, setting);
      lines.push(line);
      console.log(JSON.stringify(line));
    }
    return lines;
  } finally {
    await stopServer(server);
    await limit.close();
  }
}

/** How many times as much the other numbers of workers made as the first. */
function compared(lines: readonly Line[], counts: readonly number[]) {
  const median = (workers: number) =>
    medianOf(lines.filter((line) => line.workers === workers).map(({ movesPerSecond }) => movesPerSecond));
  const [first, ...others] = counts.map(median) as [number, ...number[]];
  const times = others.map((other, i) => [counts[i + 1], Math.round((100 * other) / first) / 100]);
  return { movesPerSecond: first, timesAsMuch: Object.fromEntries(times) };
}

function medianOf(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2;
}

function readPlan(): Plan {
  const games = registry.games.map(({ id }) => id);
  const { values } = parseArgs({
    options: {
      workers: { type: 'string', default: '1,2' },
      part: { type: 'string', default: '25' },
      game: { type: 'string', default: 'cacao' },
      via: { type: 'string', default: 'socket' },
      matches: { type: 'string', default: '50' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '6' },
      warmup: { type: 'string', default: '10' },
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
    await measureAll(postgres.url('postgres'), plan);
  } finally {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
