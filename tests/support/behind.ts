/** Puts the log of a match back, as a failover to a standby does that had not received the last events. */
import type { Pool } from 'pg';

const COPY = ['version', 'status', 'seats', 'acting', 'result', 'started_at', 'ended_at', 'deadline'];

/** As no client of ours could: the log refuses to lose anything. */
export async function behindItsBack(pool: Pool, ...statements: [string, unknown[]][]): Promise<void> {
  const client = await pool.connect();
  await client.query('SET session_replication_role = replica');
  for (const [sql, values] of statements) await client.query(sql, values);
  client.release(true);
}

/** What puts a match back to what the database holds of it now. */
export async function standbyOf(pool: Pool, id: string): Promise<() => Promise<void>> {
  const { rows } = await pool.query('SELECT * FROM matches WHERE id = $1', [id]);
  return async () => {
    const set = COPY.map((column, i) => `${column} = $${i + 2}`);
    await behindItsBack(
      pool,
      ['DELETE FROM events WHERE match_id = $1 AND version > $2', [id, rows[0].version]],
      [`UPDATE matches SET ${set} WHERE id = $1`, [id, ...COPY.map((column) => rows[0][column])]],
    );
  };
}
