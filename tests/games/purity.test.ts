/** Proves that the lint rule for the purity of games fails as it should, on a copy of the configuration. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const impure: [string, string, string][] = [
  ['a clock', 'export const x = Date.now();', 'A game knows no clock'],
  ['chance of its own', 'export const x = Math.random();', 'never from Math.random'],
  ['the process', 'export const x = process.env;', 'A game knows no process'],
  ['cryptography', 'export const x = crypto.randomUUID();', 'Chance comes from the rng'],
  ['files', "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;", 'nothing else'],
  ['the kernel', "import { play } from '../play.ts';\nexport const x = play;", 'nothing else'],
  ['the server', "import { y } from '../../errors.ts';\nexport const x = y;", 'nothing else'],
  ['another game', "import { y } from '../cacao/data.ts';\nexport const x = y;", 'nothing else'],
];

const pure = `import { Type } from 'typebox';
import type { Rng } from '../game.ts';
import { el } from '../svg.ts';
import { tiles } from './data.ts';

export const x = (rng: Rng) => [el('g'), tiles, Type.Number(), rng.int(2), Math.max(1, 2)];
`;

const dir = mkdtempSync(join(tmpdir(), 'atoll-purity-'));
const game = join(dir, 'src/games/anygame');
afterAll(() => rmSync(dir, { recursive: true }));

beforeAll(() => {
  mkdirSync(game, { recursive: true });
  mkdirSync(join(dir, 'tools'));
  for (const file of ['biome.json', 'tools/purity.grit']) cpSync(file, join(dir, file));
});

function lint(source: string): string {
  writeFileSync(join(game, 'rules.ts'), source);
  const biome = resolve('node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--vcs-enabled=false', 'src'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8' });
  return stdout + stderr;
}

describe('a game', () => {
  it.each(impure)('may not use %s', (_what, source, message) => {
    expect(lint(source)).toContain(message);
  });

  it('may use its own files, the contract, the pen and schemas', () => {
    expect(lint(pure)).toMatch(/Checked 1 file.*No fixes applied/);
  });
});
