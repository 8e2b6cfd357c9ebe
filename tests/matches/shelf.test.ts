import { expect, it } from 'vitest';
import type { Match } from '../../src/matches/log/records.ts';
import { EVENTS_OF_A_MATCH, openShelf } from '../../src/matches/log/shelf.ts';

const match = (id: string, version: number) => ({ id, version }) as Match;

it('keeps only so many matches, those that were used last, in their newest versions', () => {
  const shelf = openShelf(2);
  for (const id of ['a', 'b', 'a', 'c']) shelf.put(match(id, 5));
  expect(['a', 'b', 'c'].map((id) => shelf.get(id)?.version)).toEqual([5, undefined, 5]);
  shelf.put(match('a', 4));
  expect([shelf.get('a')?.version, shelf.size, shelf.events]).toEqual([5, 2, 10]);
});

it('counts long matches by their length, but drops none that somebody watches', () => {
  const shelf = openShelf(10);
  shelf.pin('watched');
  shelf.put(match('watched', EVENTS_OF_A_MATCH));
  for (let i = 0; i < 8; i++) shelf.put(match(`short ${i}`, 10));
  shelf.put(match('long', 9 * EVENTS_OF_A_MATCH));
  expect([shelf.size, shelf.events]).toEqual([2, 10 * EVENTS_OF_A_MATCH]);
  shelf.unpin('watched');
  shelf.put(match('longer', 20 * EVENTS_OF_A_MATCH));
  expect([shelf.size, shelf.get('longer')?.version]).toEqual([1, 20 * EVENTS_OF_A_MATCH]);
  shelf.removeAll(() => true);
  expect([shelf.size, shelf.events]).toEqual([0, 0]);
});
