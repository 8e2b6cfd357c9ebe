import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { run, wholeNumber } from '../cli.ts';
import { GraphqlConnection } from './clients.ts';
import { type Crowd, openCrowd } from './crowd.ts';
import { freePort, latencies, startServer, stopServer, usage } from './process.ts';
import { open, register, script, type Table } from './tables.ts';

const HELP = `
Measures what a crowd costs: many sockets watch one match, and somebody plays another one.

Every second a move is made in the match that all of them watch. What is timed is from the move being sent until the last
spectator has it. Meanwhile a bystander makes 20 moves a second in a match of its own, each timed until it is answered.

Prints a JSON line. Needs npm run build, and about as many open files as spectators (ulimit -n). Talks to loopback only.

  npm run bench:spectators -- [options]

  --spectators <n>   how many (10000)
  --moves <n>        how many moves they see (15)
`;

const SUBMIT = 'mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version } }';
const BYSTANDER_MS = 50;

/** Two players who make the moves of their script, one after the other. */
function playing(connections: GraphqlConnection[], { id, start, script: moves }: Table) {
  let played = 0;
  return async (): Promise<boolean> => {
    const move = moves[played];
    if (!move) return false;
    const input = { matchId: id, expectedVersion: start + played++, action: move.action };
    await connections[move.seat]?.request(SUBMIT, { input });
    return true;
  };
}

async function bystand(move: () => Promise<boolean>, signal: AbortSignal): Promise<number[]> {
  const taken: number[] = [];
  while (!signal.aborted) {
    const before = performance.now();
    if (!(await move())) throw new Error('the match of the bystander is over');
    taken.push(performance.now() - before);
    await sleep(BYSTANDER_MS);
  }
  return taken;
}

async function show(crowd: Crowd, { start }: Table, move: () => Promise<boolean>, moves: number): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 1; n <= moves; n++) {
    const before = performance.timeOrigin + performance.now();
    const seen = crowd.allHave(start + n);
    if (!(await move())) break;
    taken.push((await seen) - before);
    await sleep(1000);
  }
  return taken;
}

async function measure(url: string, spectators: number, moves: number): Promise<object> {
  await migrate(url);
  const database = openDatabase({ url, poolSize: 4 });
  const port = await freePort();
  const server = await startServer(port, url);
  const pid = server.pid as number;
  try {
    const tokens = await register(port, 2);
    const players = tokens.map((token) => new GraphqlConnection(port, token));
    const tables = await open(players, 'haleakala', 2); // long enough for the bystander
    await script(database, 'haleakala', 2, tables);
    const [watched, other] = tables as [Table, Table];
    const before = usage(pid);
    const crowd = await openCrowd({ port, matchId: watched.id, after: watched.start, size: spectators });
    await sleep(1000);
    const after = usage(pid);
    const stop = new AbortController();
    const bystanders = tokens.map((token) => new GraphqlConnection(port, token));
    const bystanding = bystand(playing(bystanders, other), stop.signal);
    const seen = await show(crowd, watched, playing(players, watched), moves);
    stop.abort();
    const spent = usage(pid).cpuSeconds - after.cpuSeconds;
    const bystander = latencies(await bystanding);
    crowd.close();
    for (const one of [...players, ...bystanders]) one.close();
    const kbEach = Math.round(((after.rssMb - before.rssMb) * 1024) / spectators);
    const usEach = Math.round((spent * 1e6) / (spectators * seen.length));
    const each = { serverUsPerDelivery: usEach, kbPerSpectator: kbEach };
    return { bench: 'spectators', spectators, moves: seen.length, lastHasItMs: latencies(seen), bystander, ...each };
  } finally {
    await stopServer(server);
    await database.close();
  }
}

await run(HELP, async () => {
  const { values } = parseArgs({ options: { spectators: { type: 'string' }, moves: { type: 'string' } } });
  const spectators = wholeNumber('spectators', values.spectators ?? '10000', 1, 25_000);
  const moves = wholeNumber('moves', values.moves ?? '15', 1, 100);
  const folder = resolve('.data', `bench-${process.pid}`);
  const postgres = await startLocalPostgres(join(folder, 'postgres'), console.warn);
  try {
    await postgres.createDatabase('bench');
    console.log(JSON.stringify(await measure(postgres.url('bench'), spectators, moves)));
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
