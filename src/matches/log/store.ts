/** Where matches are stored: the rows behind match.ts. */
import type { PoolClient } from 'pg';
import type { Database } from '../../database/pool.ts';
import type { Reader } from '../../database/replica.ts';
import { KeyUsed, type RequestKey, writeKey } from '../../database/request-keys.ts';
import { seedOfMatch } from '../../database/secrets/seal.ts';
import { AtollError } from '../../errors.ts';
import type { Result } from '../../games/game.ts';
import { type MatchStatus, Prisma } from '../../generated/prisma/client.ts';
import type { MatchModel } from '../../generated/prisma/models.ts';
import { isBot } from '../../players/bot-accounts.ts';
import type { Guard } from '../../quotas.ts';
import { type AlsoWrite, type Append, appending, NOBODY } from './append.ts';
import { appender } from './batches.ts';
import { firstDeadline } from './clock.ts';
import { shaped } from './events.ts';
import {
  type Clock,
  type Derivation,
  type LoggedEvent,
  type Match,
  type Origin,
  type Summary,
  sameHash,
} from './records.ts';

export interface Filter {
  game?: string;
  status?: MatchStatus;
  /** Only matches in which this player sits. */
  seated?: string;
  /** Only matches that this player plays or played, also those whose seat it gave up; analyses apart. */
  played?: string;
  /** Only matches in which this player may act now. */
  toAct?: string;
  /** Whose private matches are shown among the public ones. */
  viewer?: string;
  /** Only matches opened before this one. */
  olderThan?: string;
  /** Only matches opened after this one. */
  newerThan?: string;
  /** Oldest first, and the limit counts from there; else newest first. */
  fromOldest?: boolean;
  limit: number;
}

export interface CreateOptions {
  /** Players that are not in the database yet. */
  newPlayers?: readonly { id: string; name: string }[];
  /** Written with the match: it is there exactly if the match is. */
  request?: RequestKey | null;
  /** Asked in the same transaction; what it throws undoes everything. */
  guard?: Guard;
}

export interface Store {
  /** False: another append came first, and nothing was changed. */
  append(append: Append): Promise<boolean>;
  /** How many appends wait for their turn. */
  readonly waiting: number;
  /**
   * False: there is a match with this id, or a rematch of the same one, and nothing was changed. Throws KeyUsed if
   * another request with this key came first.
   */
  create(match: Match, more?: CreateOptions): Promise<boolean>;
  row(id: string): Promise<Summary | null>;
  /** The events after that version, in order. */
  tail(id: string, after: number): Promise<LoggedEvent[]>;
  /** Every event of a match whose row was just read. */
  whole(row: Pick<Summary, 'id' | 'version' | 'endedAt'>): Promise<LoggedEvent[]>;
  /** The events after a remembered one, in order; null: the log does not have that one, so it was cut back. */
  since(id: string, known: Pick<Match, 'version' | 'hash'>): Promise<LoggedEvent[] | null>;
  /** The current versions of these matches. */
  versions(ids: readonly string[]): Promise<Map<string, number>>;
  list(filter: Filter): Promise<Summary[]>;
  /** The ids of all matches in which this player may act now. */
  turnsOf(playerId: string): Promise<string[]>;
  /** The ids of all matches that are not over in which this player sits, or that it opened and that have not begun. */
  tablesOf(playerId: string): Promise<string[]>;
  /** The ids of running matches in which a clock is up by then. */
  overdue(now: Date): Promise<string[]>;
  /** Writes down anew when the first clock of a match is up: an outage has moved it, and no event did. */
  postpone(match: Match): Promise<void>;
  /** The ids of running matches in which one of these players may act now. */
  awaiting(playerIds: readonly string[]): Promise<string[]>;
  /** The id of the rematch of a match. */
  rematch(id: string): Promise<string | null>;
}

/** Reading the rows of one page holds up nobody else for long. */
const PAGE = 500;

