/**
 * Everything that is stored about a player, as one document. Secrets (hashes of tokens, keys of webhooks) are left out.
 */
import type { Pool } from 'pg';
import type { Player } from './player.ts';

/**
 * Beyond this number the oldest rows are left out, and the document says so. Every match can also be exported on its
 * own.
 */
const MAX_ROWS = 100_000;

/** Every match in which the player ever sat. */
const SAT = `SELECT match_id FROM events WHERE player_id = $1 AND type IN ('JOINED', 'RESIGNED', 'TIMED_OUT')
  UNION ALL SELECT match_id FROM archived_logs WHERE sat @> ARRAY[$1]::uuid[]`;

/** The rows of a table that concern a player, or the reason why there are none. */
type Covered = { rows: string } | { nothing: string };

/**
 * What is exported of each table; $1 is the player. A test fails if a table is missing here, so that whoever adds one
 * decides which of its rows belong to a player.
 */
export const TABLES: Readonly<Record<string, Covered>> = {
  players: { rows: 'SELECT id, name, kind, skeleton, created_at FROM players WHERE id = $1' },
  tokens: {
    rows: `SELECT id, name, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_from
             FROM tokens WHERE player_id = $1 ORDER BY id`,
  },
  app_grants: {
    rows: `SELECT id, client, scopes, redirect_uri, created_at, expires_at, revoked_at, last_used_at
             FROM app_grants WHERE player_id = $1 ORDER BY id`,
  },
  refresh_tokens: {
    rows: `SELECT r.grant_id, r.created_at, r.used_at FROM refresh_tokens r
             JOIN app_grants g ON g.id = r.grant_id WHERE g.player_id = $1 ORDER BY r.created_at`,
  },
  device_requests: {
    rows: `SELECT d.client, d.scopes, d.answered_at, d.expires_at FROM device_requests d
             JOIN app_grants g ON g.id = d.grant_id WHERE g.player_id = $1 ORDER BY d.expires_at`,
  },
  sessions: {
    rows: 'SELECT id, device, created_at, last_used_at, expires_at FROM sessions WHERE player_id = $1 ORDER BY id',
  },
  passkeys: {
    rows: 'SELECT id, name, transports, counter, created_at, last_used_at FROM passkeys WHERE player_id = $1 ORDER BY id',
  },
  recovery_codes: { rows: 'SELECT created_at, used_at FROM recovery_codes WHERE player_id = $1 ORDER BY created_at' },
  sign_in_addresses: { rows: 'SELECT address, created_at FROM sign_in_addresses WHERE player_id = $1' },
  sign_in_mails: { rows: 'SELECT attempts, expires_at FROM sign_in_mails WHERE player_id = $1 ORDER BY id' },
  challenges: { rows: 'SELECT purpose, expires_at FROM challenges WHERE player_id = $1 ORDER BY expires_at' },
  emails: { rows: 'SELECT address, confirmed_at, code_expires_at FROM emails WHERE player_id = $1' },
  mail_codes: {
    rows: `SELECT encode(digest, 'hex') AS address_digest, sent_at FROM mail_codes WHERE player_id = $1 ORDER BY id`,
  },
  webhooks: {
    rows: `SELECT id, match_id, url, format, events, created_at, disabled_at, disabled_reason
             FROM webhooks WHERE player_id = $1 ORDER BY id`,
  },
  deliveries: {
    rows: `SELECT id, webhook_id, type, match_id, version, seat, at, deadline, status, attempts, response_code, last_error,
                  created_at, attempted_at, next_attempt_at
             FROM deliveries WHERE player_id = $1 ORDER BY created_at DESC`,
  },
  notices: { rows: 'SELECT type, match_id, version, seat, at, deadline FROM notices WHERE player_id = $1 ORDER BY id' },
  matches: {
    rows: `SELECT id, game, rules, options, visibility, status, creator_id = $1 AS opened, array_position(seats, $1) - 1 AS seat,
                  array_position(reserved, $1) - 1 AS reserved_seat, CASE WHEN creator_id = $1 THEN invite END AS invite,
                  result, created_at, started_at, ended_at, imported_at, rematch_of
             FROM matches
            WHERE creator_id = $1 OR seats @> ARRAY[$1]::uuid[] OR id IN (${SAT}) ORDER BY id DESC`,
  },
  events: {
    rows: `SELECT match_id, version, type, seat, action, action_id, entropy, label, at FROM events
            WHERE player_id = $1 AND match_id IN (${SAT} UNION SELECT id FROM matches WHERE creator_id = $1)
            ORDER BY match_id DESC, version DESC`,
  },
  archived_logs: {
    rows: `SELECT match_id, archived_at, $1 = ANY (gave_up) AS gave_up FROM archived_logs
            WHERE sat @> ARRAY[$1]::uuid[] ORDER BY match_id DESC`,
  },
  rematches: { nothing: 'Which match is the rematch of which, as the matches themselves say.' },
  request_keys: {
    rows: `SELECT encode(key, 'hex') AS key_digest, made, at FROM request_keys WHERE player_id = $1 ORDER BY at`,
  },
  quota_counts: { rows: 'SELECT what, since, used FROM quota_counts WHERE who = $1::text ORDER BY since' },
  presences: { rows: 'SELECT seen_at FROM presences WHERE player_id = $1' },
  privacy: { rows: 'SELECT listed, matches, online FROM privacy WHERE player_id = $1' },
  bans: { rows: 'SELECT reason, at, until FROM bans WHERE player_id = $1' },
  // The names of those who reported the player are not exported, to protect them.
  reports: {
    rows: `SELECT id, CASE WHEN reporter_id = $1 THEN 'by' ELSE 'about' END AS direction, match_id, text, created_at, closed_at,
                  CASE WHEN reporter_id = $1 THEN player_id END AS player_id
             FROM reports WHERE reporter_id = $1 OR player_id = $1 ORDER BY id`,
  },
  audit_entries: { rows: 'SELECT at, action, match_id, details FROM audit_entries WHERE player_id = $1 ORDER BY id' },
  outages: { nothing: 'Periods in which no server was up.' },
  heartbeat: { nothing: 'When a server was last up.' },
  push_keys: { nothing: 'The key pair of the server itself.' },
  _prisma_migrations: { nothing: 'The migrations that have been applied.' },
};

