import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { registry } from '../../src/games/registry.ts';
import { run, UsageError, wholeNumber } from '../cli.ts';
import { benchPgbench } from './pgbench.ts';
import { type Cluster, findPgbench, installBoardgame, startCluster } from './setup.ts';

const HELP = `
Compares Atoll with boardgame.io (in memory, and on PostgreSQL) and with the bare append by pgbench, on this machine.

All are measured in the same way: 50 matches in flight, every client on a socket of its own, a move timed until the
opponent's client has it. They take turns within a round, and ratios are made inside a round and then their median is
taken, because the speed of a machine drifts. One PostgreSQL with one set of settings serves everybody, fsync on.

boardgame.io is installed into .data/peers by npm (about 20 s, once); it is no dependency of the project. pgbench comes
with PostgreSQL. What is missing is said and left out. Needs npm run build. Talks to loopback only.
A round with one game and both ways takes about a minute.

  npm run bench:peers -- [options]

  --rounds <n>        5
  --game <id,...>     of Atoll (cacao)
  --via <way,...>     how moves reach Atoll: http,socket
  --loop <kind>       closed, or open (500 moves a second; leaves pgbench out) (closed)
  --only <peer,...>   of pgbench,memory,postgres (all)
  --matches <n>       matches in flight (50)
  --seconds <n>       how long to measure each (6)
  --warmup <n>        seconds before that (2)
`;

const PEERS = ['pgbench', 'memory', 'postgres'] as const;

interface Line {
  movesPerSecond: number;
  ms: { p50: number; p95: number; p99: number };
}

/** Something to measure once per round. */
interface Contender {
  name: string;
  measure(): Promise<Line>;
}

interface Setting {
  rounds: number;
  games: string[];
  ways: string[];
  loop: string;
  only: string[];
  matches: number;
  seconds: number;
  warmup: number;
}

/** Runs one of our programs in a separate process. Its last line of output is the measurement. */
async function lineOf(args: string[], env: Record<string, string> = {}): Promise<Line> {
  const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const patience = setTimeout(() => child.kill('SIGKILL'), 180_000);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  clearTimeout(patience);
  const last = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !last.startsWith('{')) throw new Error(`${args[0]} ended with ${code}`);
  return JSON.parse(last) as Line;
}

function peersOf(setting: Setting, cluster: Cluster): Contender[] {
  const { only, loop, matches, seconds, warmup } = setting;
  const found: Contender[] = [];
  if (only.includes('pgbench') && loop === 'closed') {
    const pgbench = findPgbench();
    if ('missing' in pgbench) console.error(pgbench.missing);
    else {
      const measure = async () => benchPgbench(pgbench.command, await cluster.fresh('bare'), seconds, warmup);
      found.push({ name: 'pgbench', measure });
    }
  }
  const stores = PEERS.slice(1).filter((store) => only.includes(store));
  const boardgame = stores.length > 0 ? installBoardgame() : { missing: '' };
  if ('missing' in boardgame) {
    if (boardgame.missing) console.error(boardgame.missing);
    return found;
  }
  const common = {
    PEERS_PACKAGE: boardgame.packageJson,
    MATCHES: String(matches),
    SECONDS: String(seconds),
    WARMUP: String(warmup),
    RATE: loop === 'open' ? '500' : '0',
  };
  for (const store of stores) {
    const url = async () => (store === 'postgres' ? await cluster.fresh('boardgame') : '');
    const measure = async () => lineOf(['tools/peers/boardgame.ts'], { ...common, DATABASE_URL: await url() });
    found.push({ name: store === 'memory' ? 'boardgame.io in memory' : 'boardgame.io on PostgreSQL', measure });
  }
  return found;
}

