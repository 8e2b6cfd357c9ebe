/** The append: one statement moves matches forward and inserts their events, or changes nothing. */
import type { Pool } from 'pg';
import {
  BOOL,
  type Bytes,
  HEX,
  INT,
  JSON_TEXT,
  TEXT,
  TIMESTAMPTZ,
  type Type,
  UUID,
  writeArray,
  writeValue,
} from '../../database/binary.ts';
import { execute, type Statement } from '../../database/statement.ts';
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
   * An SQL expression that writes the rows and gives their number. It may read `ids`, an array with the ids of the
   * matches that were moved.
   */
  sql(firstParameter: number): string;
  /** The number of its parameters. */
  parameters: number;
  /** Returns what writes the values of its parameters, or null if there are no rows to write. */
  values(appends: readonly Append[]): ((to: Bytes) => void) | null;
  /** Called after the commit if something was written. */
  written(): void;
}

interface Column<Row> {
  name: string;
  /** Its type in SQL. */
  type: string;
  /** The type in which its values are sent, which PostgreSQL casts to the other. */
  sent: string;
  /** Writes the value of a single row as a parameter. */
  write(row: Row, to: Bytes): void;
  /** Writes the values of all rows as one parameter, an array. */
  writeAll(rows: readonly Row[], to: Bytes): void;
}

function column<Row, Value>(
  name: string,
  sent: Type<Value>,
  of: (row: Row) => Value | null | undefined,
  type = sent.name,
): Column<Row> {
  return {
    name,
    type,
    sent: sent.name,
    write: (row, to) => writeValue(sent, of(row), to),
    writeAll: (rows, to) => writeArray(sent, rows, of, to),
  };
}

/** A list as text, because PostgreSQL has no arrays of lists of different lengths. */
const list = (items: readonly unknown[]): string => `{${items.join()}}`;

/** The hash of the event that was built upon. */
const previousHash = ({ expected, match }: Append): string | undefined =>
  expected === 0 ? undefined : match.events.at(expected - 1)?.hash;

const MATCH_COLUMNS: readonly Column<Append>[] = [
  column('id', UUID, ({ match }) => match.id),
  column('expected', INT, ({ expected }) => expected),
  column('previous', HEX, previousHash),
  column('version', INT, ({ match }) => match.version),
  column('status', TEXT, ({ match }) => match.status, '"MatchStatus"'),
  column('seats', TEXT, ({ match }) => list(match.seats.map((id) => id ?? NOBODY)), 'uuid[]'),
  column('acting', TEXT, ({ match }) => list(match.acting), 'int[]'),
  column('result', JSON_TEXT, ({ match }) => match.result),
  column('started_at', TIMESTAMPTZ, ({ match }) => match.startedAt),
  column('ended_at', TIMESTAMPTZ, ({ match }) => match.endedAt),
  column('deadline', TIMESTAMPTZ, ({ match }) => firstDeadline(match)),
];

/** The columns that an append changes. */
const CHANGED = MATCH_COLUMNS.slice(3);

interface NewEvent {
  id: string;
  event: LoggedEvent;
}

const EVENT_COLUMNS: readonly Column<NewEvent>[] = [
  column('match_id', UUID, ({ id }) => id),
  column('version', INT, ({ event }) => event.version),
  column('type', TEXT, ({ event }) => event.type, '"EventType"'),
  column('seat', INT, ({ event }) => event.seat),
  column('player_id', UUID, ({ event }) => event.playerId),
  column('action', JSON_TEXT, ({ event }) => event.action),
  column('action_id', TEXT, ({ event }) => event.actionId),
  column('entropy', TEXT, ({ event }) => event.entropy),
  column('label', TEXT, ({ event }) => event.label),
  column('targets', JSON_TEXT, ({ event }) => event.targets),
  column('effects', JSON_TEXT, ({ event }) => event.effects),
  column('secret', BOOL, ({ event }) => event.secret),
  column('epoch', INT, ({ event }) => event.epoch),
  column('drew', BOOL, ({ event }) => event.drew),
  column('acting', TEXT, ({ event }) => list(event.acting), 'int[]'),
  column('state_hash', HEX, ({ event }) => event.stateHash),
  column('hash', HEX, ({ event }) => event.hash),
  column('at', TIMESTAMPTZ, ({ event }) => event.at),
];

