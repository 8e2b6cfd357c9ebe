import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { newId } from '../../src/id.ts';
import { playersById } from '../../src/players/by-id.ts';

/** A pool that knows every player but one, and the ids that each statement asked for. */
function poolWithout(missing?: string) {
  const asked: string[][] = [];
  const query = async ({ values: [ids] }: { values: [string[]] }) => {
    asked.push(ids);
    if (ids.includes('broken')) throw new Error('invalid input syntax for type uuid');
    const rows = ids.filter((id) => id !== missing).map((id) => ({ id, name: 'Ann', kind: 'HUMAN', skeleton: 'ann' }));
    return { rows: rows.reverse() }; // in any order
  };
  return { asked, byIds: playersById({ query } as unknown as Pool) };
}

test('one statement finds the players of all answers of a turn, each once', async () => {
  const [a, b, c] = [newId(), newId(), newId()];
  const { asked, byIds } = poolWithout(c);
  const ids = async (wanted: string[]) => (await byIds(wanted)).map((player) => player?.id);
  expect(await Promise.all([ids([a, b]), ids([b, c, a]), ids([])])).toEqual([[a, b], [b, undefined, a], []]);
  expect(asked).toEqual([[a, b, c]]);
  expect(await ids([b])).toEqual([b]); // asked for again: the name may have changed
  expect(asked).toHaveLength(2);
});

test('a text that is not an id finds nobody, and spoils nothing for others', async () => {
  const id = newId();
  const { byIds } = poolWithout();
  const [none, both] = await Promise.all([byIds(['broken']), byIds(['broken', id])]);
  expect(none).toEqual([null]);
  expect(both).toEqual([null, { id, name: 'Ann', kind: 'HUMAN', tag: null }]);
});
