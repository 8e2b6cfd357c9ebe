/** What an operator can list: players, matches and reports, newest first. */
import type { Pool } from 'pg';

export interface PlayerRow {
  id: string;
  name: string;
  kind: string;
  kept: boolean;
  createdAt: Date;
  seenAt: Date | null;
  banned: string | null;
  reports: number;
}

const PLAYERS = `
SELECT p.id, p.name, p.kind, p.skeleton IS NOT NULL AS kept, p.created_at AS "createdAt", s.seen_at AS "seenAt",
       b.reason AS banned, (SELECT count(*)::int FROM reports r WHERE r.player_id = p.id AND r.closed_at IS NULL) AS reports
  FROM players p
  LEFT JOIN presences s ON s.player_id = p.id
  LEFT JOIN bans b ON b.player_id = p.id AND (b.until IS NULL OR b.until > now())
 WHERE ($1::text IS NULL OR strpos(lower(p.name), lower($1)) > 0) AND (NOT $2 OR b.player_id IS NOT NULL)
   AND ($4::uuid IS NULL OR p.id = $4)
 ORDER BY p.id DESC LIMIT $3`;

export interface PlayerFilter {
  search?: string | undefined;
  banned?: boolean | undefined;
  id?: string | undefined;
  first: number;
}

/** Players whose names contain the search text. */
export const listPlayers = async (pool: Pool, filter: PlayerFilter): Promise<PlayerRow[]> =>
  (
    await pool.query<PlayerRow>(PLAYERS, [
      filter.search ?? null,
      filter.banned ?? false,
      filter.first,
      filter.id ?? null,
    ])
  ).rows;

export interface MatchRow {
  id: string;
  game: string;
  status: string;
  visibility: string;
  version: number;
  /** The player of each seat; null where it is free. */
  players: (string | null)[];
  acting: number[];
  createdAt: Date;
  lastEventAt: Date | null;
  deadline: Date | null;
}

const MATCHES = `
SELECT m.id, m.game, m.status, m.visibility, m.version, m.acting, m.created_at AS "createdAt", m.deadline,
       ARRAY(SELECT p.name FROM unnest(m.seats) WITH ORDINALITY AS s(id, n) LEFT JOIN players p ON p.id = s.id ORDER BY s.n)
         AS players,
       coalesce((SELECT at FROM events e WHERE e.match_id = m.id AND e.version = m.version), m.ended_at) AS "lastEventAt"
  FROM matches m
 WHERE ($1::uuid IS NULL OR m.seats @> ARRAY[$1]::uuid[] OR m.creator_id = $1)
   AND ($2::text IS NULL OR m.status::text = $2) AND ($3::text IS NULL OR m.game = $3) AND ($5::uuid IS NULL OR m.id = $5)
 ORDER BY m.id DESC LIMIT $4`;

export interface MatchFilter {
  playerId?: string | undefined;
  status?: string | undefined;
  game?: string | undefined;
  id?: string | undefined;
  first: number;
}

export const listMatches = async (pool: Pool, filter: MatchFilter): Promise<MatchRow[]> => {
  const { playerId, status, game, first, id } = filter;
  const values = [playerId ?? null, status?.toUpperCase() ?? null, game ?? null, first, id ?? null];
  return (await pool.query<MatchRow>(MATCHES, values)).rows;
};

export interface ReportRow {
  id: string;
  createdAt: Date;
  reporterId: string;
  reporter: string | null;
  playerId: string | null;
  player: string | null;
  matchId: string | null;
  text: string;
  closedAt: Date | null;
  note: string | null;
}

const REPORTS = `
SELECT r.id, r.created_at AS "createdAt", r.reporter_id AS "reporterId", f.name AS reporter, r.player_id AS "playerId",
       p.name AS player, r.match_id AS "matchId", r.text, r.closed_at AS "closedAt", r.note
  FROM reports r LEFT JOIN players f ON f.id = r.reporter_id LEFT JOIN players p ON p.id = r.player_id
 WHERE $1 OR r.closed_at IS NULL
 ORDER BY r.id DESC LIMIT $2`;

/** Reports that are still open, or all of them. */
export const listReports = async (pool: Pool, all: boolean, first: number): Promise<ReportRow[]> =>
  (await pool.query<ReportRow>(REPORTS, [all, first])).rows;
