/** Every obligation of a game is stated in game.ts: games that keep to it, however small, are games like any other. */
import { describe, expect, it } from 'vitest';
import { registryOf } from '../../../src/games/registry.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { documentOf, numbered, playersOf } from '../../../src/matches/proof/document.ts';
import { verify } from '../../../src/matches/proof/verify.ts';
import { playedMatch } from '../../../tools/record-matches.ts';
import { transcripts } from '../../../tools/transcript.ts';
import { tinyGames } from '../tiny/index.ts';
import { describeTables, tablesOf } from './tables.ts';

const registry = registryOf(tinyGames);

describeTables(tablesOf(registry));

describe.each(registry.games)('$name', (game) => {
  it('is archived as a document that can be proven', () => {
    for (let seats = game.seats.min; seats <= game.seats.max; seats++) {
      const match = playedMatch(game, {}, seats, fastRng(seats), 3, registry);
      const document = documentOf(match, numbered(playersOf(match)));
      expect(verify(registry, document).match.result).toEqual(match.result);
    }
  });

  it('has transcripts', () => {
    for (const { text } of transcripts([game])) expect(text()).toMatch(/\n +1 [AB] {2}\S.*\n.*result: /s);
  });
});
