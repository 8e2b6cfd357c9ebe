/** The same append with the same kind of rows, without anything around it: the upper limit of the server. */
import type { Database } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { newId } from '../../src/id.ts';
import { newRow } from '../../src/matches/commands/seating.ts';
import { type Append, appending } from '../../src/matches/log/append.ts';
import { compose, emptyMatch } from '../../src/matches/log/match.ts';
import type { Match } from '../../src/matches/log/records.ts';
import { openStore } from '../../src/matches/log/store.ts';
import { latencies } from './process.ts';

/** As long as a typical action. It is JOINED, because that needs no state. */
const DRAFT = {
  type: 'JOINED',
  seat: 0,
  action: { type: 'place', tile: '2-1-0-1', row: 3, col: 4, turn: 1 },
  label: 'place 2-1-0-1 at (3,4), double side east',
  stateHash: 'ab'.repeat(32),
} as const;

function bareMatch(): Match {
  const rules = registry.game('cacao');
  const row = { game: rules.id, rules: rules.rules, options: {}, seatCount: 2, visibility: 'PUBLIC' } as const;
  return emptyMatch(rules, newRow(newId(), new Date(), row));
}

/** Sends each append in a statement of its own, or merges those that come together. */
export async function benchAppend(database: Database, concurrency: number, seconds: number, merged: boolean) {
  const store = openStore(database);
  const appendAll = appending();
  const alone = async (one: Append) => (await appendAll(database.pool, [one])).moved.has(one.match.id);
  const append = merged ? store.append : alone;
  const took: number[] = [];
  const fresh = Array.from({ length: concurrency }, bareMatch);
  for (const match of fresh) await store.create(match);
  const start = performance.now();
  const until = start + seconds * 1000;
  const writers = fresh.map(async (first) => {
    for (let match = first; performance.now() < until; ) {
      const next = compose(match, DRAFT, null, new Date());
      const sent = performance.now();
      if (!(await append({ expected: match.version, match: next }))) throw new Error('a race was lost that nobody ran');
      took.push(performance.now() - sent);
      match = next;
    }
  });
  await Promise.all(writers);
  const movesPerSecond = Math.round((took.length * 1000) / (performance.now() - start));
  return {
    bench: merged ? 'append, merged' : 'append, plain pg',
    matches: concurrency,
    movesPerSecond,
    ms: latencies(took),
  };
}
