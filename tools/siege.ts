import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLocalPostgres } from '../src/database/embedded/postgres.ts';
import { migrate } from '../src/database/migrate.ts';
import { type Database, openDatabase } from '../src/database/pool.ts';
import { openStore } from '../src/matches/log/store.ts';
import { freePort, startServer, usage } from './bench/process.ts';
import { run, UsageError, wholeNumber } from './cli.ts';
import type { Order } from './siege-attacker.ts';
import { ATTACKS } from './siege-attacks.ts';
import { Bystander, type Experience } from './siege-bystander.ts';
import { Caller } from './siege-client.ts';
import type { Tally } from './siege-storm.ts';
import { makeWorld, type World } from './siege-world.ts';

const HELP = `
Attacks a server while two people play an ordinary match on it, and says how that was for them.
Starts a server of its own on loopback, with the settings of an ordinary one and a database of its own. Attacks come from
an address of their own where the system has one (127.0.0.2). Fails if the bystanders' p99 exceeds ten times the quiet
one or 500 ms, whichever is greater, and if an attack does not reach what it is aimed at. What fails for the bystanders
counts as a wait of 5 s. Prints each attack when it is over, and the whole table at the end. An attack takes 10 to 12
seconds, all of them together about 10 minutes and never more than 25. Needs npm run build.

  npm run siege -- [options]

  --seconds <n>     how long each attack goes on (8)
  --only <text>     only attacks whose name contains this; may be given several times
  --database <url>  an empty PostgreSQL to use instead of the embedded one
  --list            names the attacks
  --json            prints JSON lines instead of a table
`;

interface Row extends Experience {
  attack: string;
  held: boolean;
  /** The most memory that the server was seen to use, in MB. */
  memoryMb: number;
  /** By how much the attack made the database grow, in MB. */
  databaseMb: number;
  answers: Tally;
  lastFailure: string;
}

const FLOOR_MS = 500;
const TIMES_QUIET = 10;

/** Linux answers on all of 127/8; elsewhere attacks come from the same address as everyone else. */
const attackAddress = (): Promise<string> =>
  new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done('127.0.0.1'));
    probe.listen(0, '127.0.0.2', () => probe.close(() => done('127.0.0.2')));
  });

async function databaseMb({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ size: string }>('SELECT pg_database_size(current_database()) AS size');
  return Number(rows[0]?.size) / 1e6;
}

const NOTHING: Tally = { ok: 0, refused: 0, failed: 0, said: '', missed: '' };

/** Runs an attack in a separate process, and resolves to its result. */
function attack(order: Order): { process: ChildProcess; tally: Promise<Tally> } {
  const child = fork(new URL('./siege-attacker.ts', import.meta.url), { execArgv: process.execArgv });
  const tally = new Promise<Tally>((resolve) => {
    child.once('message', (message) => resolve(message as Tally));
    child.once('exit', () => resolve({ ...NOTHING, missed: 'the attacker ended early' }));
  });
  child.send(order);
  return { process: child, tally };
}

/** Returns a function that tells the most memory that a process has used so far. */
function watchMemory(pid: number): () => number {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, usage(pid).rssMb || 0);
  }, 200);
  return () => {
    clearInterval(timer);
    return most;
  };
}

interface Field {
  world: World;
  bystander: Bystander;
  server: ChildProcess;
  database: Database;
  ms: number;
}

async function endure(
  name: string | null,
  limit: number,
  { world, bystander, server, database, ms }: Field,
): Promise<Row> {
  const before = await databaseMb(database);
  const memory = watchMemory(server.pid as number);
  const under = name === null ? null : attack({ attack: name, ms, world });
  if (under) await sleep(1000); // until it is in full swing
  const experience = await bystander.play(ms - 1000);
  const answers = (await under?.tally) ?? NOTHING;
  under?.process.kill();
  return {
    attack: name ?? 'none',
    ...experience,
    held: experience.p99 <= limit && server.exitCode === null && answers.missed === '',
    memoryMb: memory(),
    databaseMb: Math.round(((await databaseMb(database)) - before) * 10) / 10,
    answers,
    lastFailure: bystander.lastFailure,
  };
}

const COLUMNS: [string, (row: Row) => string | number][] = [
  ['attack', ({ attack: name }) => name],
  ['p50 ms', ({ p50 }) => p50],
  ['p99 ms', ({ p99 }) => p99],
  ['worst', ({ worst }) => worst],
  ['failed', ({ failures, requests }) => `${failures} of ${requests}`],
  ['memory MB', ({ memoryMb }) => memoryMb],
  ['database +MB', (row) => row.databaseMb],
  ['answered', ({ answers }) => answers.ok],
  ['refused', ({ answers }) => answers.refused + answers.failed],
  ['', ({ held, answers }) => (held ? 'held' : answers.missed ? 'MISSED' : 'FELL')],
];

const lineOf = (row: Row): string => `| ${COLUMNS.map(([, of]) => of(row)).join(' | ')} |`;

