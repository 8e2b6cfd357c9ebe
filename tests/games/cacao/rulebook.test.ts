/** docs/rules/cacao.md and the code say the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { JUNGLE_TILES, removedTiles, WATER_TRACK, WORKER_TILES } from '../../../src/games/cacao/data.ts';
import { OptionsSchema } from '../../../src/games/cacao/state.ts';

const root = new URL('../../../', import.meta.url);
const rulebook = readFileSync(new URL('docs/rules/cacao.md', root), 'utf8');
const rows = rulebook
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

it('every ruling that is cited is in the list, and the list is numbered without gaps', () => {
  const listed = [...rulebook.matchAll(/^- \*\*R(\d+)\. /gm)].map(([, n]) => Number(n));
  expect(listed).toEqual(listed.map((_, i) => i + 1));
  const files = ['src/games/cacao/', 'tests/games/cacao/'].flatMap((dir) =>
    readdirSync(new URL(dir, root)).map((file) => readFileSync(new URL(dir + file, root), 'utf8')),
  );
  const cited = [rulebook, ...files].flatMap((text) => [...text.matchAll(/\bR(\d+)\b/g)].map(([, n]) => Number(n)));
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter((n) => !listed.includes(n))).toEqual([]);
});

it.each(JUNGLE_TILES.map(({ label, name, box }) => ({ label, name, box })))('counts $label', ({ label, name, box }) => {
  const [, , inBox, back] = rows.find(([, first]) => first === label)!;
  expect(Number(inBox)).toBe(box);
  expect(Number.parseInt(back!, 10) || 0).toBe(removedTiles(1).filter((other) => other === name).length);
});

it.each([2, 3, 4] as const)('deals the worker tiles of %i players', (seats) => {
  const row = rows.find(([, first]) => first === String(seats))!;
  const copies = WORKER_TILES.map((tile) => tile.copies[seats]);
  expect(row.slice(2, 7).map(Number)).toEqual([...copies, copies.reduce((sum, n) => sum + n, 0)]);
});

it('has the water track and every option', () => {
  expect(rulebook).toContain(WATER_TRACK.map((value) => String(value).replace('-', '−')).join(', '));
  for (const option of Object.keys(OptionsSchema.properties)) {
    expect(rows.some(([, first]) => first === `\`${option}\``)).toBe(true);
  }
});
