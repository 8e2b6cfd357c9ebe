/** Seals every secret of a database again with the first key, after a key was added or before one is removed. */
import type { Database } from '../pool.ts';
import { PUSH_KEY, secretOfWebhook, seedOfMatch } from './seal.ts';

const PAGE = 500;

/** How many secrets were sealed again. */
export interface Resealed {
  matches: number;
  webhooks: number;
  pushKeys: number;
}

export async function reseal({ pool, seal }: Database): Promise<Resealed> {
  const again = (stored: Uint8Array | null, place: string) =>
    stored && (seal.isCurrent(stored) ? stored : seal.seal(seal.open(stored, place), place));

  async function each(table: string, columns: string[], placeOf: (id: string) => string): Promise<number> {
    let changed = 0;
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      const { rows } = await pool.query<Record<string, Buffer | null> & { id: string }>(
        `SELECT id, ${columns.join()} FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
        [last],
      );
      for (const row of rows) {
        const sealed = columns.map((column) => again(row[column] as Buffer | null, placeOf(row.id)));
        if (sealed.every((bytes, i) => bytes === row[columns[i] as string])) continue;
        const set = columns.map((column, i) => `${column} = $${i + 2}`);
        // Only if it has not been changed meanwhile: a rotated secret is sealed with the first key anyway.
        const same = columns.map((column, i) => `${column} IS NOT DISTINCT FROM $${i + 2 + columns.length}`);
        const before = columns.map((column) => row[column]);
        await pool.query(`UPDATE ${table} SET ${set.join()} WHERE id = $1 AND ${same.join(' AND ')}`, [
          row.id,
          ...sealed,
          ...before,
        ]);
        changed++;
      }
      last = rows.at(-1)?.id ?? last;
      if (rows.length < PAGE) return changed;
    }
  }

  /** At most one row, whose id is not a UUID. */
  async function pushKey(): Promise<number> {
    const { rows } = await pool.query<{ key: Buffer }>('SELECT private_key AS key FROM push_keys');
    const [row] = rows;
    if (!row || seal.isCurrent(row.key)) return 0;
    await pool.query('UPDATE push_keys SET private_key = $1 WHERE private_key = $2', [
      again(row.key, PUSH_KEY),
      row.key,
    ]);
    return 1;
  }

  return {
    matches: await each('matches', ['server_seed'], seedOfMatch),
    webhooks: await each('webhooks', ['secret', 'old_secret'], secretOfWebhook),
    pushKeys: await pushKey(),
  };
}