/** The table in Markdown, without what was said in between. */
function printAll(rows: readonly Row[], limit: number, minutes: number): void {
  console.log(`\n| ${COLUMNS.map(([title]) => title).join(' | ')} |`);
  console.log(`|${COLUMNS.map(() => '---|').join('')}`);
  for (const row of rows) console.log(lineOf(row));
  const fell = rows.filter(({ held }) => !held).map(({ attack: name }) => name);
  console.log(
    `\n${rows.length - 1} attacks in ${minutes.toFixed(1)} minutes, p99 allowed: ${Math.round(limit)} ms. ` +
      (fell.length === 0 ? 'The server has held.' : `Not held: ${fell.join('; ')}.`),
  );
}

function print(row: Row, json: boolean): void {
  console.log(json ? JSON.stringify(row) : lineOf(row));
  const { said, missed } = row.answers;
  if (!json && (row.lastFailure || said || missed))
    console.error(`    bystander: ${row.lastFailure || 'well'}; attacker: ${missed || said}`);
}

const CALM_MS = 18_000;

/** What is left of one attack must not count as the work of the next. */
async function calm(port: number): Promise<void> {
  const caller = new Caller({ port, address: '127.0.0.1' });
  const until = performance.now() + CALM_MS;
  for (let quick = 0; quick < 3 && performance.now() < until; ) {
    const start = performance.now();
    const answer = await caller.send('GET', '/v1/matches?first=1').catch(() => undefined);
    quick = answer?.status === 200 && performance.now() - start < 100 ? quick + 1 : 0;
    await sleep(300);
  }
  caller.close();
}

/** Attacks that play need the seats of the first players. */
const NEEDS_SEATS = [
  'standing orders, 30 in a request',
  'acting and taking back',
  'exports of an account with 100,000 events',
  'exports of all matches',
  'exports of all matches that nobody reads',
];
/** The number of players in each attack. */
const ATTACKERS = 5;

async function besiege(
  field: Omit<Field, 'world'> & { port: number },
  only: string[],
  json: boolean,
): Promise<boolean> {
  const { database, bystander, port, ms } = field;
  const dir = resolve('.data', `siege-${process.pid}`);
  const address = await attackAddress();
  const anybody = new Caller({ port, address });
  const players: { id: string; token: string }[] = [];
  for (let i = 0; i < ATTACKERS * Object.keys(ATTACKS).length; i++) {
    const { register } = await anybody.insist<{ register: { player: { id: string }; token: string } }>(
      `mutation { register(name: "Siege ${i}") { player { id } token } }`,
    );
    players.push({ id: register.player.id, token: register.token });
  }
  anybody.close();
  const world = await makeWorld(openStore(database), players, { port, address }, (text) => {
    const file = join(dir, 'document.json');
    writeFileSync(file, text);
    return file;
  });
  await bystander.arrive();
  await bystander.play(2000); // warms up
  const began = performance.now();
  const quiet = await endure(null, Number.POSITIVE_INFINITY, { ...field, world });
  const limit = Math.max(FLOOR_MS, TIMES_QUIET * quiet.p99);
  if (!json) {
    console.log(`| ${COLUMNS.map(([title]) => title).join(' | ')} |`);
    console.log(`|${COLUMNS.map(() => '---|').join('')}`);
  }
  print(quiet, json);
  const rows = [quiet];
  for (const [i, name] of Object.keys(ATTACKS).entries()) {
    if (only.length > 0 && !only.some((text) => name.includes(text))) continue;
    // Each attack comes from another address; otherwise it would lack what the previous one has used up.
    const from = address === '127.0.0.1' ? address : `127.0.0.${2 + i}`;
    const own = world.tokens.slice(ATTACKERS * i, ATTACKERS * (i + 1));
    const tokens = NEEDS_SEATS.includes(name) ? world.tokens.slice(0, ATTACKERS) : own;
    const row = await endure(name, limit, { ...field, world: { ...world, address: from, tokens }, ms });
    print(row, json);
    rows.push(row);
    await calm(port);
  }
  if (!json) printAll(rows, limit, (performance.now() - began) / 60_000);
  return rows.every(({ held }) => held);
}

async function main(seconds: number, only: string[], url: string | undefined, json: boolean): Promise<void> {
  const dir = resolve('.data', `siege-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  const postgres = url ? undefined : await startLocalPostgres(join(dir, 'pg'));
  const databaseUrl = url ?? (postgres?.url('postgres') as string);
  const database = openDatabase({ url: databaseUrl, poolSize: 4 });
  let server: ChildProcess | undefined;
  let bystander: Bystander | undefined;
  const stop = async () => {
    bystander?.leave();
    server?.kill('SIGKILL');
    await database.close();
    await postgres?.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().then(() => process.exit(1)));
  try {
    await migrate(databaseUrl);
    const port = await freePort();
    // Sign-in by mail needs a mail server. None of the attacked addresses has an account, so no mail is ever sent.
    const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'atoll@example.org' };
    server = await startServer(port, databaseUrl, { ...mail, PUBLIC_URL: `http://localhost:${port}` }, {});
    bystander = new Bystander(port);
    const held = await besiege({ server, database, bystander, port, ms: seconds * 1000 }, only, json);
    if (!held) throw new UsageError('The bystanders had to wait, or an attack missed.');
  } finally {
    await stop();
  }
}

await run(HELP, async () => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '8' },
      only: { type: 'string', multiple: true, default: [] },
      database: { type: 'string' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.list) console.log(Object.keys(ATTACKS).join('\n'));
  else await main(wholeNumber('seconds', values.seconds, 3, 600), values.only, values.database, values.json);
});