/** `long` says how to write a column that may hold much. */
const columns = (long: (column: string) => string): string =>
  `version, type, seat, player_id AS "playerId", ${long('action')}, action_id AS "actionId", entropy, ${long('label')},
   ${long('targets')}, ${long('effects')}, secret, epoch, drew, acting, encode(state_hash, 'hex') AS "stateHash", hash, at`;

const TAIL = `
SELECT ${columns((column) => column)}
  FROM events WHERE match_id = $1 AND version > $2 ORDER BY version LIMIT ${PAGE}`;

const LAST = 'SELECT hash FROM events WHERE match_id = $1 AND version = $2';

// The remembered event comes first, without what is long: mostly it is the only one.
const SINCE = `
SELECT ${columns((column) => `CASE WHEN version > $2 THEN ${column} END AS ${column}`)}
  FROM events WHERE match_id = $1 AND version >= $2 ORDER BY version LIMIT ${PAGE + 1}`;

export interface StoreOptions {
  /** Told how long each append took. */
  onAppend?: (seconds: number) => void;
  alsoWrite?: AlsoWrite;
}

export function openStore(
  { pool, prisma, seal, writes, pooled, replica }: Database,
  { onAppend = () => {}, alsoWrite }: StoreOptions = {},
): Store {
  const opened = (row: MatchModel): Summary =>
    summaryOf({ ...row, serverSeed: seal.open(row.serverSeed, seedOfMatch(row.id)) });
  async function tail(id: string, after: number, from = pool): Promise<LoggedEvent[]> {
    const events: LoggedEvent[] = [];
    for (;;) {
      const values = [id, after + events.length]; // versions have no gaps
      const { rows } = await from.query<LoggedEvent>({ name: 'tail', text: TAIL, values });
      for (const row of rows) events.push(shaped(row));
      if (rows.length < PAGE) return events;
    }
  }

  /** The log of an ended match as a replica has it, if that is all of it: the primary says how it ends. */
  async function wholeFromReplica(id: string, version: number): Promise<LoggedEvent[] | undefined> {
    const events = await replica?.read((reader) => tail(id, 0, reader.pool));
    const last = events?.at(-1);
    if (last?.version !== version || events?.length !== version) return undefined;
    const { rows } = await pool.query<{ hash: Buffer }>({ name: 'last', text: LAST, values: [id, version] });
    return rows[0] && sameHash(rows[0], last) ? events : undefined;
  }

  async function listFrom(reader: Reader, filter: Filter): Promise<Summary[]> {
    const found = await reader.prisma.$queryRaw<{ id: string }[]>(listQuery(filter));
    const rows = await reader.prisma.match.findMany({
      where: { id: { in: found.map(({ id }) => id) } },
      orderBy: { id: filter.fromOldest ? 'asc' : 'desc' },
    });
    return rows.map(opened);
  }

  const appendAll = appending(alsoWrite, pooled);
  const append = appender({ pool, appendAll, writes, ...(alsoWrite && { onAlsoWrote: alsoWrite.written }) });
  return {
    async append(one) {
      const start = performance.now();
      try {
        return await append(one);
      } finally {
        onAppend((performance.now() - start) / 1000);
      }
    },

    get waiting() {
      return append.waiting;
    },

    async create(match, { newPlayers = [], request = null, guard } = {}) {
      writes.check();
      const client = await pool.connect();
      let failure: Error | undefined;
      let wrote = false;
      try {
        await client.query('BEGIN');
        if (request && !(await writeKey(client, request, match.id))) throw new KeyUsed();
        const isNew = await insertRow(client, match, seal.seal(match.serverSeed, seedOfMatch(match.id)));
        if (!isNew) {
          await client.query('ROLLBACK');
          return false;
        }
        await guard?.(client);
        for (const { id, name } of newPlayers) {
          await client.query('INSERT INTO players (id, name) VALUES ($1, $2)', [id, name]);
        }
        if (match.version > 0) {
          const done = await appendMost(client, match);
          wrote = (await appendAll(client, [{ expected: done, match }])).alsoWrote;
        }
        await client.query('COMMIT');
        if (wrote) alsoWrite?.written();
        return true;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {});
        // A refusal of ours says nothing against the connection.
        if (!(error instanceof KeyUsed || error instanceof AtollError)) failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
      }
    },

    async row(id) {
      const found = await prisma.match.findUnique({ where: { id } });
      if (!found) return null;
      // Only a clock asks for them, and there are few.
      const outages = found.clock ? await prisma.outage.findMany({ where: { to: { gt: found.createdAt } } }) : [];
      return { ...opened(found), outages };
    },

    tail,

    async whole({ id, version, endedAt }) {
      return (endedAt ? await wholeFromReplica(id, version) : undefined) ?? tail(id, 0);
    },

    async since(id, { version, hash }) {
      if (version === 0) return tail(id, 0);
      const { rows } = await pool.query<LoggedEvent>({ name: 'since', text: SINCE, values: [id, version] });
      const last = rows.shift();
      if (last?.version !== version || Buffer.compare(last.hash, hash) !== 0) return null;
      const events = rows.map(shaped);
      return events.length < PAGE ? events : events.concat(await tail(id, version + events.length));
    },

    async versions(ids) {
      const found = await prisma.match.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, version: true },
      });
      return new Map(found.map(({ id, version }) => [id, version]));
    },

    async list(filter) {
      const isPast = filter.status === 'FINISHED' || filter.status === 'CANCELLED';
      const found = isPast ? await replica?.read((reader) => listFrom(reader, filter)) : undefined;
      return found ?? listFrom({ pool, prisma }, filter);
    },

    async turnsOf(playerId) {
      const found = await prisma.$queryRaw<{ id: string }[]>(
        Prisma.sql`SELECT id FROM matches WHERE ${toActIs(playerId)} ORDER BY id`,
      );
      return found.map(({ id }) => id);
    },

    async tablesOf(playerId) {
      const found = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
        SELECT id FROM matches
         WHERE origin IS NULL AND ((status IN ('OPEN', 'ACTIVE') AND ${sits(playerId)})
            OR (status = 'OPEN' AND creator_id = ${playerId}::uuid))
         ORDER BY id`);
      return found.map(({ id }) => id);
    },

    async overdue(now) {
      const where = { status: 'ACTIVE', deadline: { lte: now } } as const;
      const found = await prisma.match.findMany({
        where,
        select: { id: true },
        orderBy: { deadline: 'asc' },
        take: 1000,
      });
      return found.map(({ id }) => id);
    },

    async postpone({ id, version, ...match }) {
      await prisma.match.updateMany({ where: { id, version }, data: { deadline: firstDeadline(match) } });
    },

    async awaiting(playerIds) {
      const ids = [...playerIds];
      const found = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
        SELECT id FROM matches WHERE status = 'ACTIVE' AND seats && ${ids}::uuid[]
           AND EXISTS (SELECT FROM unnest(acting) AS a(seat) WHERE seats[a.seat + 1] = ANY(${ids}::uuid[]))
         ORDER BY id LIMIT 1000`);
      return found.map(({ id }) => id);
    },

    async rematch(id) {
      return (await prisma.match.findUnique({ where: { rematchOf: id }, select: { id: true } }))?.id ?? null;
    },
  };
}

