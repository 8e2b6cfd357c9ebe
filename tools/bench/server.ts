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
import { runLoad } from './load.ts';
import { residentMb } from './meter.ts';
import { freePort, postmasterOf, profilingIn, startServer, stopServer } from './process.ts';
import { choices, prepare, type Setting, type Slot } from './slots.ts';

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
  let server: ChildProcess | undefined;
  try {
    server = await startServer(port, url, {}, undefined, profilingIn(profile));
    const processes = { server: server.pid as number, postgres: await postmasterOf(database.pool) };
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
