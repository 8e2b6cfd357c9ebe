/** Matches that are in the database beforehand, for measurements of growth. */
import type { Database } from '../../src/database/pool.ts';
import type { Game, Rng } from '../../src/games/game.ts';
import { registry } from '../../src/games/registry.ts';
import { acted } from '../../src/matches/commands/act.ts';
import { ordered } from '../../src/matches/commands/orders.ts';
import { joined, openingOf } from '../../src/matches/commands/seating.ts';
import type { Match } from '../../src/matches/log/records.ts';
import type { Script } from './tables.ts';

export interface Person {
  id: string;
  name: string;
  kind: 'HUMAN';
  tag: null;
}

function opened(game: string, people: readonly Person[]): Match {
  const [first, ...others] = people as [Person, ...Person[]];
  let match = openingOf(registry, first, { game, seats: people.length }, new Date());
  for (const person of others) match = joined(match, person, null, null, new Date());
  return match;
}

function randomAction(match: Match, rng: Rng): { seat: number; action: object; next: Match } {
  const seat = rng.pick(match.acting);
  const action = rng.pick((match.engine as Game).legal(match.state as object, seat));
  return { seat, action, next: acted(match, seat, match.seats[seat] ?? null, action, null, new Date()) };
}

export function finishedMatch(game: string, people: readonly Person[], rng: Rng): Match {
  let match = opened(game, people);
  while (!match.endedAt) match = randomAction(match, rng).next;
  return match;
}

/**
 * A running match of Cacao with that many events, because its players change standing orders, and the actions to come.
 */
export function runningMatch(people: readonly Person[], events: number, actions: number, rng: Rng) {
  let match = opened('cacao', people);
  while (match.version < events) {
    const seat = match.version % people.length;
    match = ordered(match, seat, match.seats[seat] as string, { work: 'ask' }, new Date());
  }
  const script: Script = [];
  for (let now = match; script.length < actions && !now.endedAt; ) {
    const { seat, action, next } = randomAction(now, rng);
    script.push({ seat, action });
    now = next;
  }
  return { match, script };
}

/** Ids like those of the server, a second apart in the past, so that lists have an order. */
const NEW_ID = `(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - n * 1000), 12, '0') || '7'
  || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;

async function columnsOf(database: Database, table: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  return rows.map(({ name }) => `"${name}"`);
}

const instead = (columns: string[], other: Record<string, string>, from: string) =>
  columns.map((column) => other[column.slice(1, -1)] ?? `${from}.${column}`).join(', ');

/** Of a hundred copies two are open, eight are being played and the others are over. */
const STATUS = `CASE WHEN n % 100 < 2 THEN 'OPEN' WHEN n % 100 < 10 THEN 'ACTIVE' ELSE 'FINISHED' END::"MatchStatus"`;
const NOBODY = "'00000000-0000-0000-0000-000000000000'::uuid";

/** Copies of a match that was just started, between strangers, numbered from one number to another. */
export async function copyMatches(database: Database, model: string, from: number, to: number): Promise<void> {
  const [matches, events] = [await columnsOf(database, 'matches'), await columnsOf(database, 'events')];
  const client = await database.pool.connect();
  try {
    await client.query('DROP TABLE IF EXISTS copies');
    await client.query(
      `CREATE TEMP TABLE copies AS SELECT n, ${NEW_ID} AS id, gen_random_uuid() AS one, gen_random_uuid() AS other
       FROM generate_series($1::int, $2::int) n`,
      [from, to],
    );
    const copied = {
      id: 'copies.id',
      status: STATUS,
      creator_id: 'one',
      seats: `ARRAY[one, CASE WHEN n % 100 < 2 THEN ${NOBODY} ELSE other END]`,
      acting: `CASE WHEN n % 100 BETWEEN 2 AND 9 THEN '{0}'::int[] ELSE '{}' END`,
      ended_at: 'CASE WHEN n % 100 >= 10 THEN now() END',
      rematch_of: 'NULL',
    };
    await client.query(
      `INSERT INTO matches (${matches}) SELECT ${instead(matches, copied, 'm')} FROM copies, matches m WHERE m.id = $1`,
      [model],
    );
    await client.query(
      `INSERT INTO events (${events}) SELECT ${instead(events, { match_id: 'copies.id', action_id: 'NULL' }, 'e')}
       FROM copies, events e WHERE e.match_id = $1`,
      [model],
    );
    await client.query('VACUUM (ANALYZE) matches');
    await client.query('VACUUM (ANALYZE) events');
    await client.query('CHECKPOINT');
  } finally {
    client.release();
  }
}

/** The size of both tables with their indexes. */
export async function bytesOnDisk(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ bytes: string }>(
    `SELECT pg_total_relation_size('matches') + pg_total_relation_size('events') AS bytes`,
  );
  return Number(rows[0]?.bytes);
}
