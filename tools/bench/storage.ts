import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type LocalPostgres, startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { fastRng } from '../../src/games/rng.ts';
import { newId } from '../../src/id.ts';
import { acted } from '../../src/matches/commands/act.ts';
import type { Summary } from '../../src/matches/log/records.ts';
import { openStore } from '../../src/matches/log/store.ts';
import { progress, run, UsageError } from '../cli.ts';
import { addModels, BEGIN, fill, type Layout, layOut, leastId, MONTHS } from './storage-fill.ts';
import { type Person, runningMatch } from './stored.ts';

const HELP = `
Measures how the tables of matches behave as they grow, on a PostgreSQL of its own that goes with it:

  size       of the log and of each index
  vacuum     as autovacuum would come while the log grows, by the settings of our migrations or by PostgreSQL's own: how
             often, how long, and how many pages it reads; then one against wraparound, and one after 100,000 more events
  append     one event to a running match, by the server's own statement; and reading the log of any match
  backup     copying one month out (what pg_dump sends), and how many files of the log have changed since the last backup
  archive    deleting the oldest tenth, the vacuum after it, and whether new events take the room

Layouts: one (as the migrations make it), parts (partitioned by the month in which a match was opened: a range of its id),
random (ids without time in them; only loading and sizes). Prints JSON lines and a table at the end.
Needs 700 bytes of disk for each event, and about 3 minutes for 10 million.

  npm run bench:storage -- [options]

  --events <n,...>     how many (1e6,1e7), up to 2e8 each
  --layout <name,...>  one, parts, random (one)
  --vacuum <whose>     ours, or default: the settings by which vacuum comes (ours)
`;

const LAYOUTS: readonly Layout[] = ['one', 'parts', 'random'];
const MORE = 100_000;
const SAMPLES = 300;
const BYTES = 700;

interface World {
  database: Database;
  layout: Layout;
  dir: string;
  /** The average number of events of a match. */
  eventsOfMatch: number;
  people: Person[];
  vacuums: Vacuums;
}

/** Whose settings decide about vacuum: after how many events it runs, and with which options. */
type Vacuums = keyof typeof VACUUMS;
const VACUUMS = {
  ours: { after: 100_000, share: 0.01, settings: 'SET vacuum_freeze_min_age = 0' },
  default: { after: 1000, share: 0.2, settings: '' },
};

type Line = Record<string, string | number>;

const round = (n: number, digits = 2) => Math.round(n * 10 ** digits) / 10 ** digits;
const mb = (bytes: unknown) => round(Number(bytes) / 1e6, 1);

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return round((performance.now() - start) / 1000, 2);
}

