/** Where matches are kept: the rows behind match.ts. */
import type { PoolClient } from 'pg';
import type { Database } from '../database/pool.ts';
import type { Result } from '../games/game.ts';
import { type MatchStatus, Prisma } from '../generated/prisma/client.ts';
import type { MatchModel } from '../generated/prisma/models.ts';
import { type Append, appender, appending, type Beside, NOBODY } from './append.ts';
import { type Clock, firstDeadline } from './clock.ts';
import type { LoggedEvent, Match, MatchRow, Origin, Summary } from './match.ts';

export interface Filter {
  game?: string;
  status?: MatchStatus;
  /** Only matches in which this player sits. */
  seated?: string;
  /** Only matches in which this player may act now. */
  toAct?: string;
  /** Whose private matches are shown among the public ones. */
  viewer?: string;
  /** Only matches older than this one. */
  before?: string;
  limit: number;
}

export interface Store {
  /** False: another append came first, and nothing was changed. */
  append(append: Append): Promise<boolean>;
  /** With players that are not in the database yet. False: there is a match with this id, and nothing was changed. */
  create(match: Match, newPlayers?: readonly { id: string; name: string }[]): Promise<boolean>;
  row(id: string): Promise<MatchRow | null>;
  /** The events after that version, in order. */
  tail(id: string, after: number): Promise<LoggedEvent[]>;
  /** The current versions of these matches. */
  versions(ids: readonly string[]): Promise<Map<string, number>>;
  list(filter: Filter): Promise<Summary[]>;
  /** The ids of all matches in which this player may act now. */
  turnsOf(playerId: string): Promise<string[]>;
  /** The ids of running matches in which a clock is up by then. */
  overdue(now: Date): Promise<string[]>;
  /** Writes down anew when the first clock of a match is up: an outage has moved it, and no event did. */
  postpone(match: Match): Promise<void>;
  /** The ids of running matches in which one of these players may act now. */
  awaiting(playerIds: readonly string[]): Promise<string[]>;
  /** The id of the rematch of a match. */
  rematch(id: string): Promise<string | null>;
}

const TAIL = `
SELECT version, type, seat, player_id AS "playerId", action, action_id AS "actionId", entropy, label, secret, epoch, drew,
       acting, encode(state_hash, 'hex') AS "stateHash", hash, at
  FROM events WHERE match_id = $1 AND version > $2 ORDER BY version`;

export interface StoreOptions {
  /** Told how long each append took. */
  onAppend?: (seconds: number) => void;
  beside?: Beside;
}

export function openStore({ pool, prisma }: Database, { onAppend = () => {}, beside }: StoreOptions = {}): Store {
  const appendAll = appending(beside);
  const append = appender(pool, appendAll, beside?.written);
  return {
    async append(one) {
      const start = performance.now();
      try {
        return await append(one);
      } finally {
        onAppend((performance.now() - start) / 1000);
      }
    },

    async create(match, newPlayers = []) {
      const client = await pool.connect();
      let failure: Error | undefined;
      let wrote = false;
      try {
        await client.query('BEGIN');
        const isNew = await insertRow(client, match);
        if (!isNew) {
          await client.query('ROLLBACK');
          return false;
        }
        for (const { id, name } of newPlayers) {
          await client.query('INSERT INTO players (id, name) VALUES ($1, $2)', [id, name]);
        }
        if (match.version > 0) {
          wrote = (await appendAll(client, [{ expected: 0, match }])).beside;
        }
        await client.query('COMMIT');
        if (wrote) beside?.written();
        return true;
      } catch (error) {
        failure = error as Error;
        await client.query('ROLLBACK').catch(() => {});
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
      return { ...summaryOf(found), outages };
    },

    async tail(id, after) {
      const { rows } = await pool.query<LoggedEvent>({ name: 'tail', text: TAIL, values: [id, after] });
      return rows;
    },

    async versions(ids) {
      const found = await prisma.match.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, version: true },
      });
      return new Map(found.map(({ id, version }) => [id, version]));
    },

    async list(filter) {
      const found = await prisma.$queryRaw<{ id: string }[]>(listQuery(filter));
      const rows = await prisma.match.findMany({
        where: { id: { in: found.map(({ id }) => id) } },
        orderBy: { id: 'desc' },
      });
      return rows.map(summaryOf);
    },

    async turnsOf(playerId) {
      const found = await prisma.$queryRaw<{ id: string }[]>(
        Prisma.sql`SELECT id FROM matches WHERE ${toActIs(playerId)} ORDER BY id`,
      );
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

/** Whether there was no match with this id yet. */
async function insertRow(client: PoolClient, match: Match): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO matches (id, game, rules, options, visibility, invite, creator_id, server_seed, created_at, status, seats,
                          acting, origin, position, imported_at, clock, takeover, rematch_of, reserved)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'OPEN', $10, '{}', $11, $12, $13, $14, $15, $16, $17)
     ON CONFLICT DO NOTHING`,
    [
      match.id,
      match.game,
      match.rules,
      JSON.stringify(match.options),
      match.visibility,
      match.invite,
      match.creatorId,
      match.serverSeed,
      match.createdAt,
      match.seats.map(() => NOBODY),
      match.origin && JSON.stringify(match.origin),
      match.position && JSON.stringify(match.position),
      match.importedAt,
      match.clock && JSON.stringify(match.clock),
      match.takeover,
      match.rematchOf,
      (match.reserved ?? []).map((player) => player ?? NOBODY),
    ],
  );
  return rowCount === 1;
}

const sits = (playerId: string): Prisma.Sql => Prisma.sql`seats @> ARRAY[${playerId}]::uuid[]`;

const toActIs = (playerId: string): Prisma.Sql => Prisma.sql`status = 'ACTIVE' AND ${sits(playerId)}
  AND EXISTS (SELECT FROM unnest(acting) AS a(seat) WHERE seats[a.seat + 1] = ${playerId}::uuid)`;

function listQuery(filter: Filter): Prisma.Sql {
  const { game, status, seated, toAct, viewer, before, limit } = filter;
  const conditions = [Prisma.sql`true`];
  if (game !== undefined) conditions.push(Prisma.sql`game = ${game}`);
  if (status !== undefined) conditions.push(Prisma.sql`status = ${status}::"MatchStatus"`);
  if (seated !== undefined) conditions.push(sits(seated));
  if (toAct !== undefined) conditions.push(toActIs(toAct));
  if (before !== undefined) conditions.push(Prisma.sql`id < ${before}::uuid`);
  if (viewer === undefined) conditions.push(Prisma.sql`visibility = 'PUBLIC'`);
  else conditions.push(Prisma.sql`(visibility = 'PUBLIC' OR creator_id = ${viewer}::uuid OR ${sits(viewer)})`);
  const all = Prisma.join(conditions, ' AND ');
  // A player has few matches among many: the planner, which does not know whose they are, would walk through all.
  return seated === undefined && toAct === undefined
    ? Prisma.sql`SELECT id FROM matches WHERE ${all} ORDER BY id DESC LIMIT ${limit}`
    : Prisma.sql`WITH hits AS MATERIALIZED (SELECT id FROM matches WHERE ${all})
        SELECT id FROM hits ORDER BY id DESC LIMIT ${limit}`;
}

const orNull = (player: string): string | null => (player === NOBODY ? null : player);

function summaryOf({ deadline: _derived, ...row }: MatchModel): Summary {
  return {
    ...row,
    options: row.options as object,
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
