/** The example players know no rules and play every game to its end by GraphQL and REST, even if connections are cut. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registry } from '../../src/games/registry.ts';
import { rest } from '../support/api-rest.ts';
import { standbyOf } from '../support/behind.ts';
import { type FreshDatabase, freshDatabase, poolFor } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type Process, runProcess, startProcess } from '../support/process.ts';
import { freePort } from '../support/programs.ts';

const BOTS = ['examples/graphql-bot.mjs', 'examples/rest-bot.mjs'] as const;
const PYTHON = 'examples/rest_player.py';
const hasPython = spawnSync('python3', ['--version']).status === 0;
/** The greatest number of lines of each example. */
const LINES = { 'examples/graphql-bot.mjs': 50, 'examples/rest-bot.mjs': 120, 'examples/rest_player.py': 100 };
/** A loaded machine may take its time. */
const PATIENT = { timeout: 60_000, interval: 20 };
const started: Process[] = [];
let database: FreshDatabase;
let server: Instance;

beforeAll(async () => {
  const built = spawnSync('npm', ['run', 'build:client'], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
  database = await freshDatabase();
  server = await startInstance(database.url, { registry });
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await server.stop();
  await database.drop();
});

function bot(file: string, ...args: string[]): Process {
  const command = file === PYTHON ? 'python3' : process.execPath;
  const run = runProcess([file, '--url', server.url, ...args], {}, command);
  started.push(run);
  return run;
}

const matchOf = ({ output }: Process) => /^match (\S+)$/m.exec(output())?.[1];

async function opened(run: Process): Promise<string> {
  await expect.poll(() => matchOf(run)).toBeDefined();
  return matchOf(run) as string;
}

async function expectFinished(runs: Process[], id: string): Promise<void> {
  for (const { exit, output } of runs) {
    const code = await exit;
    if (code !== 0) expect.fail(output());
    expect([code, output().trim().split('\n').at(-1)]).toEqual([
      0,
      expect.stringMatching(/^FINISHED: seat \d has -?\d+ points, rank \d$/),
    ]);
  }
  const { status, result, seats } = await rest.client([server.url]).match(id);
  expect(status).toBe('FINISHED');
  for (const { output } of runs) {
    const [, seat, points, rank] = /seat (\d) has (-?\d+) points, rank (\d)$/.exec(output().trim()) ?? [];
    expect([Number(points), Number(rank)]).toEqual([result?.scores[Number(seat)], result?.ranks[Number(seat)]]);
  }
  expect(seats).toHaveLength(runs.length);
}

it.each(Object.entries(LINES))('%s is short enough to be read: %i lines at most', (file, most) => {
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(most);
});

const forTwo = registry.games
  .filter(({ seats }) => seats.max >= 2)
  .map(({ id, seats }, n) => [id, seats.min, n] as const);
const forOne = registry.games
  .filter(({ seats }) => seats.min === 1)
  .flatMap(({ id }) => BOTS.map((file) => [id, file]));

it.each(forTwo)(
  '%s is played by one bot against the other',
  async (game, min, n) => {
    const [first, second] = (n % 2 ? BOTS : BOTS.toReversed()) as [string, string];
    const count = Math.max(2, min);
    const host = bot(first, '--game', game, '--seats', String(count));
    const id = await opened(host);
    const guests = Array.from({ length: count - 1 }, () => bot(second, '--match', id));
    await expectFinished([host, ...guests], id);
  },
  120_000,
);

describe.skipIf(!hasPython)('in Python (skipped where there is no python3)', () => {
  it.each(forTwo)(
    '%s is played against a bot',
    async (game, min, n) => {
      const host = bot(PYTHON, '--game', game, '--seats', String(Math.max(2, min)));
      const id = await opened(host);
      const guests = Array.from({ length: Math.max(2, min) - 1 }, () => bot(BOTS[n % 2] as string, '--match', id));
      await expectFinished([host, ...guests], id);
    },
    120_000,
  );
});

it.each(forOne)(
  '%s is played alone by %s',
  async (game, file) => {
    const alone = bot(file as string, '--game', game as string, '--seats', '1');
    await expectFinished([alone], await opened(alone));
  },
  120_000,
);

it('all continue when the database has lost what they saw', async () => {
  const pool = poolFor(database);
  const play = async (file: string): Promise<void> => {
    const run = bot(file, '--game', 'hawaii', '--seats', '2');
    const id = await opened(run);
    const api = rest.client([server.url]);
    const guest = rest.client([server.url], (await api.register('Guest')).token);
    await guest.join(id);
    const myTurn = () => expect.poll(async () => (await guest.match(id)).acting, PATIENT).toEqual([1]);
    /** Acts until it is the bot's turn, and waits until the bot has acted in turn. */
    const round = async () => {
      await myTurn();
      while ((await guest.match(id)).acting.includes(1))
        await guest.submit(id, { action: (await guest.legalActions(id))[0]?.action });
      await myTurn();
    };
    await round();
    const before = (await guest.match(id)).version;
    const failover = await standbyOf(pool, id);
    await round();
    await failover();
    expect((await guest.match(id)).version).toBe(before);
    await round();
    expect((await guest.match(id)).version).toBeGreaterThan(before);
    run.child.kill('SIGKILL');
  };
  await Promise.all([...BOTS, ...(hasPython ? [PYTHON] : [])].map(play));
  await pool.end();
}, 120_000);

it('all continue when the server is killed and restarted', async () => {
  const PORT = String(await freePort()); // nobody else may get it meanwhile
  let victim = await startProcess(database.url, { PORT });
  started.push(victim);
  const { url } = victim;
  const players = [...BOTS, ...(hasPython ? [PYTHON] : [])];
  const [first, ...others] = players as [string, ...string[]];
  const host = bot(first, '--url', url, '--game', 'cacao', '--seats', String(players.length));
  const id = await opened(host);
  const runs = [host, ...others.map((file) => bot(file, '--url', url, '--match', id))];
  const moves = () => runs.flatMap(({ output }) => output().match(/^\d+ {2}/gm) ?? []);
  for (const seen of [10, 30]) {
    await expect.poll(() => moves().length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(seen);
    victim.child.kill('SIGKILL');
    await victim.exit;
    victim = await startProcess(database.url, { PORT });
    started.push(victim);
  }
  await expectFinished(runs, id);
  // Every action is in the log once, even if it was sent again.
  const { events } = (await (await fetch(`${url}/v1/matches/${id}/export`)).json()) as { events: { type: string }[] };
  expect(moves()).toHaveLength(events.filter(({ type }) => type === 'ACTED').length);
}, 240_000);
