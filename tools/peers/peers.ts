import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { registry } from '../../src/games/registry.ts';
import { run, UsageError, wholeNumber } from '../cli.ts';
import { benchPgbench } from './pgbench.ts';
import { IN_MEMORY, type Line, type Measured, type Round, tablesOf } from './report.ts';
import { type Cluster, findPgbench, installBoardgame, startCluster } from './setup.ts';

const HELP = `
Compares Atoll with boardgame.io (in memory, and on PostgreSQL) and with the bare append by pgbench, on this machine.

All are measured in the same way: 50 matches in flight, every client on a socket of its own, a move timed until the
opponent's client has it. They take turns within a round, and ratios are made inside a round and then their median is
taken, because the speed of a machine drifts. One PostgreSQL with one set of settings serves everybody, fsync on.
boardgame.io is played by its official clients and, in memory, also by bare ones, which leave more of the machine to the
server, as the clients of Atoll do.

Prints a JSON line for each measurement, and at the end two tables in Markdown: moves a second (closed loop) and the time
of a move at 500 a second (open loop), each the median of the rounds with the least and the greatest. "others" is the
most that the rest of the machine used during any of the measurements, in cores: above 0.2 a line is worth little.

boardgame.io is installed into .data/peers by npm (about 20 s, once); it is no dependency of the project. pgbench comes
with PostgreSQL. What is missing is said and left out. Needs npm run build. Talks to loopback only.
With the defaults it takes about 15 minutes.

  npm run bench:peers -- [options]

  --rounds <n>        5
  --game <id,...>     of Atoll (all four)
  --via <way,...>     how moves reach Atoll: http,socket
  --loop <kind,...>   closed, and open at 500 moves a second, for which pgbench is left out (closed,open)
  --only <peer,...>   of pgbench,memory,bare,postgres (all); bare: boardgame.io in memory, played by the lightest clients
  --matches <n>       matches in flight (50)
  --seconds <n>       how long to measure each (3)
  --warmup <n>        seconds before that (2)
`;

const PEERS = ['pgbench', 'memory', 'bare', 'postgres'];
/** The official clients take most of a core by themselves, so it is also measured with clients as light as ours. */
const BOARDGAMES = [
  { id: 'memory', name: IN_MEMORY, isStored: false, clients: 'official' },
  { id: 'bare', name: 'boardgame.io in memory, bare clients', isStored: false, clients: 'bare' },
  { id: 'postgres', name: 'boardgame.io on PostgreSQL', isStored: true, clients: 'official' },
];
const GAMES = registry.games.map(({ id }) => id);

/** Something to measure once per round: one process, which prints a line for each of its settings. */
interface Contender {
  name: string;
  measure(): Promise<Measured[]>;
}

interface Setting {
  rounds: number;
  games: string[];
  ways: string[];
  loops: string[];
  only: string[];
  matches: number;
  seconds: number;
  warmup: number;
}

/** Runs one of our programs in a separate process. Every line of its output is a measurement. */
async function linesOf(args: string[], env: Record<string, string> = {}): Promise<Line[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const patience = setTimeout(() => child.kill('SIGKILL'), 300_000);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  clearTimeout(patience);
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  if (code !== 0 || lines.length === 0) throw new Error(`${args[0]} ended with ${code}`);
  return lines.map((line) => JSON.parse(line) as Line);
}

function pgbenchOf({ only, loops, seconds, warmup }: Setting, cluster: Cluster): Contender[] {
  if (!only.includes('pgbench') || !loops.includes('closed')) return [];
  const pgbench = findPgbench();
  if ('missing' in pgbench) {
    console.error(pgbench.missing);
    return [];
  }
  const name = 'pgbench';
  return [
    {
      name,
      async measure() {
        const line = await benchPgbench(pgbench.command, await cluster.fresh('bare'), seconds, warmup);
        return [{ name, loop: 'closed', line }];
      },
    },
  ];
}

function boardgameOf({ only, loops, matches, seconds, warmup }: Setting, cluster: Cluster): Contender[] {
  const peers = BOARDGAMES.filter(({ id }) => only.includes(id));
  const boardgame = peers.length > 0 ? installBoardgame() : { missing: '' };
  if ('missing' in boardgame) {
    if (boardgame.missing) console.error(boardgame.missing);
    return [];
  }
  const common = {
    PEERS_PACKAGE: boardgame.packageJson,
    MATCHES: String(matches),
    SECONDS: String(seconds),
    WARMUP: String(warmup),
  };
  return peers.flatMap(({ name, isStored, clients }) =>
    loops.map((loop) => {
      const measure = async () => {
        const DATABASE_URL = isStored ? await cluster.fresh('boardgame') : '';
        const env = { ...common, DATABASE_URL, CLIENTS: clients, RATE: loop === 'open' ? '500' : '0' };
        const [line] = await linesOf(['tools/peers/boardgame.ts'], env);
        return line ? [{ name, loop, line }] : [];
      };
      return { name, measure };
    }),
  );
}

/** All games, ways and loops by one server: starting it anew for each would take longer than the measurements. */
function atollOf({ games, ways, loops, matches, seconds, warmup }: Setting, cluster: Cluster): Contender {
  const numbers = ['--matches', String(matches), '--seconds', String(seconds), '--warmup', String(warmup)];
  const what = ['--game', games.join(), '--via', ways.join(), '--loop', loops.join(), '--no-append'];
  return {
    name: 'Atoll',
    async measure() {
      const url = await cluster.fresh('atoll');
      const lines = await linesOf(['tools/bench/server.ts', ...what, ...numbers, '--database', url]);
      return lines.map((line) => ({ name: `Atoll, ${line.game} by ${line.via}`, loop: line.loop ?? '', line }));
    },
  };
}

async function compare(setting: Setting, cluster: Cluster): Promise<void> {
  const contenders = [
    ...pgbenchOf(setting, cluster),
    ...boardgameOf(setting, cluster),
    ...(setting.games.length > 0 ? [atollOf(setting, cluster)] : []),
  ];
  const rounds: Round[] = [];
  for (let n = 1; n <= setting.rounds; n++) {
    const round: Round = [];
    rounds.push(round);
    for (const { measure } of contenders) {
      for (const measured of await measure()) {
        round.push(measured);
        const { name, loop, line } = measured;
        console.log(JSON.stringify({ round: n, what: name, loop, ...line }));
      }
    }
  }
  for (const line of tablesOf(rounds)) console.log(line);
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
      game: { type: 'string', default: GAMES.join() },
      via: { type: 'string', default: 'http,socket' },
      loop: { type: 'string', default: 'closed,open' },
      only: { type: 'string', default: PEERS.join(',') },
      matches: { type: 'string', default: '50' },
      seconds: { type: 'string', default: '3' },
      warmup: { type: 'string', default: '2' },
    },
  });
  const setting: Setting = {
    rounds: wholeNumber('rounds', values.rounds, 1, 20),
    games: list('game', values.game, GAMES),
    ways: list('via', values.via, ['http', 'socket']),
    loops: list('loop', values.loop, ['closed', 'open']),
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
