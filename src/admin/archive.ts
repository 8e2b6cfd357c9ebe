/** `atoll archive` and `atoll bring-back`: move the logs of ended matches to cold storage, and back. */
import { parseArgs } from 'node:util';
import { type ColdStorage, openColdStorage } from '../database/cold-storage.ts';
import type { Database } from '../database/pool.ts';
import { registry } from '../games/registry.ts';
import { archive, bringBack } from '../matches/archive/archiving.ts';
import { openTheirs } from './cli.ts';

const HELP = `
atoll archive --older-than <age>   moves the logs of matches that ended so long ago to cold storage, while servers run
atoll bring-back <match> …         puts the logs of these matches into the database again; their files stay
atoll bring-back --all             all of them, for example before the cold storage is given up

  --older-than <age>   such as 180d (days), 12h (hours) or 2y (years)
  --dry-run            only says how many matches and events it would be
  --limit <n>          no more matches than this
  --cold <url>         where, such as file:///mnt/atoll; without it COLD_STORAGE. The directory must be there
  --database <url>     the database; without it DATABASE_URL, or the embedded one under DATA_DIR

Each match is proven, written as one compressed file, read back and proven again; only then one transaction records where
it lies and deletes its events. It can be stopped or killed at any moment, and run again. Results, lists and profiles do
not need the files; whoever looks at such a match gets it from there, so servers need COLD_STORAGE, too. The files are
part of your data: keep a copy of them beside the backups of the database.

Exits with 0 if it was done, 1 if matches had to be left where they are, 2 if it was called incorrectly.`;

class UsageError extends Error {}

const HOURS: Record<string, number> = { h: 1, d: 24, y: 24 * 365 };

function hoursOf(text: string | undefined): number {
  const [, count, unit = ''] = /^(\d{1,6})([hdy])$/.exec(text ?? '') ?? [];
  if (count === undefined) throw new UsageError('--older-than takes an age such as 180d, 12h or 2y');
  return Number(count) * (HOURS[unit] as number);
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new UsageError('--limit takes a number from 1 on');
  return Number(text);
}

const OVER = `
  FROM matches m
 WHERE m.status IN ('FINISHED', 'CANCELLED') AND m.version > 0 AND m.ended_at <= now() - $1 * interval '1 hour'
   AND NOT EXISTS (SELECT FROM archived_logs a WHERE a.match_id = m.id)`;

const PAGE = 200;

async function* oldMatches({ pool }: Database, hours: number, limit: number): AsyncGenerator<string> {
  let left = limit;
  for (let last = '00000000-0000-0000-0000-000000000000'; left > 0; ) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT m.id ${OVER} AND m.id > $2 ORDER BY m.id LIMIT ${Math.min(PAGE, left)}`,
      [hours, last],
    );
    for (const { id } of rows) yield id;
    left -= rows.length;
    if (rows.length === 0) return;
    last = (rows.at(-1) as { id: string }).id;
  }
}

async function* archivedMatches({ pool }: Database): AsyncGenerator<string> {
  const { rows } = await pool.query<{ id: string }>('SELECT match_id AS id FROM archived_logs ORDER BY match_id');
  for (const { id } of rows) yield id;
}

/** A line that overwrites itself on a terminal, and is printed every ten seconds elsewhere. */
function progress(): (line: string) => void {
  let shown = performance.now();
  return (line) => {
    const now = performance.now();
    if (now - shown < (process.stderr.isTTY ? 100 : 10_000)) return;
    shown = now;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
}

const messageOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
};

async function archiveAll(database: Database, cold: ColdStorage, hours: number, limit: number): Promise<number> {
  const show = progress();
  const done = { matches: 0, events: 0, bytes: 0 };
  let left = 0;
  for await (const id of oldMatches(database, hours, limit)) {
    try {
      const archived = await archive({ database, cold, registry }, id);
      if (!archived) continue; // somebody else was first
      done.matches++;
      done.events += archived.events;
      done.bytes += archived.bytes;
      show(`${done.matches} matches, ${done.events} events`);
    } catch (error) {
      left++;
      console.log(`${id}: left in the database. ${messageOf(error)}`);
    }
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const { matches, events, bytes } = done;
  console.log(
    `${matches} matches with ${events} events are in ${cold.url} now, ${bytes} bytes; ${left} could not be moved.`,
  );
  return left === 0 ? 0 : 1;
}

async function dryRun({ pool }: Database, hours: number): Promise<number> {
  const { rows } = await pool.query<{ matches: string; events: string }>(
    `SELECT count(*) AS matches, coalesce(sum(m.version), 0) AS events ${OVER}`,
    [hours],
  );
  const { matches, events } = rows[0] as { matches: string; events: string };
  console.log(`${matches} matches with ${events} events would be moved. Nothing was changed.`);
  return 0;
}

async function bringAllBack(database: Database, ids: AsyncIterable<string> | Iterable<string>): Promise<number> {
  let [back, left] = [0, 0];
  for await (const id of ids) {
    try {
      if (!(await bringBack({ database }, id))) throw new Error('It is not archived.');
      back++;
    } catch (error) {
      left++;
      console.log(`${id}: not brought back. ${messageOf(error)}`);
    }
  }
  console.log(`${back} matches are in the database again, ${left} are not.`);
  return left === 0 ? 0 : 1;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'older-than': { type: 'string' },
        'dry-run': { type: 'boolean' },
        limit: { type: 'string' },
        all: { type: 'boolean' },
        cold: { type: 'string' },
        database: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function run(command: string, args: readonly string[]): Promise<number> {
  const { values, positionals: ids } = parsed(args);
  if (values.help) {
    console.log(HELP.trim());
    return 0;
  }
  const isArchive = command === 'archive';
  if (isArchive ? ids.length > 0 : ids.length > 0 === (values.all === true))
    throw new UsageError(isArchive ? 'archive takes an age, and no matches' : 'Name matches, or --all');
  const hours = isArchive ? hoursOf(values['older-than']) : 0;
  const limit = limitOf(values.limit);
  const url = values.cold ?? process.env.COLD_STORAGE;
  if (!url && !values['dry-run']) throw new UsageError('Name the cold storage by --cold or COLD_STORAGE');
  if (url) openColdStorage(url); // says what is wrong with it before anything is started
  const { database, close } = await openTheirs(values.database, { coldUrl: url, patient: true });
  try {
    if (!isArchive) return await bringAllBack(database, values.all ? archivedMatches(database) : ids);
    if (values['dry-run']) return await dryRun(database, hours);
    return await archiveAll(database, database.cold as ColdStorage, hours, limit);
  } finally {
    await close();
  }
}

export async function archiveCommand(command: string, args: readonly string[]): Promise<number> {
  try {
    return await run(command, args);
  } catch (error) {
    console.error((error as Error).message);
    if (error instanceof UsageError) console.error(HELP);
    return error instanceof UsageError ? 2 : 1;
  }
}