const namesOf = <Row>(columns: readonly Column<Row>[]): string => columns.map(({ name }) => name).join(', ');

/** Rows of the arrays that `writeAll` has written, the first of them as the parameter of this number. */
function unnest<Row>(columns: readonly Column<Row>[], first: number, alias: string): string {
  const parameters = columns.map(({ sent }, i) => `$${first + i}::${sent}[]`);
  return `unnest(${parameters.join(', ')}) AS ${alias}(${namesOf(columns)})`;
}

const cast = <Row>(value: string, { type, sent }: Column<Row>): string => (type === sent ? value : `${value}::${type}`);

const valueIn = <Row>(alias: string, column: Column<Row>): string => cast(`${alias}.${column.name}`, column);

/** A parameter that `write` has written. */
const parameter = <Row>(number: number, column: Column<Row>): string => cast(`$${number}::${column.sent}`, column);

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

// Rows are locked in the order of their ids, so that two servers with overlapping batches cannot deadlock: the appends
// are sorted, and the update looks its rows up one after another. A server that had to wait for a row sees the version
// checked again on the new row (READ COMMITTED) and loses the race. Locking all rows first costs PostgreSQL a sixth
// more, so it is done only to skip locked rows, or to limit the wait for them behind a pooler.
// The previous event must be the one that was built upon: after a failover that lost events, another server may have
// continued the match differently. Its hash is fetched and compared because PostgreSQL would plan an EXISTS beside an
// OR by reading the whole log. It is fetched in an order that only the primary key has: before the table is analysed
// for the first time, PostgreSQL would otherwise use the index of action ids and read all events of the match.
function moveAndAdd(locking: Locking): string {
  const locksFirst = locking.skipLocked || locking.pooled;
  return `
WITH input AS (
  SELECT * FROM ${unnest(MATCH_COLUMNS, 1, 't')}
), ${locksFirst ? lockFirst(locking) : ''}moved AS (
  UPDATE matches m
     SET ${CHANGED.map((column) => `${column.name} = ${valueIn('i', column)}`).join(', ')}
    FROM input i${locksFirst ? ' JOIN locked l ON l.id = i.id' : ''}
   WHERE m.id = i.id AND m.version = i.expected
     AND (i.expected = 0
      OR (SELECT e.hash FROM events e WHERE e.match_id = i.id AND e.version >= i.expected
           ORDER BY e.version LIMIT 1) = i.previous)
  RETURNING m.id
), added AS (
  ${ADD_EVENTS}${unnest(EVENT_COLUMNS, FIRST_OF_EVENTS, 'e')}
    JOIN moved ON moved.id = e.match_id
)`;
}

// Rows are locked by their ids alone, without a join, for which PostgreSQL would copy all parameters of each row.
const lockFirst = ({ skipLocked, pooled }: Locking): string => `locked AS (
  SELECT m.id FROM matches m${pooled ? LIMIT_LOCKS : ''} WHERE m.id = ANY ($1::uuid[])
   ORDER BY m.id FOR UPDATE OF m${skipLocked ? ' SKIP LOCKED' : ''}
), `;

const ofMatch = (name: string): string => {
  const i = MATCH_COLUMNS.findIndex((column) => column.name === name);
  return parameter(i + 1, MATCH_COLUMNS[i] as Column<Append>);
};

// A single event needs no order of locks and nothing to be joined. Its statement takes PostgreSQL about a third less,
// which is most of what can be saved for a move that nobody else's comes together with. A server that had to wait for
// the row sees the version checked again here too.
const MOVE_AND_ADD_ONE = `
WITH moved AS (
  UPDATE matches m
     SET ${CHANGED.map(({ name }) => `${name} = ${ofMatch(name)}`).join(', ')}
   WHERE m.id = ${ofMatch('id')} AND m.version = ${ofMatch('expected')}
     AND (m.version = 0
      OR (SELECT e.hash FROM events e WHERE e.match_id = ${ofMatch('id')} AND e.version >= ${ofMatch('expected')}
           ORDER BY e.version LIMIT 1) = ${ofMatch('previous')})
  RETURNING m.id
), added AS (
  INSERT INTO events (${namesOf(EVENT_COLUMNS)})
  SELECT ${EVENT_COLUMNS.map((column, i) => parameter(FIRST_OF_EVENTS + i, column)).join(', ')}
    FROM moved
)`;

