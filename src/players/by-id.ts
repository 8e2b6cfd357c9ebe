/** Looks up players by their ids. */
import type { Pool } from 'pg';
import { isId } from '../id.ts';
import type { NamedRow } from './name.ts';
import type { Player } from './player.ts';
import { playerOf } from './rows.ts';

const FIND = 'SELECT id, name, kind, skeleton FROM players WHERE id = ANY($1::uuid[])';

type Found = ReadonlyMap<string, Player>;

/**
 * One statement finds all players that are asked for in one turn of the event loop. Every receipt names the players of
 * its match, and appends are committed many at a time.
 */
export function playersById(pool: Pool): (ids: readonly string[]) => Promise<(Player | null)[]> {
  let waiting: { ids: Set<string>; found: Promise<Found> } | undefined;

  async function find(ids: ReadonlySet<string>): Promise<Found> {
    await new Promise(setImmediate);
    waiting = undefined;
    const values = [[...ids]];
    const { rows } = await pool.query<NamedRow>({ name: 'players', text: FIND, values });
    return new Map(rows.map((row) => [row.id, playerOf(row)]));
  }

  return async (asked) => {
    const ids = asked.filter(isId); // one that is not an id would spoil the statement for all
    if (ids.length === 0) return asked.map(() => null);
    if (!waiting) {
      const all = new Set<string>();
      waiting = { ids: all, found: find(all) };
    }
    for (const id of ids) waiting.ids.add(id);
    const found = await waiting.found;
    return asked.map((id) => found.get(id) ?? null);
  };
}
