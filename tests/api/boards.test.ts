/** Pictures are drawn once for all who may see the same. */
import { expect, test } from 'vitest';
import { drawnBoard } from '../../src/api/boards.ts';
import type { Scene } from '../../src/games/game.ts';
import type { Match } from '../../src/matches/log/records.ts';

const scene: Scene = { names: ['Ann', 'Ben'], acting: [0], result: null, last: null, legal: [], width: 'WIDE' };

function matchAt(version: number, drawn: string[]): Match {
  const engine = { svg: (view: { of: string }) => drawn[drawn.push(view.of) - 1] };
  return { id: 'm', engine, events: [{ hash: Buffer.from(String(version)) }] } as unknown as Match;
}

test('a picture of the same position for the same seat is drawn once', () => {
  const drawn: string[] = [];
  const look = (version: number, eyes: number | null, change: Partial<Scene> = {}) =>
    drawnBoard(matchAt(version, drawn), eyes, { of: `${version} ${eyes}` }, { ...scene, ...change });
  expect([look(1, null), look(1, null)]).toEqual(['1 null', '1 null']);
  expect(drawn).toHaveLength(1);
  expect([look(1, 0), look(1, 1), look(2, null)]).toEqual(['1 0', '1 1', '2 null']);
  expect(drawn).toHaveLength(4);
  for (const change of [{ names: ['Ann', null] }, { width: 'NARROW' }, { legal: ['cell:1,1'] }] as Partial<Scene>[])
    look(1, null, change);
  expect(drawn).toHaveLength(7);
  for (let version = 3; version < 300; version++) look(version, null);
  const before = drawn.length;
  look(1, null); // no longer remembered
  expect(drawn).toHaveLength(before + 1);
});