/**
 * The setting holds until the end of the transaction, which is this statement. It is made before the first row is
 * locked, because that row is joined with it.
 */
const LIMIT_LOCKS = `
         CROSS JOIN (SELECT set_config('lock_timeout', '${LOCK_MS}', true)) AS limits`;

const plain = (moveAndAdd: string): string => `${moveAndAdd}
SELECT ARRAY(SELECT id FROM moved), 0`;

export const append = (locking: Locking): string => plain(moveAndAdd(locking));
export const appendOne = plain(MOVE_AND_ADD_ONE);

const withMore = (moveAndAdd: string, more: string): string => `${moveAndAdd}
SELECT ids, ${more} FROM (SELECT ARRAY(SELECT id FROM moved) AS ids OFFSET 0) AS done`;

function writeAll<Row>(columns: readonly Column<Row>[], rows: readonly Row[], to: Bytes): void {
  for (const column of columns) column.writeAll(rows, to);
}

function writeOne<Row>(columns: readonly Column<Row>[], rows: readonly Row[], to: Bytes): void {
  for (const column of columns) column.write(rows[0] as Row, to);
}

/** In an array of ids as PostgreSQL writes it. */
const ID = /[^{},]+/g;

function newEvents(appends: readonly Append[]): NewEvent[] {
  const events: NewEvent[] = [];
  for (const { expected, match } of appends) {
    for (const event of match.events.slice(expected)) events.push({ id: match.id, event });
  }
  return events;
}

const INSERT_EVENTS: Statement = {
  text: `${ADD_EVENTS}${unnest(EVENT_COLUMNS, 1, 'e')}`,
  parameters: EVENT_COLUMNS.length,
};

/** Inserts events of one match that has already moved on, unchanged: they come back from an archive. */
export async function insertEvents(
  client: Pick<Pool, 'query'>,
  id: string,
  events: readonly LoggedEvent[],
): Promise<void> {
  const rows = events.map((event) => ({ id, event }));
  await execute(client, INSERT_EVENTS, (to) => writeAll(EVENT_COLUMNS, rows, to));
}

/** As PostgreSQL orders them, because ids are written in lower case. */
const byId = (a: Append, b: Append): number => (a.match.id < b.match.id ? -1 : 1);

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
  plain: Statement;
  both?: Statement | undefined;
}

function statements(name: string, moveAndAdd: string, alsoWrite: AlsoWrite | undefined): Statements {
  return {
    plain: { name, text: plain(moveAndAdd), parameters: PARAMETERS },
    both: alsoWrite && {
      name: `${name} and more`,
      text: withMore(moveAndAdd, alsoWrite.sql(PARAMETERS + 1)),
      parameters: PARAMETERS + alsoWrite.parameters,
    },
  };
}

export function appending(alsoWrite?: AlsoWrite, pooled = false): AppendAll {
  const many = statements('append', moveAndAdd({ skipLocked: false, pooled }), alsoWrite);
  const skipping = statements('append, skipping', moveAndAdd({ skipLocked: true, pooled }), alsoWrite);
  const one = statements('append one', MOVE_AND_ADD_ONE, alsoWrite);

  return async (client, unsorted, skipLocked = false) => {
    const appends = unsorted.toSorted(byId);
    const events = newEvents(appends);
    // Behind a pooler the statement has to limit the wait for the lock itself, which only the one for many does.
    const isOne = events.length === 1 && !skipLocked && !pooled;
    const { plain, both } = isOne ? one : skipLocked ? skipping : many;
    const more = alsoWrite?.values(appends);
    const [row] = await execute(client, both && more ? both : plain, (to) => {
      const write = isOne ? writeOne : writeAll;
      write(MATCH_COLUMNS, appends, to);
      write(EVENT_COLUMNS, events, to);
      more?.(to);
    });
    const [ids, also] = row as [string, string];
    return { moved: new Set(ids.match(ID)), alsoWrote: also !== '0' };
  };
}