const appendPlainly = appending();

/** Appends all but the last page of a long log, a page at a time: one statement for all of it would hold everybody up. */
async function appendMost(client: PoolClient, match: Match): Promise<number> {
  let expected = 0;
  for (; match.version - expected > PAGE; expected += PAGE) {
    const version = expected + PAGE;
    await appendPlainly(client, [{ expected, match: { ...match, version, events: match.events.upTo(version) } }]);
  }
  return expected;
}

/** Whether there was no match with this id yet. */
async function insertRow(client: PoolClient, match: Match, seed: Uint8Array): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO matches (id, game, rules, options, visibility, invite, creator_id, server_seed, created_at, status, seats,
                          acting, origin, position, imported_at, clock, takeover, rematch_of, reserved, draws)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'OPEN', $10, '{}', $11, $12, $13, $14, $15, $16, $17, $18)
     ON CONFLICT DO NOTHING`,
    [
      match.id,
      match.game,
      match.rules,
      JSON.stringify(match.options),
      match.visibility,
      match.invite,
      match.creatorId,
      seed,
      match.createdAt,
      match.seats.map(() => NOBODY),
      match.origin && JSON.stringify(match.origin),
      match.position && JSON.stringify(match.position),
      match.importedAt,
      match.clock && JSON.stringify(match.clock),
      match.takeover,
      match.rematchOf,
      (match.reserved ?? []).map((player) => player ?? NOBODY),
      match.draws,
    ],
  );
  return rowCount === 1;
}

const sits = (playerId: string): Prisma.Sql => Prisma.sql`seats @> ARRAY[${playerId}]::uuid[]`;

// Written so that PostgreSQL looks for the player alone: the index of statuses has every match that is being played.
const toActIs = (playerId: string): Prisma.Sql => Prisma.sql`(status = 'ACTIVE') IS TRUE AND ${sits(playerId)}
  AND EXISTS (SELECT FROM unnest(acting) AS a(seat) WHERE seats[a.seat + 1] = ${playerId}::uuid)`;

const playedBy = (playerId: string): Prisma.Sql => Prisma.sql`origin IS NULL AND (${sits(playerId)} OR id IN (
  SELECT match_id FROM events WHERE player_id = ${playerId}::uuid AND type IN ('RESIGNED', 'TIMED_OUT')))`;

function listQuery(filter: Filter): Prisma.Sql {
  const { game, status, seated, played, toAct, viewer, olderThan, newerThan, fromOldest, limit } = filter;
  const conditions = [Prisma.sql`true`];
  if (game !== undefined) conditions.push(Prisma.sql`game = ${game}`);
  if (status !== undefined) conditions.push(Prisma.sql`status = ${status}::"MatchStatus"`);
  if (seated !== undefined) conditions.push(sits(seated));
  if (played !== undefined) conditions.push(playedBy(played));
  if (toAct !== undefined) conditions.push(toActIs(toAct));
  if (olderThan !== undefined) conditions.push(Prisma.sql`id < ${olderThan}::uuid`);
  if (newerThan !== undefined) conditions.push(Prisma.sql`id > ${newerThan}::uuid`);
  if (viewer === undefined) conditions.push(Prisma.sql`visibility = 'PUBLIC'`);
  else conditions.push(Prisma.sql`(visibility = 'PUBLIC' OR creator_id = ${viewer}::uuid OR ${sits(viewer)})`);
  const all = Prisma.join(conditions, ' AND ');
  const order = fromOldest ? Prisma.sql`ORDER BY id` : Prisma.sql`ORDER BY id DESC`;
  // A player has few matches among many: the planner, which does not know whose they are, would walk through all.
  const isRare = seated !== undefined || toAct !== undefined || (played !== undefined && !isBot(played));
  return !isRare
    ? Prisma.sql`SELECT id FROM matches WHERE ${all} ${order} LIMIT ${limit}`
    : Prisma.sql`WITH hits AS MATERIALIZED (SELECT id FROM matches WHERE ${all})
        SELECT id FROM hits ${order} LIMIT ${limit}`;
}

const orNull = (player: string): string | null => (player === NOBODY ? null : player);

function summaryOf({ deadline: _derived, ...row }: MatchModel): Summary {
  return {
    ...row,
    options: row.options as object,
    draws: row.draws as Derivation,
    seatCount: row.seats.length,
    seats: row.seats.map(orNull),
    result: row.result as unknown as Result | null,
    origin: row.origin as unknown as Origin | null,
    position: row.position as object | null,
    clock: row.clock as unknown as Clock | null,
    reserved: row.reserved.length > 0 ? row.reserved.map(orNull) : null,
    outages: [],
  };
}
