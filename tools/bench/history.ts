import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { newId } from '../../src/id.ts';
import { Log } from '../../src/matches/log/events.ts';
import type { LoggedEvent, Match } from '../../src/matches/log/records.ts';
import { openStore } from '../../src/matches/log/store.ts';
import { run, wholeNumber } from '../cli.ts';
import { playedMatch } from '../record-matches.ts';
import { freePort, latencies, startServer } from './process.ts';

const HELP = `
Measures time travel from outside: GET /v1/matches/:id/view?at=n for random versions of long matches, over real HTTP.
Cold means that the server remembers nothing of the match: it reads the whole log and replays it.
Prints JSON lines, one for each game. Needs npm run build.

  npm run bench:history -- [options]

  --game <id>      only this game
  --events <n>     how long a match must be at least (1000)
  --requests <n>   how many requests, half of them cold (400)
`;

/**
 * How many matches are requested in turn. The server remembers only one, so it has forgotten each when it is requested.
 */
const MATCHES = 5;

/** A match of at least that many events, or the longest that comes up. Players who take back a lot make a game long. */
function longMatch(game: string, events: number, seed: number): Match {
  const rules = registry.game(game);
  const options = Object.values(rules.variants)[0] as object;
  const found: Match[] = [];
  for (let tries = 0; tries < 10 && (found.at(-1)?.version ?? 0) < events; tries++) {
    found.push(playedMatch(rules, options, rules.seats.max, fastRng(seed * 1000 + tries), tries < 2 ? 20 : 2));
  }
  return found.reduce((a, b) => (b.version > a.version ? b : a));
}

/** Replaces the ids by ones that the database accepts for players. */
function withPlayers(match: Match): Match {
  const ids = match.seats.map(() => newId());
  const idOf = (name: string | null) => (name === null ? null : (ids[Number(name.split(' ')[1])] as string));
  const events = match.events.map((event): LoggedEvent => ({ ...event, playerId: idOf(event.playerId) }));
  return { ...match, creatorId: ids[0] as string, seats: ids, events: Log.of(events) };
}

async function ask(port: number, id: string, at: number): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/v1/matches/${id}/view?at=${at}`);
  await answer.text();
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return performance.now() - start;
}

async function measure(port: number, matches: Match[], requests: number) {
  const rng = fastRng(1);
  const cold: number[] = [];
  const warm: number[] = [];
  for (let i = 0; i < requests / 2; i++) {
    const match = matches[i % matches.length] as Match;
    const at = () => match.seatCount + 1 + rng.int(match.version - match.seatCount - 1);
    cold.push(await ask(port, match.id, at()));
    warm.push(await ask(port, match.id, at()));
  }
  const { game, seatCount: seats } = matches[0] as Match;
  return {
    bench: 'history',
    game,
    seats,
    events: matches.map(({ version }) => version),
    coldMs: latencies(cold),
    warmMs: latencies(warm),
  };
}

await run(HELP, async () => {
  const { values } = parseArgs({
    options: {
      game: { type: 'string' },
      events: { type: 'string', default: '1000' },
      requests: { type: 'string', default: '400' },
    },
  });
  const games = values.game === undefined ? registry.games.map(({ id }) => id) : [registry.game(values.game).id];
  const events = wholeNumber('events', values.events, 10, 10_000);
  const requests = wholeNumber('requests', values.requests, 2, 100_000);
  const dir = resolve('.data', `bench-${process.pid}`);
  const postgres = await startLocalPostgres(join(dir, 'pg'));
  const url = postgres.url('postgres');
  await migrate(url);
  const database = openDatabase({ url, poolSize: 4 });
  const store = openStore(database);
  let server: ChildProcess | undefined;
  try {
    const port = await freePort();
    server = await startServer(port, url, { MEMO_MATCHES: '1' });
    for (const game of games) {
      const stored = Array.from({ length: MATCHES }, (_, i) => withPlayers(longMatch(game, events, i)));
      for (const match of stored) await store.create(match);
      console.log(JSON.stringify(await measure(port, stored, requests)));
    }
  } finally {
    server?.kill('SIGTERM');
    await database.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