function atollOf({ games, ways, loop, matches, seconds, warmup }: Setting, cluster: Cluster): Contender[] {
  const numbers = ['--matches', String(matches), '--seconds', String(seconds), '--warmup', String(warmup)];
  return games.flatMap((game) =>
    ways.map((via) => ({
      name: `Atoll, ${game} by ${via}`,
      measure: async () => {
        const what = ['--game', game, '--via', via, '--loop', loop, '--no-append'];
        return lineOf(['tools/bench/server.ts', ...what, ...numbers, '--database', await cluster.fresh('atoll')]);
      },
    })),
  );
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

type Round = Map<string, Line>;

/** The median of the ratios inside each round, with the least and the greatest. */
function ratio(rounds: Round[], name: string, reference: string, of: (line: Line) => number): string | undefined {
  const ratios = rounds.flatMap((round) => {
    const [line, other] = [round.get(name), round.get(reference)];
    return line && other && name !== reference ? [of(line) / of(other)] : [];
  });
  if (ratios.length === 0) return undefined;
  const two = (n: number) => n.toFixed(2);
  return `${two(median(ratios))} [${two(Math.min(...ratios))}-${two(Math.max(...ratios))}]`;
}

function report(rounds: Round[], name: string, references: string[]) {
  const lines = rounds.flatMap((round) => round.get(name) ?? []);
  const of = (pick: (line: Line) => number) => Math.round(median(lines.map(pick)) * 10) / 10;
  const times = Object.fromEntries(
    references.map((other) => [other, ratio(rounds, name, other, (line) => line.movesPerSecond)]),
  );
  const slower = ratio(rounds, name, 'boardgame.io in memory', (line) => line.ms.p50);
  return {
    what: name,
    rounds: lines.length,
    movesPerSecond: of((line) => line.movesPerSecond),
    p50: of(({ ms }) => ms.p50),
    p95: of(({ ms }) => ms.p95),
    p99: of(({ ms }) => ms.p99),
    times,
    ...(slower !== undefined && { 'p50 against boardgame.io in memory': slower }),
  };
}

async function compare(setting: Setting, cluster: Cluster): Promise<void> {
  const peers = peersOf(setting, cluster);
  const contenders = [...peers, ...atollOf(setting, cluster)];
  const rounds: Round[] = [];
  for (let n = 1; n <= setting.rounds; n++) {
    const round: Round = new Map();
    rounds.push(round);
    for (const { name, measure } of contenders) {
      const line = await measure();
      round.set(name, line);
      console.log(JSON.stringify({ round: n, what: name, ...line }));
    }
  }
  const references = peers.map(({ name }) => name);
  for (const { name } of contenders) console.log(JSON.stringify({ summary: report(rounds, name, references) }));
}

function list(name: string, text: string, known: readonly string[]): string[] {
  const chosen = text.split(',').filter((one) => one !== '');
  const wrong = chosen.find((one) => !known.includes(one));
  if (wrong === undefined) return chosen;
  throw new UsageError(`--${name} takes a list of ${known.join(', ')}, not "${wrong}"`);
}

await run(HELP, async () => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      game: { type: 'string', default: 'cacao' },
      via: { type: 'string', default: 'http,socket' },
      loop: { type: 'string', default: 'closed' },
      only: { type: 'string', default: PEERS.join(',') },
      matches: { type: 'string', default: '50' },
      seconds: { type: 'string', default: '6' },
      warmup: { type: 'string', default: '2' },
    },
  });
  const setting: Setting = {
    rounds: wholeNumber('rounds', values.rounds, 1, 20),
    games: list(
      'game',
      values.game,
      registry.games.map(({ id }) => id),
    ),
    ways: list('via', values.via, ['http', 'socket']),
    loop: list('loop', values.loop, ['closed', 'open'])[0] ?? 'closed',
    only: list('only', values.only, PEERS),
    matches: wholeNumber('matches', values.matches, 1, 500),
    seconds: wholeNumber('seconds', values.seconds, 1, 60),
    warmup: wholeNumber('warmup', values.warmup, 0, 60),
  };
  const cluster = await startCluster();
  try {
    await compare(setting, cluster);
  } finally {
    await cluster.stop();
  }
});
