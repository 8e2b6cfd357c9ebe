/** The append: one statement moves matches forward and inserts their events, or changes nothing. */
import type { Pool } from 'pg';
import { toHex } from '../../crypto.ts';
import { LOCK_MS } from '../../database/writes.ts';
import { firstDeadline } from './clock.ts';
import type { LoggedEvent, Match } from './records.ts';

export const NOBODY = '00000000-0000-0000-0000-000000000000';

/** One match to move from version `expected` to the version of `match`, with the events in between. */
export interface Append {
  expected: number;
  match: Match;
}

/** Rows that the append's own statement writes together with the log: they exist exactly if the events do. */
export interface AlsoWrite {
  /**
   * An SQL expression that writes the rows and gives their number. It may read a CTE `moved` with the ids of the matches
   * that were moved.
   */
  sql(firstParameter: number): string;
  /** The values of its parameters, or null if there is nothing to write. */
  values(appends: readonly Append[]): unknown[] | null;
  /** Called after the commit if something was written. */
  written(): void;
}

interface Locking {
  /** Skips matches that somebody else has locked. */
  skipLocked: boolean;
  /** Sets the lock timeout in the statement itself, because behind a pooler no session setting can be relied on. */
  pooled: boolean;
}

interface Column {
  name: string;
  /** The type of its parameter's elements. */
  type: string;
  /** The value of the column, where it is not the element itself. */
  from?: (element: string) => string;
}

/** In the order of `eventColumns`. */
const EVENT_COLUMNS: readonly Column[] = [
  { name: 'match_id', type: 'uuid' },
  { name: 'version', type: 'int' },
  { name: 'type', type: '"EventType"' },
  { name: 'seat', type: 'int' },
  { name: 'player_id', type: 'uuid' },
  { name: 'action', type: 'json' },
  { name: 'action_id', type: 'text' },
  { name: 'entropy', type: 'text' },
  { name: 'label', type: 'text' },
  { name: 'targets', type: 'json' },
  { name: 'effects', type: 'json' },
  { name: 'secret', type: 'bool' },
  { name: 'epoch', type: 'int' },
  { name: 'drew', type: 'bool' },
  { name: 'acting', type: 'text', from: (element) => `${element}::int[]` },
  { name: 'state_hash', type: 'text', from: (element) => `decode(${element}, 'hex')` },
  { name: 'hash', type: 'bytea' },
  { name: 'at', type: 'timestamptz' },
];

const NAMES = EVENT_COLUMNS.map(({ name }) => name).join(', ');

const insertEvent = (elementOf: (column: Column, i: number) => string): string => {
  const values = EVENT_COLUMNS.map((column, i) => {
    const element = elementOf(column, i);
    return column.from?.(element) ?? element;
  });
  return `
  INSERT INTO events (${NAMES})
  SELECT ${values.join(', ')}`;
};

/** Takes the columns of `eventColumns` as parameters, starting at this number. */
const addEvents = (from: number): string => `${insertEvent(({ name }) => `e.${name}`)}
    FROM unnest(${EVENT_COLUMNS.map(({ type }, i) => `$${from + i}::${type}[]`).join(', ')}) AS e(${NAMES})`;

// Rows are locked in the order of their ids, so that two servers with overlapping batches cannot deadlock. A server
// that had to wait sees the version checked again on the new row (READ COMMITTED) and loses the race.
// The previous event must be the one that was built upon: after a failover that lost events, another server may have
// continued the match differently. Its hash is fetched and compared because PostgreSQL would plan an EXISTS beside an
// OR by reading the whole log. It is fetched in an order that only the primary key has: before the table is analysed
// for the first time, PostgreSQL would otherwise use the index of action ids and read all events of the match.
const moveAndAdd = ({ skipLocked, pooled }: Locking): string => `
WITH input AS (
  SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::"MatchStatus"[], $5::text[], $6::text[], $7::json[],
                       $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $29::bytea[])
    AS t(id, expected, version, status, seats, acting, result, started_at, ended_at, deadline, previous)
), locked AS (
  SELECT m.id FROM matches m JOIN input i ON i.id = m.id AND i.expected = m.version${pooled ? LIMIT_LOCKS : ''}
   WHERE (i.expected = 0
      OR (SELECT e.hash FROM events e WHERE e.match_id = i.id AND e.version >= i.expected
           ORDER BY e.version LIMIT 1) = i.previous)
   ORDER BY m.id FOR UPDATE OF m${skipLocked ? ' SKIP LOCKED' : ''}
), moved AS (
  UPDATE matches m
     SET version = i.version, status = i.status, seats = i.seats::uuid[], acting = i.acting::int[], result = i.result,
         started_at = i.started_at, ended_at = i.ended_at, deadline = i.deadline
    FROM locked l JOIN input i ON i.id = l.id
   WHERE m.id = l.id
  RETURNING m.id
), added AS (${addEvents(11)}
    JOIN moved ON moved.id = e.match_id
)`;