function spread(values: number[]): { p50Ms: number; p99Ms: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

const ALL_SIZES = `
SELECT regexp_replace(c.relname, '^events(_\\d+)', 'events') AS name, c.relkind AS kind, sum(pg_relation_size(c.oid)) AS bytes
  FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
  JOIN pg_class t ON t.oid = coalesce(i.indrelid, c.oid)
 WHERE t.relname ~ '^events(_\\d+)?$' AND c.relkind IN ('r', 'i') GROUP BY 1, 2 ORDER BY 2 DESC, 1`;

async function sizes({ database }: World): Promise<Line> {
  const { rows } = await database.pool.query<{ name: string; kind: string; bytes: string }>(ALL_SIZES);
  const { rows: more } = await database.pool.query<{ matches: string }>(
    `SELECT pg_total_relation_size('matches') AS matches`,
  );
  return Object.fromEntries([
    ...rows.map(({ name, kind, bytes }) => [kind === 'r' ? 'logMb' : `${name}Mb`, mb(bytes)]),
    ['matchesMb', mb(more[0]?.matches)],
  ]);
}

/** Time and pages of one VACUUM. `settings` are those that autovacuum would take from the table. */
async function vacuum({ database }: World, how: string, settings = ''): Promise<Line> {
  const client = await database.pool.connect();
  let scanned = 0;
  let indexScans = 0;
  const listen = ({ message = '' }: { message?: string | undefined }) => {
    if (!/finished vacuuming "[^"]*\.events(_\d+)?"/.test(message)) return;
    scanned += Number(/(\d+) scanned/.exec(message)?.[1] ?? 0);
    indexScans += Number(/index scans: (\d+)/.exec(message)?.[1] ?? 0);
  };
  client.on('notice', listen);
  try {
    if (settings) await client.query(settings);
    const took = await seconds(() => client.query(`VACUUM (VERBOSE${how}) events`));
    await client.query('RESET ALL');
    const { rows } = await client.query<{ pages: number; visible: number; frozen: number }>(
      `SELECT sum(relpages)::int AS pages, sum(relallvisible)::int AS visible, sum(relallfrozen)::int AS frozen
         FROM pg_class WHERE relname ~ '^events(_\\d+)?$' AND relkind = 'r'`,
    );
    const { pages, visible, frozen } = rows[0] as { pages: number; visible: number; frozen: number };
    return { seconds: took, scanned, pages, visible, frozen, indexScans };
  } finally {
    client.removeListener('notice', listen);
    client.release();
  }
}

async function benchAppend({ database, people }: World): Promise<Line> {
  const store = openStore(database);
  const took: number[] = [];
  for (let i = 0; took.length < SAMPLES; i++) {
    const { match, script } = runningMatch(people, 10, 20, fastRng(i));
    await store.create(match);
    let now = match;
    for (const { seat, action } of script) {
      const next = acted(now, seat, now.seats[seat] ?? null, action, newId(), new Date());
      const start = performance.now();
      await store.append({ expected: now.version, match: next });
      took.push(performance.now() - start);
      now = next;
    }
  }
  return spread(took.slice(20));
}

async function benchRead({ database }: World, from: number): Promise<Line> {
  const store = openStore(database);
  const took: number[] = [];
  const random = fastRng(7);
  for (let i = 0; i < SAMPLES; i++) {
    const near = leastId(from + ((Date.now() - from) * random.int(1e6)) / 1e6);
    const { rows } = await database.pool.query<{ id: string }>(
      'SELECT id FROM matches WHERE id >= $1 ORDER BY id LIMIT 1',
      [near],
    );
    const start = performance.now();
    await store.whole((await store.row((rows[0] as { id: string }).id)) as Summary);
    took.push(performance.now() - start);
  }
  return spread(took);
}

/** Copies one month in the middle as text, and discards it. */
async function benchCopy({ database, layout }: World): Promise<Line> {
  const month = 12;
  const at = (n: number) => leastId(BEGIN + n * ((Date.now() - BEGIN) / MONTHS));
  const source = layout === 'parts' ? `SELECT * FROM events_${month}` : rangeOf(at(month), at(month + 1));
  const { rows } = await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM (${source}) t`);
  const took = await seconds(() => database.pool.query(`COPY (${source}) TO '/dev/null'`));
  const events = rows[0]?.n ?? 0;
  return { seconds: took, events, perMillionSeconds: round((took / events) * 1e6) };
}

const rangeOf = (from: string, to: string) => `SELECT * FROM events WHERE match_id >= '${from}' AND match_id < '${to}'`;

/** The files of the log, a gigabyte each, with the time at which each was last written. */
async function segments({ database, dir }: World): Promise<Map<string, number>> {
  await database.pool.query('CHECKPOINT');
  const { rows } = await database.pool.query<{ path: string }>(
    `SELECT pg_relation_filepath(oid) AS path FROM pg_class WHERE relname ~ '^events(_\\d+)?$' AND relkind = 'r'`,
  );
  const files = new Map<string, number>();
  for (const { path } of rows) {
    const folder = join(dir, dirname(path));
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const file of readdirSync(folder)) {
      if (file === name || file.startsWith(`${name}.`)) files.set(file, statSync(join(folder, file)).mtimeMs);
    }
  }
  return files;
}

/** Deletes the oldest tenth, a thousand matches at a time, as `atoll archive` deletes them one by one. */
async function benchArchive(world: World, matches: number): Promise<Line[]> {
  const { pool } = world.database;
  const before = await sizes(world);
  const gone = Math.floor(matches / 10);
  const deleting = await seconds(async () => {
    for (let done = 0; done < gone; done += 1000) {
      await pool.query(
        `WITH old AS (SELECT id, version FROM matches m WHERE NOT EXISTS (SELECT FROM archived_logs WHERE match_id = m.id)
                       ORDER BY id LIMIT $1),
              noted AS (INSERT INTO archived_logs (match_id, file, digest, bytes, version, hash)
                        SELECT id, '', '', 0, version, '' FROM old RETURNING match_id)
         SELECT count(*) FROM noted`,
        [Math.min(1000, gone - done)],
      );
      await pool.query(
        `DELETE FROM events WHERE match_id IN (SELECT match_id FROM archived_logs ORDER BY match_id DESC LIMIT $1)`,
        [Math.min(1000, gone - done)],
      );
    }
  });
  const after = await vacuum(world, '');
  await fill(world.database, world.layout, gone, [Date.now() - 60_000, Date.now()]);
  const grown = await sizes(world);
  return [
    { what: 'archive: deleting', matches: gone, seconds: deleting },
    { what: 'archive: vacuum after it', ...after },
    { what: 'archive: as many new ones', logMbBefore: before.logMb as number, logMbAfter: grown.logMb as number },
  ];
}

/** Loads the log, and vacuums whenever autovacuum would. */
async function load(world: World, matches: number): Promise<Line[]> {
  const { database, layout, eventsOfMatch, vacuums } = world;
  const { after, share, settings } = VACUUMS[vacuums];
  const show = progress();
  const vacuumed = { times: 0, seconds: 0, scanned: 0, slowestSeconds: 0, pages: 0, frozen: 0 };
  let clean = 0;
  const took = await seconds(() =>
    fill(database, layout, matches, [BEGIN, Date.now() - 120_000], async (done) => {
      show(`${layout}: ${done} of ${matches} matches`, done === matches);
      const events = done * eventsOfMatch;
      if (layout === 'random' || events - clean < after + share * clean) return;
      clean = events;
      const { seconds: spent, scanned, pages, frozen } = (await vacuum(world, '', settings)) as Record<string, number>;
      vacuumed.times++;
      vacuumed.seconds = round(vacuumed.seconds + (spent as number));
      vacuumed.scanned += scanned as number;
      vacuumed.slowestSeconds = Math.max(vacuumed.slowestSeconds, spent as number);
      Object.assign(vacuumed, { pages, frozen });
    }),
  );
  await database.pool.query('ANALYZE matches, events');
  const loading = round(took - vacuumed.seconds);
  const eventsPerSecond = Math.round((matches * eventsOfMatch) / loading);
  return [
    { what: 'load', matches, seconds: loading, eventsPerSecond },
    { what: 'vacuums while loading', ...vacuumed, readsOfAPage: round(vacuumed.scanned / vacuumed.pages) },
  ];
}

async function measure(world: World, target: number, say: (line: Line) => void): Promise<void> {
  const { database, layout, eventsOfMatch } = world;
  const matches = Math.ceil(target / eventsOfMatch);
  const { settings } = VACUUMS[world.vacuums];
  for (const line of await load(world, matches)) say(line);
  say({ what: 'size', ...(await sizes(world)) });
  if (layout === 'random') return;
  say({ what: 'vacuum against wraparound', ...(await vacuum(world, ', FREEZE')) });
  const before = await segments(world);
  await fill(database, layout, Math.ceil(MORE / eventsOfMatch), [Date.now() - 120_000, Date.now() - 60_000]);
  say({ what: `vacuum after ${MORE} more`, ...(await vacuum(world, '', settings)) });
  const files = await segments(world);
  const changed = [...files].filter(([name, at]) => before.get(name) !== at).length;
  say({ what: 'backup: files changed by them', changed, files: files.size });
  say({ what: 'backup: a month copied', ...(await benchCopy(world)) });
  say({ what: 'append', ...(await benchAppend(world)) });
  say({ what: 'read a match', ...(await benchRead(world, BEGIN)) });
  if (layout === 'one') for (const line of await benchArchive(world, matches)) say(line);
}

async function withWorld(
  postgres: LocalPostgres,
  layout: Layout,
  vacuums: Vacuums,
  name: string,
  use: (world: World) => Promise<void>,
): Promise<void> {
  await postgres.createDatabase(name);
  const url = postgres.url(name);
  await migrate(url);
  const database = openDatabase({ url, poolSize: 3, patient: true });
  try {
    await layOut(database, layout);
    const people = ['one', 'two'].map((one): Person => ({ id: newId(), name: one, kind: 'HUMAN', tag: null }));
    const events = await addModels(database, people);
    await use({ database, layout, dir: postgres.dir, eventsOfMatch: events / 4, people, vacuums });
  } finally {
    await database.close();
  }
}

function table(lines: readonly Line[]): void {
  const columns = [...new Set(lines.map(({ stored, layout }) => `${layout}, ${stored}`))];
  const whats = [...new Set(lines.map(({ what }) => String(what)))];
  console.log(`\n| what | ${columns.join(' | ')} |\n|---|${columns.map(() => '---|').join('')}`);
  for (const what of whats) {
    const cells = columns.map((column) =>
      lines
        .filter((line) => line.what === what && `${line.layout}, ${line.stored}` === column)
        .map(({ what: _what, stored: _stored, layout: _layout, ...rest }) =>
          Object.entries(rest)
            .map(([key, value]) => `${key} ${value}`)
            .join(', '),
        )
        .join('; '),
    );
    console.log(`| ${what} | ${cells.join(' | ')} |`);
  }
}

const listed = (text: string): string[] => text.split(',').map((one) => one.trim());

await run(HELP, async () => {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '1e6,1e7' },
      layout: { type: 'string', default: 'one' },
      vacuum: { type: 'string', default: 'ours' },
    },
  });
  const counts = listed(values.events).map(Number);
  const layouts = listed(values.layout) as Layout[];
  if (counts.some((n) => !(n >= 1e5 && n <= 2e8))) throw new UsageError('--events takes numbers from 1e5 to 2e8');
  if (layouts.some((one) => !LAYOUTS.includes(one)))
    throw new UsageError(`--layout takes a list of ${LAYOUTS.join(', ')}`);
  const { vacuum: vacuums } = values;
  if (vacuums !== 'ours' && vacuums !== 'default') throw new UsageError('--vacuum takes ours or default');
  const dir = resolve('.data', `bench-${process.pid}`);
  const postgres = await startLocalPostgres(join(dir, 'pg'));
  const lines: Line[] = [];
  try {
    const { bavail, bsize } = statfsSync(postgres.dir);
    const needed = Math.max(...counts) * BYTES;
    if (bavail * bsize < needed) throw new UsageError(`This needs ${mb(needed)} MB of disk: name fewer events`);
    for (const layout of layouts) {
      for (const [i, events] of counts.entries()) {
        const name = `${layout}_${i}`;
        await withWorld(postgres, layout, vacuums, name, (world) =>
          measure(world, events, (line) => {
            const whole = { storage: layout, stored: events, ...line };
            console.log(JSON.stringify(whole));
            lines.push({ layout, stored: events, ...line });
          }),
        );
        await drop(postgres, name);
      }
    }
    table(lines);
  } finally {
    await postgres.stop();
    rmSync(postgres.dir, { recursive: true, force: true });
    rmSync(dir, { recursive: true, force: true });
  }
});

async function drop(postgres: LocalPostgres, name: string): Promise<void> {
  const admin = openDatabase({ url: postgres.url('postgres'), poolSize: 1, patient: true });
  try {
    await admin.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  } finally {
    await admin.close();
  }
}
