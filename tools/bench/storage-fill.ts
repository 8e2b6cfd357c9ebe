/**
 * Writes many events at once, for measurements of storage: copies of real matches, stored as if they had been played.
 */
import type { Database } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { openStore } from '../../src/matches/log/store.ts';
import { finishedMatch, type Person } from './stored.ts';

export type Layout = 'one' | 'parts' | 'random';

/** Two years of play, which the partitions divide by months. */
export const MONTHS = 24;
const MONTH_MS = 30 * 86_400_000;
export const BEGIN = Date.now() - MONTHS * MONTH_MS;

/** The lowest id of a match that is opened at that time. */
export const leastId = (time: number): string => {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

const monthId = (month: number): string => leastId(BEGIN + month * MONTH_MS);

const PARTITIONED = `
ALTER TABLE archived_logs DROP CONSTRAINT archived_logs_match_id_fkey;
ALTER TABLE events RENAME TO plain;
CREATE TABLE events (LIKE plain INCLUDING DEFAULTS) PARTITION BY RANGE (match_id);
DROP TABLE plain;
ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (match_id, version);
CREATE UNIQUE INDEX events_match_id_player_id_action_id_key ON events (match_id, player_id, action_id);
CREATE INDEX events_of_seats_idx ON events (player_id) WHERE type IN ('JOINED', 'RESIGNED', 'TIMED_OUT');
ALTER TABLE events ADD FOREIGN KEY (match_id) REFERENCES matches (id);`;

/** Gives the tables this layout. They must be empty and as the migrations left them. */
export async function layOut({ pool }: Database, layout: Layout): Promise<void> {
  if (layout !== 'parts') {
    await pool.query('ALTER TABLE events SET (autovacuum_enabled = off)');
    return;
  }
  await pool.query(PARTITIONED);
  for (let month = 0; month <= MONTHS; month++) {
    const from = month === 0 ? 'MINVALUE' : `'${monthId(month)}'`;
    const to = month === MONTHS ? 'MAXVALUE' : `'${monthId(month + 1)}'`;
    await pool.query(
      `CREATE TABLE events_${month} PARTITION OF events FOR VALUES FROM (${from}) TO (${to}) WITH (autovacuum_enabled = off)`,
    );
  }
}

/** Adds real matches of every game, to be copied. Returns their total number of events. */
export async function addModels(database: Database, people: readonly Person[]): Promise<number> {
  const store = openStore(database);
  let events = 0;
  for (const { id } of registry.games) {
    const match = finishedMatch(id, people, fastRng(1));
    await store.create(match);
    events += match.version;
  }
  await database.pool.query(`
    CREATE UNLOGGED TABLE models AS SELECT m.*, row_number() OVER (ORDER BY id) - 1 AS model FROM matches m;
    CREATE UNLOGGED TABLE model_events AS
      SELECT e.*, model FROM events e JOIN models ON models.id = e.match_id ORDER BY model, version`);
  return events;
}

const ID = (layout: Layout) =>
  layout === 'random'
    ? 'gen_random_uuid()'
    : `(lpad(to_hex(($3::float8 + ($4::float8 - $3) * (n - $1) / ($2::int - $1 + 1))::bigint), 12, '0') || '7'
        || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;

const MATCH_COLUMNS = `game, rules, options, visibility, server_seed, draws, created_at, clock, takeover, reserved, version, status,
  acting, result, started_at, ended_at`;
const EVENT_COLUMNS = `version, type, seat, action, entropy, label, targets, effects, secret, epoch, drew, acting, state_hash, hash, at`;

/** How many matches are played at a time. Their events are interleaved, as when people play for days. */
const AT_A_TIME = 1000;

/**
 * Makes `matches` copies of the models, opened evenly between two times. Events are ordered by time, so that those of
 * one match are far apart on disk.
 */
export async function fill(
  { pool }: Database,
  layout: Layout,
  matches: number,
  [from, to]: readonly [number, number],
  progress: (done: number) => Promise<void> = async () => {},
): Promise<void> {
  const client = await pool.connect();
  try {
    // Bulk loading: references are known to be valid, and what a crash would lose can be made again.
    await client.query("SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '256MB'");
    const span = to - from;
    for (let done = 0; done < matches; done += AT_A_TIME) {
      const count = Math.min(AT_A_TIME, matches - done);
      const times = [from + (span * done) / matches, from + (span * (done + count)) / matches];
      await client.query('DROP TABLE IF EXISTS copies');
      await client.query(
        `CREATE TEMP TABLE copies AS SELECT n % 4 AS model, ${ID(layout)} AS id, gen_random_uuid() AS one, gen_random_uuid() AS other
           FROM generate_series($1::int, $2::int) n${layout === 'random' ? ' WHERE $3::float8 < $4::float8' : ''}`,
        [done, done + count - 1, ...times],
      );
      await client.query(
        `INSERT INTO matches (id, creator_id, seats, ${MATCH_COLUMNS})
         SELECT copies.id, one, ARRAY[one, other], ${MATCH_COLUMNS} FROM copies JOIN models USING (model)`,
      );
      await client.query(
        `INSERT INTO events (match_id, player_id, action_id, ${EVENT_COLUMNS})
         SELECT copies.id, CASE seat WHEN 0 THEN one WHEN 1 THEN other END,
                CASE WHEN type = 'ACTED' THEN gen_random_uuid()::text END, ${EVENT_COLUMNS}
           FROM copies JOIN model_events USING (model) ORDER BY version, copies.id`,
      );
      await progress(done + count);
    }
    await client.query('RESET ALL');
  } finally {
    client.release();
  }
}
