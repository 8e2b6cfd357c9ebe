import type { ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildSchema } from 'graphql';
import { tools } from '../../src/api/mcp/tools.ts';
import { examples } from '../../src/api/rest/contract/examples.ts';
import { startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { progress, run, UsageError, wholeNumber } from '../cli.ts';
import type { Answer, Ask, Target } from './holds/asks.ts';
import { dearest } from './holds/dear.ts';
import { everyOperation, everyRootField, everyTool, type OpenApi } from './holds/every.ts';
import { type Member, makeWorld } from './holds/world.ts';
import { freePort, startServer } from './process.ts';

const HELP = `
Measures how long single requests hold the event loop of the server: nobody else is answered meanwhile.
Starts a server of its own on loopback, with a database of its own that holds the longest matches that are allowed and
the widest positions of each game. Sends every operation of REST, every root field of GraphQL and every tool for agents,
and the dearest requests that are allowed, one at a time. Measured inside the server is the longest turn of its event
loop, as processor time of its main thread (elsewhere than on Linux, as elapsed time). The first time counts separately,
because code is loaded and compiled then. Fails where a later one exceeds the limit. Needs npm run build.
About four minutes.

  npm run bench:holds -- [options]

  --limit <ms>      the longest turn that is allowed (50)
  --events <n>      the length of the longest matches (20000)
  --times <n>       how often each request is sent after the first time (2)
  --only <text>     only requests whose name contains this; may be given several times
  --top <n>         how many requests the table lists (25); those above the limit are always listed
  --list            names the requests
`;

/** How many finished matches the first player has besides the long ones. */
const MANY = 40;
const MEMBERS = 5;

interface Turn {
  cpu: number;
  wall: number;
}

interface Row extends Answer {
  name: string;
  cold: Turn;
  warm: Turn;
}

interface Plan {
  limit: number;
  events: number;
  times: number;
  only: string[];
  top: number;
  list: boolean;
}

const meter = async (port: number, what: 'begin' | 'end'): Promise<Turn> =>
  (await (await fetch(`http://127.0.0.1:${port}/${what}`)).json()) as Turn;

async function measure(ask: Ask, target: Target, meterPort: number): Promise<{ turn: Turn; answer: Answer }> {
  const sendIt = await ask.prepare(target);
  await sleep(50); // what is left of the preparation does not count
  await meter(meterPort, 'begin');
  const answer = await sendIt().catch(({ message }: Error) => ({ status: 0, bytes: 0, refusal: message }));
  await sleep(20);
  return { turn: await meter(meterPort, 'end'), answer };
}

async function rowOf(ask: Ask, target: Target, meterPort: number, times: number): Promise<Row> {
  const { turn: cold } = await measure(ask, target, meterPort);
  let warm: Turn = { cpu: 0, wall: 0 };
  let answer: Answer = { status: 0, bytes: 0, refusal: '' };
  for (let n = 0; n < times; n++) {
    const measured = await measure(ask, target, meterPort);
    if (measured.turn.cpu > warm.cpu) warm = measured.turn;
    answer = measured.answer;
  }
  return { name: ask.name, ...answer, cold, warm };
}

async function register(port: number): Promise<Member[]> {
  const members: Member[] = [];
  for (let i = 0; i < MEMBERS; i++) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/players`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Somebody ${i}` }),
    });
    const { player, token } = (await response.json()) as { player: { id: string; name: string }; token: string };
    members.push({ id: player.id, name: player.name, kind: 'HUMAN', tag: null, token });
  }
  return members;
}

async function asksOf(port: number): Promise<Ask[]> {
  const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const operations = everyOperation((await (await at('/openapi.json')).json()) as OpenApi, examples.requests);
  const rootFields = everyRootField(buildSchema(await (await at('/schema.graphql')).text()));
  const asks = [
    ...operations,
    ...rootFields,
    ...everyTool(tools as unknown as Parameters<typeof everyTool>[0]),
    ...dearest(registry.games.map(({ id }) => id)),
  ];
  console.error(
    `${operations.length} operations of REST, ${rootFields.length} root fields of GraphQL, ${tools.length} tools, ${asks.length} requests in all`,
  );
  return asks;
}

