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

/** A parameter, or an element of one, in the form in which PostgreSQL reads it. */
type Item = string | number | boolean | null;

/** How values are written that may have special characters, or consist of several. */
interface Form {
  text(text: string | null): Item;
  json(value: object | null): Item;
  /** Bytes in hexadecimal digits. */
  bytes(hex: string | null): Item;
  list(items: readonly Item[]): Item;
}

/**
 * An array as PostgreSQL reads it. It is written here because pg would look up the type of every value and search each
 * for characters to escape, ids and numbers included.
 */
const arrayOf = (items: readonly Item[]): string => `{${items.map((item) => item ?? 'NULL').join()}}`;

const SPECIAL = /["\\]/g;

/** As an element of an array: in quotation marks. */
const ELEMENT: Form = {
  text: (text) => (text === null ? null : `"${text.replace(SPECIAL, '\\$&')}"`),
  /** JSON has no raw control characters, so quoting it once more as JSON escapes exactly what PostgreSQL wants escaped. */
  json: (value) => value && JSON.stringify(JSON.stringify(value)),
  bytes: (hex) => hex && `"\\\\x${hex}"`,
  list: (items) => `"${arrayOf(items)}"`,
};

/** As a parameter of its own. */
const ALONE: Form = {
  text: (text) => text,
  json: (value) => value && JSON.stringify(value),
  bytes: (hex) => hex && `\\x${hex}`,
  list: arrayOf,
};

interface Column<Row> {
  name: string;
  type: string;
  write(row: Row, form: Form): Item;
}

const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

/** The hash of the event that was built upon. */
const previousHash = ({ expected, match }: Append): Uint8Array | undefined =>
  expected === 0 ? undefined : match.events.at(expected - 1)?.hash;

const hexOf = (bytes: Uint8Array | undefined): string | null => (bytes ? toHex(bytes) : null);

const MATCH_COLUMNS: readonly Column<Append>[] = [
  { name: 'id', type: 'uuid', write: ({ match }) => match.id },
  { name: 'expected', type: 'int', write: ({ expected }) => expected },
  { name: 'previous', type: 'bytea', write: (append, form) => form.bytes(hexOf(previousHash(append))) },
  { name: 'version', type: 'int', write: ({ match }) => match.version },
  { name: 'status', type: '"MatchStatus"', write: ({ match }) => match.status },
  { name: 'seats', type: 'uuid[]', write: ({ match }, form) => form.list(match.seats.map((id) => id ?? NOBODY)) },
  { name: 'acting', type: 'int[]', write: ({ match }, form) => form.list(match.acting) },
  { name: 'result', type: 'json', write: ({ match }, form) => form.json(match.result) },
  { name: 'started_at', type: 'timestamptz', write: ({ match }) => instant(match.startedAt) },
  { name: 'ended_at', type: 'timestamptz', write: ({ match }) => instant(match.endedAt) },
  { name: 'deadline', type: 'timestamptz', write: ({ match }) => instant(firstDeadline(match)) },
];

/** The columns that an append changes. */
const CHANGED = MATCH_COLUMNS.slice(3);

interface NewEvent {
  id: string;
  event: LoggedEvent;
}

const EVENT_COLUMNS: readonly Column<NewEvent>[] = [
  { name: 'match_id', type: 'uuid', write: ({ id }) => id },
  { name: 'version', type: 'int', write: ({ event }) => event.version },
  { name: 'type', type: '"EventType"', write: ({ event }) => event.type },
  { name: 'seat', type: 'int', write: ({ event }) => event.seat },
  { name: 'player_id', type: 'uuid', write: ({ event }) => event.playerId },
  { name: 'action', type: 'json', write: ({ event }, form) => form.json(event.action) },
  { name: 'action_id', type: 'text', write: ({ event }, form) => form.text(event.actionId) },
  { name: 'entropy', type: 'text', write: ({ event }, form) => form.text(event.entropy) },
  { name: 'label', type: 'text', write: ({ event }, form) => form.text(event.label) },
  { name: 'targets', type: 'json', write: ({ event }, form) => form.json(event.targets) },
  { name: 'effects', type: 'json', write: ({ event }, form) => form.json(event.effects) },
  { name: 'secret', type: 'bool', write: ({ event }) => event.secret },
  { name: 'epoch', type: 'int', write: ({ event }) => event.epoch },
  { name: 'drew', type: 'bool', write: ({ event }) => event.drew },
  { name: 'acting', type: 'int[]', write: ({ event }, form) => form.list(event.acting) },
  { name: 'state_hash', type: 'bytea', write: ({ event }, form) => form.bytes(event.stateHash) },
  { name: 'hash', type: 'bytea', write: ({ event }, form) => form.bytes(toHex(event.hash)) },
  { name: 'at', type: 'timestamptz', write: ({ event }) => instant(event.at) },
];

/** One parameter for each column, with an element for each row. */
const columnsOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Item[] =>
  columns.map(({ write }) => arrayOf(rows.map((row) => write(row, ELEMENT))));

/** One parameter for each column of a single row. */
const valuesOf = <Row>(columns: readonly Column<Row>[], row: Row): Item[] =>
  columns.map(({ write }) => write(row, ALONE));

const isList = (type: string): boolean => type.endsWith('[]');
const namesOf = <Row>(columns: readonly Column<Row>[]): string => columns.map(({ name }) => name).join(', ');

/** Rows of the parameters of `columnsOf`, which start at this number. PostgreSQL has no array of arrays of any length. */
function unnest<Row>(columns: readonly Column<Row>[], first: number, alias: string): string {
  const parameters = columns.map(({ type }, i) => `$${first + i}::${isList(type) ? 'text' : type}[]`);
  return `unnest(${parameters.join(', ')}) AS ${alias}(${namesOf(columns)})`;
}

const valueIn = <Row>(alias: string, { name, type }: Column<Row>): string =>
  isList(type) ? `${alias}.${name}::${type}` : `${alias}.${name}`;

const PARAMETERS = MATCH_COLUMNS.length + EVENT_COLUMNS.length;
const FIRST_OF_EVENTS = MATCH_COLUMNS.length + 1;

const ADD_EVENTS = `INSERT INTO events (${namesOf(EVENT_COLUMNS)})
  SELECT ${EVENT_COLUMNS.map((column) => valueIn('e', column)).join(', ')}
    FROM `;

interface Locking {
  /** Skips matches that somebody else has locked. */
  skipLocked: boolean;
  /** Sets the lock timeout in the statement itself, because behind a pooler no session setting can be relied on. */
  pooled: boolean;
}

// Rows are locked in the order of their ids, so that two servers with overlapping batches cannot deadlock. A server
// that had to wait sees the version checked again on the new row (READ COMMITTED) and loses the race.
// The previous event must be the one that was built upon: after a failover that lost events, another server may have
// continued the match differently. Its hash is fetched and compared because PostgreSQL would plan an EXISTS beside an
// OR by reading the whole log. It is fetched in an order that only the primary key has: before the table is analysed
// for the first time, PostgreSQL would otherwise use the index of action ids and read all events of the match.
const moveAndAdd = ({ skipLocked, pooled }: Locking): string => `
WITH input AS (
  SELECT * FROM ${unnest(MATCH_COLUMNS, 1, 't')}
), locked AS (
  SELECT m.id FROM matches m JOIN input i ON i.id = m.id AND i.expected = m.version${pooled ? LIMIT_LOCKS : ''}
   WHERE (i.expected = 0
      OR (SELECT e.hash FROM events e WHERE e.match_id = i.id AND e.version >= i.expected
           ORDER BY e.version LIMIT 1) = i.previous)
   ORDER BY m.id FOR UPDATE OF m${skipLocked ? ' SKIP LOCKED' : ''}
), moved AS (
  UPDATE matches m
     SET ${CHANGED.map((column) => `${column.name} = ${valueIn('i', column)}`).join(', ')}
    FROM locked l JOIN input i ON i.id = l.id
   WHERE m.id = l.id
  RETURNING m.id
), added AS (
  ${ADD_EVENTS}${unnest(EVENT_COLUMNS, FIRST_OF_EVENTS, 'e')}
    JOIN moved ON moved.id = e.match_id
)`;

/** A parameter of `valuesOf`. */
const parameter = (name: string): string => {
  const i = MATCH_COLUMNS.findIndex((column) => column.name === name);
  return `$${i + 1}::${MATCH_COLUMNS[i]?.type}`;
};

// A single event needs no order of locks and nothing to be joined. Its statement takes PostgreSQL about a third less,
// which is most of what can be saved for a move that nobody else's comes together with. A server that had to wait for
// the row sees the version checked again here too.
const MOVE_AND_ADD_ONE = `
WITH moved AS (
  UPDATE matches m
     SET ${CHANGED.map(({ name }) => `${name} = ${parameter(name)}`).join(', ')}
   WHERE m.id = ${parameter('id')} AND m.version = ${parameter('expected')}
     AND (m.version = 0
      OR (SELECT e.hash FROM events e WHERE e.match_id = ${parameter('id')} AND e.version >= ${parameter('expected')}
           ORDER BY e.version LIMIT 1) = ${parameter('previous')})
  RETURNING m.id
), added AS (
  INSERT INTO events (${namesOf(EVENT_COLUMNS)})
  SELECT ${EVENT_COLUMNS.map(({ type }, i) => `$${FIRST_OF_EVENTS + i}::${type}`).join(', ')}
    FROM moved
)`;

/**
 * The setting holds until the end of the transaction, which is this statement. Every row is found before the first one
 * is locked.
 */
const LIMIT_LOCKS = `
         CROSS JOIN (SELECT set_config('lock_timeout', '${LOCK_MS}', true)) AS limits`;

const plain = (moveAndAdd: string): string => `${moveAndAdd}
SELECT id, 0 AS also FROM moved`;

export const append = (locking: Locking): string => plain(moveAndAdd(locking));
export const appendOne = plain(MOVE_AND_ADD_ONE);

// The rows are written once, and not for each match, because the expression is in a subquery of its own.
const withMore = (moveAndAdd: string, more: string): string => `${moveAndAdd}
SELECT id, (SELECT ${more}) AS also FROM moved`;

function newEvents({ expected, match }: Append): NewEvent[] {
  return match.events.slice(expected).map((event) => ({ id: match.id, event }));
}

/** Inserts events of one match that has already moved on, unchanged: they come back from an archive. */
export async function insertEvents(
  client: Pick<Pool, 'query'>,
  id: string,
  events: readonly LoggedEvent[],
): Promise<void> {
  const rows = events.map((event) => ({ id, event }));
  await client.query(`${ADD_EVENTS}${unnest(EVENT_COLUMNS, 1, 'e')}`, columnsOf(EVENT_COLUMNS, rows));
}

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

export function appending(alsoWrite?: AlsoWrite, pooled = false): AppendAll {
  const many = statements('append', moveAndAdd({ skipLocked: false, pooled }), alsoWrite);
  const skipping = statements('append, skipping', moveAndAdd({ skipLocked: true, pooled }), alsoWrite);
  const one = statements('append one', MOVE_AND_ADD_ONE, alsoWrite);

  function prepare(appends: readonly Append[], skipLocked: boolean): Statements & { values: Item[] } {
    const events = appends.flatMap(newEvents);
    const [append] = appends;
    const [event] = events;
    // Behind a pooler the statement has to limit the wait for the lock itself, which only the one for many does.
    if (append && event && events.length === 1 && !skipLocked && !pooled) {
      return { ...one, values: [...valuesOf(MATCH_COLUMNS, append), ...valuesOf(EVENT_COLUMNS, event)] };
    }
    const values = [...columnsOf(MATCH_COLUMNS, appends), ...columnsOf(EVENT_COLUMNS, events)];
    return { ...(skipLocked ? skipping : many), values };
  }

  return async (client, appends, skipLocked = false) => {
    const { plain, both, values } = prepare(appends, skipLocked);
    const more = alsoWrite?.values(appends);
    const { rows } = await client.query<{ id: string; also: number }>(
      both && more ? { ...both, values: [...values, ...more] } : { ...plain, values },
    );
    return { moved: new Set(rows.map(({ id }) => id)), alsoWrote: (rows[0]?.also ?? 0) > 0 };
  };
}
