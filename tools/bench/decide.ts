import { Session } from 'node:inspector/promises';
import { parseArgs } from 'node:util';
import type { Game, Seat } from '../../src/games/game.ts';
import { acting, lookUp, optionsFor } from '../../src/games/play.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { seatOf } from '../../src/matches/commands/access.ts';
import { acted, earlierEvent, isCurrent } from '../../src/matches/commands/act.ts';
import { followed } from '../../src/matches/commands/orders.ts';
import { joined, newRow } from '../../src/matches/commands/seating.ts';
import { emptyMatch } from '../../src/matches/log/match.ts';
import type { Match } from '../../src/matches/log/records.ts';
import type { Player } from '../../src/players/player.ts';
import { run, wholeNumber } from '../cli.ts';
import { seedBytes } from '../random-match.ts';

const HELP = `
Measures what it costs to decide an action, without database and network: look it up, play it, label it, hash it and fold
it into the match. Random matches of two seats are recorded and then decided again and again.
Prints one JSON line per game: processor time of the whole process in microseconds (the least, the median) and bytes
allocated, each for one action.

  npm run bench:decide -- [options]

  --game <id>      only this game
  --matches <n>    how many matches of each game (20)
  --rounds <n>     how often all of them are decided (20)
`;

const PLAYERS = ['a', 'b'].map((letter) => ({ id: `0197a000-0000-7000-8000-00000000000${letter}` }) as Player);
const MOST_ACTIONS = 300;

interface Sent {
  player: Player;
  actionId: string;
  action: unknown;
}

/** A match that has just begun; the same for the same seed. */
function opened(game: Game, seed: number): Match {
  const now = new Date();
  const row = newRow((PLAYERS[0] as Player).id, now, {
    game: game.id,
    rules: game.rules,
    options: optionsFor(game, {}),
    seatCount: PLAYERS.length,
    visibility: 'PUBLIC',
    serverSeed: seedBytes(seed),
  });
  return PLAYERS.reduce((match, player, seat) => joined(match, player, seat, null, now), emptyMatch(game, row));
}

/** Steps 2 to 4 of a submission. */
function decided(match: Match, { player, actionId, action }: Sent): Match {
  const seat = seatOf(match, player) as Seat;
  if (earlierEvent(match, player, actionId, action) || !isCurrent(match, seat, match.version)) throw new Error('stale');
  const now = new Date();
  const listed = lookUp(match.engine, match.state as object, seat, action);
  return followed(acted(match, seat, player.id, listed, actionId, now), now);
}

/** What the players of a random match send, as it comes out of JSON. */
function recorded(game: Game, seed: number): Sent[] {
  const chance = fastRng(seed);
  const all: Sent[] = [];
  let match = opened(game, seed);
  while (match.status === 'ACTIVE' && all.length < MOST_ACTIONS) {
    const state = match.state as object;
    const seat = chance.pick(acting(game, state, PLAYERS.length));
    const action: unknown = JSON.parse(JSON.stringify(chance.pick(game.legal(state, seat))));
    const sent = { player: PLAYERS[seat] as Player, actionId: `move ${match.version}`, action };
    all.push(sent);
    match = decided(match, sent);
  }
  return all;
}

interface Load {
  game: Game;
  matches: Sent[][];
  actions: number;
  microseconds: number[];
}

function loadOf(game: Game, count: number): Load {
  const matches = Array.from({ length: count }, (_, i) => recorded(game, i + 1));
  return { game, matches, actions: matches.flat().length, microseconds: [] };
}

function decideAll({ game, matches }: Load): void {
  matches.forEach((all, i) => {
    all.reduce(decided, opened(game, i + 1));
  });
}

function time(load: Load): void {
  const before = process.cpuUsage();
  decideAll(load);
  const { user, system } = process.cpuUsage(before);
  load.microseconds.push((user + system) / load.actions);
}

interface HeapNode {
  selfSize: number;
  children: HeapNode[];
}

const sizeOf = ({ selfSize, children }: HeapNode): number =>
  children.reduce((sum, child) => sum + sizeOf(child), selfSize);

async function bytesOf(load: Load, session: Session): Promise<number> {
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 4096,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  decideAll(load);
  const { profile } = await session.post('HeapProfiler.stopSampling');
  return sizeOf(profile.head) / load.actions;
}

await run(HELP, async () => {
  const { values } = parseArgs({
    options: {
      game: { type: 'string' },
      matches: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '20' },
    },
  });
  const [matches, rounds] = [
    wholeNumber('matches', values.matches, 1, 1000),
    wholeNumber('rounds', values.rounds, 1, 1000),
  ];
  const games = values.game === undefined ? registry.games : [registry.game(values.game)];
  // All games are played before any is measured, as on a server, so that V8 has seen all their kinds of objects.
  const loads = games.map((game) => loadOf(game, matches));
  for (let round = 0; round < 5; round++) loads.forEach(decideAll);
  for (let round = 0; round < rounds; round++) loads.forEach(time);
  const session = new Session();
  session.connect();
  for (const load of loads) {
    const sorted = load.microseconds.toSorted((a, b) => a - b);
    const [least, median] = [sorted[0] as number, sorted[sorted.length >> 1] as number];
    console.log(
      JSON.stringify({
        game: load.game.id,
        actions: load.actions,
        microseconds: { least: Number(least.toFixed(1)), median: Number(median.toFixed(1)) },
        bytes: Math.round(await bytesOf(load, session)),
      }),
    );
  }
});