const ms = (value: number): string => value.toFixed(1);

function print(rows: readonly Row[], { limit, top }: Plan): void {
  const sorted = rows.toSorted((a, b) => b.warm.cpu - a.warm.cpu);
  console.log('| request | longest turn, ms | elapsed, ms | the first time, ms | status | bytes |');
  console.log('|---|---|---|---|---|---|');
  for (const [i, row] of sorted.entries()) {
    const { name, warm, cold, status, bytes, refusal } = row;
    if (i >= top && warm.cpu <= limit && cold.cpu <= limit) continue;
    const said = refusal ? `${status} ${refusal}` : status;
    console.log(`| ${name} | ${ms(warm.cpu)} | ${ms(warm.wall)} | ${ms(cold.cpu)} | ${said} | ${bytes} |`);
  }
}

async function besideServer(database: Database, url: string, plan: Plan): Promise<Row[]> {
  const [port, meterPort] = [await freePort(), await freePort()];
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'atoll@example.org' };
  const env = { ...mail, HOLDS_PORT: String(meterPort), PUBLIC_URL: `http://localhost:${port}` };
  const preload = new URL('./holds/meter.mjs', import.meta.url).href;
  const server: ChildProcess = await startServer(port, url, env, undefined, ['--import', preload]);
  try {
    const asks = (await asksOf(port)).filter(
      ({ name }) => plan.only.length === 0 || plan.only.some((text) => name.includes(text)),
    );
    if (plan.list) {
      console.log(asks.map(({ name }) => name).join('\n'));
      return [];
    }
    const target = { port, world: await makeWorld(database, await register(port), plan.events, MANY) };
    const rows: Row[] = [];
    const show = progress();
    for (const [i, one] of asks.entries()) {
      show(`${i + 1} of ${asks.length}: ${one.name}`, i === asks.length - 1);
      rows.push(await rowOf(one, target, meterPort, plan.times));
      await target.world.tidy();
      if (server.exitCode !== null) throw new Error(`the server ended during ${one.name}`);
    }
    return rows;
  } finally {
    server.kill('SIGKILL');
  }
}

async function main(plan: Plan): Promise<void> {
  const dir = resolve('.data', `holds-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  const postgres = await startLocalPostgres(join(dir, 'pg'));
  const url = postgres.url('postgres');
  const database = openDatabase({ url, poolSize: 4, patient: true });
  try {
    await migrate(url);
    const rows = await besideServer(database, url, plan);
    if (plan.list) return;
    print(rows, plan);
    const over = rows.filter(({ warm }) => warm.cpu > plan.limit);
    const slow = rows.filter(({ cold }) => cold.cpu > plan.limit).length;
    console.log(
      `${rows.length} requests, ${over.length} above ${plan.limit} ms, ${slow} the first time only or always`,
    );
    if (over.length > 0)
      throw new UsageError(`${over.map(({ name }) => name).join('; ')} held the event loop too long.`);
  } finally {
    await database.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

await run(HELP, async () => {
  const { values } = parseArgs({
    options: {
      limit: { type: 'string', default: '50' },
      events: { type: 'string', default: '20000' },
      times: { type: 'string', default: '2' },
      only: { type: 'string', multiple: true, default: [] },
      top: { type: 'string', default: '25' },
      list: { type: 'boolean', default: false },
    },
  });
  await main({
    limit: wholeNumber('limit', values.limit, 1, 10_000),
    events: wholeNumber('events', values.events, 500, 20_000),
    times: wholeNumber('times', values.times, 1, 20),
    top: wholeNumber('top', values.top, 1, 1000),
    only: values.only,
    list: values.list,
  });
});
