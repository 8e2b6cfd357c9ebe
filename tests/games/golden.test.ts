import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/games/registry.ts';
import { transcripts } from '../../tools/transcript.ts';

const dir = new URL('../golden/', import.meta.url);
const wanted = [...transcripts(registry.games)];

describe('golden transcripts (npm run golden rewrites them)', () => {
  it.each(wanted)('$file is what the rules play', ({ file, text }) => {
    expect(existsSync(new URL(file, dir)), `tests/golden/${file} is missing: run npm run golden`).toBe(true);
    const golden = readFileSync(new URL(file, dir), 'utf8');
    expect(text()).toBe(golden);
    expect(golden.split('\n').length).toBeLessThan(300);
  });

  it('there is none of a game, variant or seat count that does not exist', () => {
    const known = new Set(wanted.map(({ file }) => file));
    expect(readdirSync(dir).filter((file) => !known.has(file))).toEqual([]);
  });
});
