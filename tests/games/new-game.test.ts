/** npm run new-game, in a copy of the project: what it writes is a game that passes every check. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Game } from '../../src/games/game.ts';
import { type Registry, registryOf } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { documentOf, numbered, playersOf } from '../../src/matches/proof/document.ts';
import { verify } from '../../src/matches/proof/verify.ts';
import { playedMatch } from '../../tools/record-matches.ts';
import { transcripts } from '../../tools/transcript.ts';
import { checkMatch, checkPlayOutFromGuess, checkSecrets } from './conformance/checks.ts';
// The example of a rules test that a new game begins with.
import '../../tools/new-game/rules.test.ts';

const root = mkdtempSync(join(tmpdir(), 'atoll-new-game-'));
afterAll(() => rmSync(root, { recursive: true }));

function run(...command: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

const newGame = (...args: string[]) => run('--import', 'tsx', 'tools/new-game.ts', ...args);

const FILES = ['actions', 'data', 'describe', 'effects', 'guess', 'index', 'label', 'rules', 'scoring', 'state', 'svg'];

beforeAll(() => {
  for (const path of ['src/games', 'src/errors.ts', 'tools', 'biome.json', 'package.json', 'tsconfig.json'])
    cpSync(path, join(root, path), { recursive: true });
  mkdirSync(join(root, 'docs/rules'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
});

describe('npm run new-game', () => {
  it('writes every file of a game, its rules, a test and its line in the registry', () => {
    const { status, text } = newGame('untitled', '--name', 'A Game Without a Name');
    expect({ status, text }).toMatchObject({ status: 0, text: expect.stringContaining('docs/adding-a-game.md') });
    expect(readdirSync(join(root, 'src/games/untitled'))).toEqual(
      [...FILES, 'targets', 'view'].map((name) => `${name}.ts`),
    );
    expect(readFileSync(join(root, 'docs/rules/untitled.md'), 'utf8')).toMatch(/^# A Game Without a Name\n/);
    expect(readFileSync(join(root, 'tests/games/untitled/rules.test.ts'), 'utf8')).toContain(
      "'../../../src/games/untitled/",
    );
    const registry = readFileSync(join(root, 'src/games/registry.ts'), 'utf8');
    expect(registry).toContain("import { untitled } from './untitled/index.ts';\n");
    expect(registry).toMatch(/registryOf\(\[[^\]]*, untitled\]\)/);
  });

  it('writes a game that passes the check of types, lint and format', () => {
    writeFileSync(
      join(root, 'tsconfig.new.json'),
      JSON.stringify({ extends: './tsconfig.json', include: ['src/games/registry.ts', 'src/games/untitled'] }),
    );
    expect(run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.new.json')).toEqual({ status: 0, text: '' });
    const paths = ['src/games/untitled', 'src/games/registry.ts', 'tests/games/untitled'];
    const biome = run(
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      '--vcs-enabled=false',
      ...paths,
    );
    expect(biome).toMatchObject({ status: 0, text: expect.stringContaining('No fixes applied') });
  });

  it('writes a game that passes the conformance suite, with transcripts and matches that can be verified', async () => {
    const { registry } = (await import(join(root, 'src/games/registry.ts'))) as { registry: Registry };
    const game: Game = registry.game('untitled');
    expect(game.name).toBe('A Game Without a Name');
    for (let seats = game.seats.min; seats <= game.seats.max; seats++) {
      for (let seed = 1; seed <= 30; seed++) {
        checkMatch(game, {}, seats, seed, root);
        checkPlayOutFromGuess(game, {}, seats, seed);
      }
      checkSecrets(game, {}, seats, 1, root);
      const alone = registryOf([game]);
      const match = playedMatch(game, {}, seats, fastRng(seats), 20, alone);
      expect(verify(alone, documentOf(match, numbered(playersOf(match)))).match.result).toEqual(match.result);
    }
    for (const { text } of transcripts([game])) expect(text()).toMatch(/^A Game Without a Name, base, .*result: /s);
  });

  it.each([
    [['--help'], 0, 'npm run new-game -- <id>'],
    [['untitled'], 1, 'There is a game "untitled" already: src/games/untitled exists'],
    [['cacao'], 1, 'There is a game "cacao" already'],
    [['My-Game'], 1, '"My-Game" cannot be an id'],
    [['class'], 1, '"class" cannot be an id'],
    [['go', '--name', '<b>'], 1, 'A name has letters'],
    [[], 1, 'Name one new game'],
  ])('given %j, ends with exit code %i and explains itself in one sentence', (args, status, sentence) => {
    const before = readFileSync(join(root, 'src/games/registry.ts'), 'utf8');
    const ran = newGame(...args);
    expect(ran).toMatchObject({ status, text: expect.stringContaining(sentence) });
    expect(ran.text).not.toContain('    at ');
    expect(readFileSync(join(root, 'src/games/registry.ts'), 'utf8')).toBe(before);
  });
});
