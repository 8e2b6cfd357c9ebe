/** The commands that people type: they work, they help, and they say what is wrong. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { registry } from '../../src/games/registry.ts';
import { randomMatch, type Step } from '../../tools/random-match.ts';
import { sceneOf } from '../../tools/scene.ts';

const dir = mkdtempSync(join(tmpdir(), 'atoll-tools-'));
afterAll(() => rmSync(dir, { recursive: true }));

interface Ran {
  status: number | null;
  text: string;
}

/** As a person does. */
function spawned(tool: string, ...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', `tools/${tool}.ts`, ...args], {
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

let runs = 0;

/** In this process, because to start another takes longer than what most of these do. */
async function run(tool: string, ...args: string[]): Promise<Ran> {
  const { argv } = process;
  const lines: string[] = [];
  const say = (...words: unknown[]) => void lines.push(`${words.map(String).join(' ')}\n`);
  const spies = [vi.spyOn(console, 'log').mockImplementation(say), vi.spyOn(console, 'error').mockImplementation(say)];
  process.argv = [...argv.slice(0, 2), ...args];
  process.exitCode = 0;
  try {
    // Another address each time, or it would not run again.
    await import(/* @vite-ignore */ `${resolve('tools', tool)}.ts?${runs++}`);
    return { status: process.exitCode, text: lines.join('') };
  } finally {
    process.argv = argv;
    process.exitCode = 0;
    for (const spy of spies) spy.mockRestore();
  }
}

describe('npm run play', () => {
  it('prints a match and draws the table as it stood', () => {
    const file = join(dir, 'table.svg');
    const { status, text } = spawned(
      'play',
      'cacao',
      '--seats',
      '3',
      '--seed',
      '7',
      '--at',
      '12',
      '--seat',
      '1',
      '--svg',
      file,
    );
    expect(status).toBe(0);
    expect(text.split('\n').filter((line) => /^ {2,}\d+ [ABC] {2}\S/.test(line))).toHaveLength(12);
    expect(text).toContain('the table after 12 actions, as seat B sees it');
    expect(readFileSync(file, 'utf8')).toMatch(/^<svg /);
  });

  it('tells what happened by itself, and describes and draws the table for a phone', async () => {
    const file = join(dir, 'phone.svg');
    const args = ['--seed', '3', '--at', '30', '--seat', '0', '--describe', '--svg', file, '--width', 'narrow'];
    const { status, text } = await run('play', 'cacao', ...args);
    expect(status).toBe(0);
    expect(text).toMatch(/\n {10}· A harvested 1 cacao/);
    expect(text).toContain('You are A (red).');
    const game = registry.game('cacao');
    const last = [...randomMatch(game, {}, 2, 3)][29] as Step;
    const scene = sceneOf(game, { state: last.next, seats: 2, eyes: 0, step: last }, { width: 'NARROW' });
    expect(readFileSync(file, 'utf8')).toBe(game.svg(game.view(last.next, 0), scene));
  });

  it.each([
    [['--help'], 0, 'npm run play -- <game>'],
    [['cacao', '--rules', '999'], 1, 'The game "cacao" has no rules version 999'],
    [['cacao', '--width', 'huge'], 1, '--width is wide or narrow'],
    [['poker'], 1, 'There is no game "poker"'],
    [['cacao', '--seats', '9'], 1, '--seats takes a whole number from 2 to 4, not "9"'],
    [['cacao', '--at', '9999'], 1, 'is too late'],
    [['cacao', '--nonsense'], 1, 'Unknown option'],
    [[], 1, 'Name one game'],
  ])('%j: exit code %i and a sentence', async (args, status, sentence) => {
    const ran = await run('play', ...args);
    expect(ran).toMatchObject({ status, text: expect.stringContaining(sentence) });
    expect(ran.text).not.toContain('    at ');
  });
});

describe('npm run replay', () => {
  it('plays a failed match back, step by step', async () => {
    const game = registry.game('cacao');
    const moves = [...randomMatch(game, {}, 2, 3)]
      .slice(0, 9)
      .map(({ stream, seat, action }) => ({ stream, seat, action }));
    const file = join(dir, 'failed.json');
    writeFileSync(
      file,
      JSON.stringify({ game: 'cacao', rules: game.rules, options: {}, seats: 2, seed: 3, moves, error: 'it leaked' }),
    );
    const { status, text } = await run('replay', file);
    expect(status).toBe(0);
    expect(text.split('\n').filter((line) => /^ {2,}\d+ [AB] {2}\S/.test(line))).toHaveLength(9);
    expect(text).toContain('it failed with: it leaked');
    expect(await run('replay', join(dir, 'none.json'))).toMatchObject({
      status: 1,
      text: expect.stringContaining('cannot be read'),
    });
  });
});

it('npm run soak says how far it is and what it found', () => {
  const { status, text } = spawned('soak', '--matches', '2', '--game', 'hashi', '--seats', '2');
  expect(status).toBe(0);
  expect(text).toMatch(/Hashi, 2 seats: 2 matches, \d+ actions and \d+ pairs of twin states, all sound/);
});

it('npm run bench:games prints a JSON line per table', () => {
  const { status, text } = spawned('bench/games', '--game', 'hashi', '--seats', '3', '--seconds', '1');
  expect(status).toBe(0);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const tables = Object.keys(registry.game('hashi').variants).map((variant) => ({
    game: 'hashi',
    variant,
    seats: 3,
    actionsPerSecond: expect.any(Number),
  }));
  expect(lines).toMatchObject(tables);
});

it.each([
  ['bench/server', ['--help'], 0, 'npm run bench:server -- [options]'],
  ['bench/server', ['--via', 'pigeon'], 1, '--via takes a list of http, socket, not "pigeon"'],
  ['bench/growth', ['--only', 'sideways'], 1, '--only takes a list of length, stored, memory, disk, not "sideways"'],
  ['peers/peers', ['--only', 'chess'], 1, '--only takes a list of pgbench, memory, bare, postgres, not "chess"'],
] as const)('%s %j: exit code %i and a sentence', async (tool, args, status, sentence) => {
  expect(await run(tool, ...args)).toMatchObject({ status, text: expect.stringContaining(sentence) });
});
