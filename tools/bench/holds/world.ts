/** What the requests are about: the longest matches that the server allows, and the widest positions of each game. */
import type { Database } from '../../../src/database/pool.ts';
import { registry } from '../../../src/games/registry.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { newId } from '../../../src/id.ts';
import { acted } from '../../../src/matches/commands/act.ts';
import { joined, openingOf } from '../../../src/matches/commands/seating.ts';
import { undoable } from '../../../src/matches/commands/undo.ts';
import type { Match } from '../../../src/matches/log/records.ts';
import { openStore } from '../../../src/matches/log/store.ts';
import { documentOf, numbered, playersOf, textOf } from '../../../src/matches/proof/document.ts';
import { longMatch } from '../../siege-world.ts';
import { finishedMatch, type Person } from '../stored.ts';

export interface Member extends Person {
  token: string;
}

/** A running match at the position with the most legal actions that random play has found. */
export interface Widest {
  game: string;
  match: string;
  version: number;
  actions: number;
  /** Who may act there. */
  token: string;
}

export interface World {
  members: readonly Member[];
  /** Of the greatest length, and over. */
  long: string;
  version: number;
  /** A finished match of the most seats, for each game. */
  finished: { game: string; match: string; version: number }[];
  widest: Widest[];
  /** The document of a long match that is not on this server: if it was imported before, that is undone. */
  document(): Promise<string>;
  /**
   * A running match of nearly the greatest length, whose last action can be taken back by the first member. It is
   * another one if the previous one has been changed since.
   */
  running(): Promise<string>;
  /** A copy of it that the server does not remember. */
  runningCopy(): Promise<{ match: string; version: number }>;
  /** A copy of the long match that is over, which the server does not remember. */
  endedCopy(): Promise<string>;
  /** Deletes the copies, so that lists and exports stay as long as they were. */
  tidy(): Promise<void>;
}

/** How many events the running match has left. */
const ROOM = 100;
const LONGEST_IMPORT = 4900;
/** Matches of random play in which the widest position is looked for. */
const SEARCHED = 12;

function widestOf(game: string, members: readonly Member[]): { match: Match; actions: number; seat: number } {
  let best: { match: Match; actions: number; seat: number } | undefined;
  for (let seed = 0; seed < SEARCHED; seed++) {
    const rng = fastRng(seed);
    const [first, ...others] = members as [Member, ...Member[]];
    let match = openingOf(registry, first, { game, seats: members.length }, new Date());
    for (const member of others) match = joined(match, member, null, null, new Date());
    while (!match.endedAt) {
      for (const seat of match.acting) {
        const actions = match.engine.legal(match.state as object, seat).length;
        if (actions > (best?.actions ?? 0)) best = { match, actions, seat };
      }
      const seat = rng.pick(match.acting);
      const action = rng.pick(match.engine.legal(match.state as object, seat));
      match = acted(match, seat, match.seats[seat] ?? null, action, null, new Date());
    }
  }
  return best as NonNullable<typeof best>;
}

/** A running match in which the first member can take back the last action. */
function runningMatch(pair: readonly [Member, Member], events: number): Match {
  for (let seed = 0; seed < 100; seed++) {
    let match = longMatch(pair, events, false, seed);
    for (let actions = 0; actions < ROOM / 4 && !match.endedAt; actions++) {
      if (typeof undoable(match, 0) !== 'string') return match;
      const seat = match.acting[0] as number;
      const list = match.engine.legal(match.state as object, seat);
      match = acted(match, seat, match.seats[seat] ?? null, list[actions % list.length] as object, null, new Date());
    }
  }
  throw new Error('no match was found in which an action can be taken back');
}

async function copy({ pool }: Database, id: string): Promise<string> {
  const made = newId();
  for (const [table, column] of [
    ['matches', 'id'],
    ['events', 'match_id'],
  ] as const) {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    );
    const names = rows.map(({ name }) => `"${name}"`);
    const values = names.map((name) => (name === `"${column}"` ? '$2' : name));
    await pool.query(`INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} WHERE ${column} = $1`, [id, made]);
  }
  return made;
}

async function erase({ pool }: Database, ids: readonly string[]): Promise<void> {
  const client = await pool.connect();
  await client.query('SET session_replication_role = replica'); // a log cannot be deleted otherwise
  await client.query('DELETE FROM events WHERE match_id = ANY($1)', [ids]);
  await client.query('DELETE FROM matches WHERE id = ANY($1)', [ids]);
  client.release(true);
}

/** Writes the matches into the database. `many`: how many finished matches the first member has besides. */
export async function makeWorld(
  database: Database,
  members: readonly Member[],
  events: number,
  many: number,
): Promise<World> {
  const store = openStore(database);
  const pair = members.slice(0, 2) as [Member, Member];
  const ended = longMatch(pair, events - ROOM, true, 1);
  const running = runningMatch(pair, events - ROOM);
  await store.create(ended);
  await store.create(running);
  const finished = [];
  const widest = [];
  for (const { id: game, seats } of registry.games) {
    const people = members.slice(0, seats.max);
    const match = finishedMatch(game, people, fastRng(3));
    await store.create(match);
    finished.push({ game, match: match.id, version: match.version });
    const wide = widestOf(game, people);
    await store.create(wide.match);
    const token = (people[wide.seat] as Member).token;
    widest.push({ game, match: wide.match.id, version: wide.match.version, actions: wide.actions, token });
  }
  for (let i = 0; i < many; i++) await copy(database, finished[i % finished.length]?.match as string);
  const other = longMatch(pair, Math.min(events, LONGEST_IMPORT), true, 4);
  const document = textOf(documentOf(other, numbered(playersOf(other))));
  let copies: string[] = [];
  let used: string | undefined;
  const copied = async (id: string) => {
    const made = await copy(database, id);
    copies.push(made);
    return made;
  };
  return {
    members,
    long: ended.id,
    version: ended.version,
    finished,
    widest,
    async document() {
      await erase(database, [other.id]);
      return document;
    },
    async running() {
      const row = used && (await store.row(used));
      if (!row || row.version !== running.version) used = await copy(database, running.id);
      return used as string;
    },
    runningCopy: async () => ({ match: await copied(running.id), version: running.version }),
    endedCopy: () => copied(ended.id),
    async tidy() {
      await erase(database, copies);
      copies = [];
    },
  };
}