/** The first element of a parameter: the statement for one event has the same parameters as the one for many. */
const first = (parameter: number, type: string): string => `($${parameter}::${type}[])[1]`;

// A single event needs no order of locks and nothing to be joined. Its statement takes PostgreSQL about a third less,
// which is most of what can be saved for a move that nobody else's comes together with. A server that had to wait for
// the row sees the version checked again here too.
const MOVE_AND_ADD_ONE = `
WITH moved AS (
  UPDATE matches m
     SET version = ${first(3, 'int')}, status = ${first(4, '"MatchStatus"')}, seats = ${first(5, 'text')}::uuid[],
         acting = ${first(6, 'text')}::int[], result = ${first(7, 'json')}, started_at = ${first(8, 'timestamptz')},
         ended_at = ${first(9, 'timestamptz')}, deadline = ${first(10, 'timestamptz')}
   WHERE m.id = ${first(1, 'uuid')} AND m.version = ${first(2, 'int')}
     AND (m.version = 0
      OR (SELECT e.hash FROM events e WHERE e.match_id = ${first(1, 'uuid')} AND e.version >= ${first(2, 'int')}
           ORDER BY e.version LIMIT 1) = ${first(29, 'bytea')})
  RETURNING m.id
), added AS (${insertEvent(({ type }, i) => first(11 + i, type))}
    FROM moved
)`;

/**
 * The setting holds until the end of the transaction, which is this statement. Every row is found before the first one
 * is locked.
 */
const LIMIT_LOCKS = `
         CROSS JOIN (SELECT set_config('lock_timeout', '${LOCK_MS}', true)) AS limits`;

const PARAMETERS = 29;

const plain = (moveAndAdd: string): string => `${moveAndAdd}
SELECT id, 0 AS also FROM moved`;

export const append = (locking: Locking): string => plain(moveAndAdd(locking));
export const appendOne = plain(MOVE_AND_ADD_ONE);

// The rows are written once, and not for each match, because the expression is in a subquery of its own.
const withMore = (moveAndAdd: string, more: string): string => `${moveAndAdd}
SELECT id, (SELECT ${more}) AS also FROM moved`;

/** An element of an array in PostgreSQL's own form: in quotation marks unless it is known to have no special characters. */
type Item = string | number | boolean | null;

/**
 * An array as PostgreSQL reads it. It is written here because pg would look up the type of every value and search each
 * for characters to escape, ids and numbers included.
 */
const arrayOf = (items: readonly Item[]): string => `{${items.map((item) => item ?? 'NULL').join()}}`;

