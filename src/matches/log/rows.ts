/** The row of a match: how it is read, and how a new match is written with everything that belongs to it. */
import type { Pool, PoolClient } from 'pg';
import type { Database } from '../../database/pool.ts';
import { KeyUsed, type RequestKey, writeKey } from '../../database/request-keys.ts';
import { seedOfMatch } from '../../database/secrets/seal.ts';
import { AtollError } from '../../errors.ts';
import type { Result } from '../../games/game.ts';
import type { MatchModel } from '../../generated/prisma/models.ts';
import type { Guard } from '../../quotas.ts';
import { type AlsoWrite, type Append, appending, NOBODY } from './append.ts';
import { PAGE } from './reading.ts';
import type { Clock, Derivation, Match, Origin, Summary } from './records.ts';

/** Reads a row and unseals its seed. */
export const openRow =
  ({ seal }: Pick<Database, 'seal'>) =>
  (row: MatchModel): Summary =>
    summaryOf({ ...row, serverSeed: seal.open(row.serverSeed, seedOfMatch(row.id)) });

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

export interface CreateOptions {
  /** Players that are not in the database yet. */
  newPlayers?: readonly { id: string; name: string }[];
  /** The request that made the match. It is recorded exactly if the match is. */
  request?: RequestKey | null;
  /** Runs in the same transaction; if it throws, everything is undone. */
  guard?: Guard;
}

/**
 * Resolves to false, with nothing changed, if there is a match with this id or another rematch of the same match.
 * Throws KeyUsed if another request with this key came first.
 */
export type Create = (match: Match, more?: CreateOptions) => Promise<boolean>;

interface CreatingParts extends Pick<Database, 'seal' | 'writes'> {
  pool: Pool;
  appendAll: ReturnType<typeof appending>;
  alsoWrite: AlsoWrite | undefined;
}

/** One transaction: the key of the request, the row, its guard, and every event that the match begins with. */
export function creating({ pool, seal, writes, appendAll, alsoWrite }: CreatingParts): Create {
  return async (match, { newPlayers = [], request = null, guard } = {}) => {
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
      // A refusal of our own does not mean that the connection is broken.
      if (!(error instanceof KeyUsed || error instanceof AtollError)) failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  };
}

/** One transaction: the guard, and an append. Resolves to false, with nothing changed, if another append came first. */
export function appendingGuarded({ pool, writes, appendAll, alsoWrite }: Omit<CreatingParts, 'seal'>) {
  return async (one: Append, guard: Guard): Promise<boolean> => {
    writes.check();
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('BEGIN');
      await guard(client);
      const { moved, alsoWrote } = await appendAll(client, [one]);
      await client.query('COMMIT');
      if (alsoWrote) alsoWrite?.written();
      return moved.has(one.match.id);
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      if (!(error instanceof AtollError)) failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  };
}

const appendPlainly = appending();

/**
 * Appends all but the last page of a long log, one page at a time: a single statement for all of it would hold others
 * up.
 */
async function appendMost(client: PoolClient, match: Match): Promise<number> {
  let expected = 0;
  for (; match.version - expected > PAGE; expected += PAGE) {
    const version = expected + PAGE;
    await appendPlainly(client, [{ expected, match: { ...match, version, events: match.events.upTo(version) } }]);
  }
  return expected;
}

/** A rematch is claimed first: if two are opened at once for the same match, one of them is not inserted. */
const INSERT = `
WITH claimed AS (
  INSERT INTO rematches (rematch_of, match_id) SELECT $16::uuid, $1::uuid WHERE $16 IS NOT NULL
  ON CONFLICT DO NOTHING RETURNING rematch_of
)
INSERT INTO matches (id, game, rules, options, visibility, invite, creator_id, server_seed, created_at, status, seats,
                     acting, origin, position, imported_at, clock, takeover, rematch_of, reserved, draws)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, 'OPEN', $10, '{}', $11, $12, $13, $14, $15, $16, $17, $18
 WHERE $16 IS NULL OR EXISTS (SELECT FROM claimed)
ON CONFLICT DO NOTHING`;

/** Returns whether there was neither a match with this id nor another rematch of the same match. */
async function insertRow(client: PoolClient, match: Match, seed: Uint8Array): Promise<boolean> {
  const { rowCount } = await client.query(INSERT, [
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
  ]);
  return rowCount === 1;
}
