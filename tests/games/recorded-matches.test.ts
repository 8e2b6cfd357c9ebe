/** Matches exported long ago replay to the same hashes: a change of rules without a new version fails here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/games/registry.ts';
import { documentOf, textOf } from '../../src/matches/proof/document.ts';
import { verify } from '../../src/matches/proof/verify.ts';

const dir = new URL('../archive/', import.meta.url);
const wanted = registry.versions.flatMap((game) =>
  Object.keys(game.variants).flatMap((variant) =>
    Array.from(
      { length: game.seats.max - game.seats.min + 1 },
      (_, i) => `${game.id}-rules${game.rules}-${variant}-${game.seats.min + i}.json`,
    ),
  ),
);

describe('recorded matches (npm run record adds what is missing)', () => {
  it.each(readdirSync(dir))('%s replays to the same hashes', (file) => {
    const text = readFileSync(new URL(file, dir), 'utf8');
    const document = JSON.parse(text);
    const { match } = verify(registry, document);
    expect(textOf(documentOf(match, document.players))).toBe(text);
  });

  it.each(wanted)('%s exists', (file) => {
    expect(existsSync(new URL(file, dir)), `run npm run record to add tests/archive/${file}`).toBe(true);
  });
});