const SPECIAL = /["\\]/g;

const quoted = (text: string | null): string | null => (text === null ? null : `"${text.replace(SPECIAL, '\\$&')}"`);
const quotedArray = (items: readonly Item[]): string => `"${arrayOf(items)}"`;
/** JSON has no raw control characters, so quoting it once more as JSON escapes exactly what PostgreSQL wants escaped. */
const quotedJson = (value: object | null): string | null => value && JSON.stringify(JSON.stringify(value));
const quotedBytes = (value: Uint8Array | null): string | null => value && `"\\\\x${toHex(value)}"`;
const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

function matchColumns(appends: readonly Append[]): string[] {
  const column = (of: (append: Append) => Item): string => arrayOf(appends.map(of));
  return [
    column(({ match }) => match.id),
    column(({ expected }) => expected),
    column(({ match }) => match.version),
    column(({ match }) => match.status),
    column(({ match }) => quotedArray(match.seats.map((player) => player ?? NOBODY))),
    column(({ match }) => quotedArray(match.acting)),
    column(({ match }) => quotedJson(match.result)),
    column(({ match }) => instant(match.startedAt)),
    column(({ match }) => instant(match.endedAt)),
    column(({ match }) => instant(firstDeadline(match))),
  ];
}

function newEvents(appends: readonly Append[]): string[] {
  const ids: string[] = [];
  const events: LoggedEvent[] = [];
  for (const { expected, match } of appends) {
    for (const event of match.events.slice(expected)) {
      ids.push(match.id);
      events.push(event);
    }
  }
  return eventColumns(ids, events);
}

function eventColumns(ids: readonly string[], events: readonly LoggedEvent[]): string[] {
  const column = (of: (event: LoggedEvent) => Item): string => arrayOf(events.map(of));
  return [
    arrayOf(ids),
    column((e) => e.version),
    column((e) => e.type),
    column((e) => e.seat),
    column((e) => e.playerId),
    column((e) => quotedJson(e.action)),
    column((e) => quoted(e.actionId)),
    column((e) => quoted(e.entropy)),
    column((e) => quoted(e.label)),
    column((e) => quotedJson(e.targets)),
    column((e) => quotedJson(e.effects)),
    column((e) => e.secret),
    column((e) => e.epoch),
    column((e) => e.drew),
    column((e) => quotedArray(e.acting)),
    column((e) => e.stateHash),
    column((e) => quotedBytes(e.hash)),
    column((e) => instant(e.at)),
  ];
}

/** Inserts events of one match that has already moved on, unchanged: they come back from an archive. */
export async function insertEvents(
  client: Pick<Pool, 'query'>,
  id: string,
  events: readonly LoggedEvent[],
): Promise<void> {
  await client.query(
    addEvents(1),
    eventColumns(
      events.map(() => id),
      events,
    ),
  );
}

const previousHashes = (appends: readonly Append[]): string =>
  arrayOf(
    appends.map(({ expected, match }) =>
      quotedBytes(expected === 0 ? null : (match.events.at(expected - 1)?.hash ?? null)),
    ),
  );

export interface Appended {
  /** The ids of the matches that were moved. The others lost their race. */
  moved: Set<string>;
  /** Whether other rows were written with the events. */
  alsoWrote: boolean;
}

/** Sends one statement for all of these appends. It waits for matches that somebody else has locked, or skips them. */
export type AppendAll = (
  client: Pick<Pool, 'query'>,
  appends: readonly Append[],
  skipLocked?: boolean,
) => Promise<Appended>;

interface Statements {
  plain: { name: string; text: string };
  both?: { name: string; text: string } | undefined;
}

function statements(name: string, moveAndAdd: string, alsoWrite: AlsoWrite | undefined): Statements {
  const more = alsoWrite?.sql(PARAMETERS + 1);
  return {
    plain: { name, text: plain(moveAndAdd) },
    both: more === undefined ? undefined : { name: `${name} and more`, text: withMore(moveAndAdd, more) },
  };
}

const isOneEvent = ([append, ...others]: readonly Append[]): boolean =>
  append !== undefined && others.length === 0 && append.match.version === append.expected + 1;

export function appending(alsoWrite?: AlsoWrite, pooled = false): AppendAll {
  const many = statements('append', moveAndAdd({ skipLocked: false, pooled }), alsoWrite);
  const skipping = statements('append, skipping', moveAndAdd({ skipLocked: true, pooled }), alsoWrite);
  // Behind a pooler the statement has to limit the wait for the lock itself, which only the one for many does.
  const one = pooled ? many : statements('append one', MOVE_AND_ADD_ONE, alsoWrite);
  return async (client, appends, skipLocked = false) => {
    const { plain, both } = skipLocked ? skipping : isOneEvent(appends) ? one : many;
    const values = [...matchColumns(appends), ...newEvents(appends), previousHashes(appends)];
    const more = alsoWrite?.values(appends);
    const { rows } = await client.query<{ id: string; also: number }>(
      both && more ? { ...both, values: [...values, ...more] } : { ...plain, values },
    );
    return { moved: new Set(rows.map(({ id }) => id)), alsoWrote: (rows[0]?.also ?? 0) > 0 };
  };
}
