/** Lists of matches, and the ids of the matches in which a player, a clock or a bot is waiting. */
import type { Database } from '../../database/pool.ts';
import type { Reader } from '../../database/replica.ts';
import { type MatchStatus, Prisma } from '../../generated/prisma/client.ts';
import { isBot } from '../../players/bot-accounts.ts';
import type { Summary } from './records.ts';
import { openRow } from './rows.ts';

export interface Filter {
  game?: string;
  status?: MatchStatus;
  /** Only matches in which this player sits. */
  seated?: string;
  /**
   * Only matches that this player plays or has played, including those whose seat the player gave up, but no analyses.
   */
  played?: string;
  /** Only matches in which this player may act now. */
  toAct?: string;
  /** The player whose private matches are listed among the public ones. */
  viewer?: string;
  /** Only matches opened before this one. */
  olderThan?: string;
  /** Only matches opened after this one. */
  newerThan?: string;
  /** Lists the oldest first, with the limit counted from there; otherwise the newest first. */
  fromOldest?: boolean;
  limit: number;
}

export interface Lists {
  list(filter: Filter): Promise<Summary[]>;
  /** The ids of all matches in which this player may act now. */
  turnsOf(playerId: string): Promise<string[]>;
  /**
   * The ids of all unfinished matches in which this player sits, or which this player opened and which have not begun.
   */
  tablesOf(playerId: string): Promise<string[]>;
  /** The ids of running matches in which a clock has run out by `now`. */
  overdue(now: Date): Promise<string[]>;
  /** The ids of running matches in which one of these players may act now. */
  awaiting(playerIds: readonly string[]): Promise<string[]>;
}

export function listing(database: Database): Lists {
  const { pool, prisma, replica } = database;
  const opened = openRow(database);

  async function listFrom(reader: Reader, filter: Filter): Promise<Summary[]> {
    const found = await reader.prisma.$queryRaw<{ id: string }[]>(listQuery(filter));
    const rows = await reader.prisma.match.findMany({
      where: { id: { in: found.map(({ id }) => id) } },
      orderBy: { id: filter.fromOldest ? 'asc' : 'desc' },
    });
    return rows.map(opened);
  }

  return {
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

    async awaiting(playerIds) {
      const ids = [...playerIds];
      const found = await prisma.$queryRaw<{ id: string }[]>(Prisma.sql`
        SELECT id FROM matches WHERE status = 'ACTIVE' AND seats && ${ids}::uuid[]
           AND EXISTS (SELECT FROM unnest(acting) AS a(seat) WHERE seats[a.seat + 1] = ANY(${ids}::uuid[]))
         ORDER BY id LIMIT 1000`);
      return found.map(({ id }) => id);
    },
  };
}

const sits = (playerId: string): Prisma.Sql => Prisma.sql`seats @> ARRAY[${playerId}]::uuid[]`;

// Written so that PostgreSQL searches by player only: the index by status holds every match that is being played.
const toActIs = (playerId: string): Prisma.Sql => Prisma.sql`(status = 'ACTIVE') IS TRUE AND ${sits(playerId)}
  AND EXISTS (SELECT FROM unnest(acting) AS a(seat) WHERE seats[a.seat + 1] = ${playerId}::uuid)`;

const playedBy = (playerId: string): Prisma.Sql => Prisma.sql`origin IS NULL AND (${sits(playerId)} OR id IN (
  SELECT match_id FROM events WHERE player_id = ${playerId}::uuid AND type IN ('RESIGNED', 'TIMED_OUT')
  UNION ALL
  SELECT match_id FROM archived_logs WHERE sat @> ARRAY[${playerId}]::uuid[] AND ${playerId}::uuid = ANY (gave_up)))`;

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
  // A player has few matches among many. The planner does not know that and would walk through all of them.
  const isRare = seated !== undefined || toAct !== undefined || (played !== undefined && !isBot(played));
  return !isRare
    ? Prisma.sql`SELECT id FROM matches WHERE ${all} ${order} LIMIT ${limit}`
    : Prisma.sql`WITH hits AS MATERIALIZED (SELECT id FROM matches WHERE ${all})
        SELECT id FROM hits ${order} LIMIT ${limit}`;
}