export interface AccountDocument {
  format: 'atoll/account';
  exportedAt: string;
  playerId: string;
  /** The tables whose oldest rows were left out. */
  shortened: string[];
  /** The exported rows of each table. */
  data: Record<string, object[]>;
}

/** `archived`: the player's events in archived matches, as rows of the table `events`, newest match first. */
export async function exportAccount(
  pool: Pool,
  player: Player,
  archived: AsyncIterable<object>,
  now = new Date(),
): Promise<AccountDocument> {
  const data: Record<string, object[]> = {};
  const shortened: string[] = [];
  for (const [table, covered] of Object.entries(TABLES)) {
    if ('nothing' in covered) continue;
    const { rows } = await pool.query<object>(`${covered.rows} LIMIT ${MAX_ROWS + 1}`, [player.id]);
    if (table === 'events') await addArchived(rows as EventRow[], archived as AsyncIterable<EventRow>);
    if (rows.length > MAX_ROWS) shortened.push(table);
    data[table] = rows.slice(0, MAX_ROWS);
  }
  return { format: 'atoll/account', exportedAt: now.toISOString(), playerId: player.id, shortened, data };
}

interface EventRow {
  match_id: string;
  version: number;
}

/** Newest first, whether they are in the database or in cold storage. */
async function addArchived(rows: EventRow[], archived: AsyncIterable<EventRow>): Promise<void> {
  const from = rows.length;
  for await (const row of archived) if (rows.push(row) - from > MAX_ROWS) break;
  if (rows.length > from)
    rows.sort((a, b) => (a.match_id === b.match_id ? b.version - a.version : a.match_id < b.match_id ? 1 : -1));
}
