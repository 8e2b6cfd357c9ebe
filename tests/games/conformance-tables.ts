import { describe, expect, it } from 'vitest';
import type { Game } from '../../src/games/game.ts';
import { acting, canonical } from '../../src/games/play.ts';
import { registry } from '../../src/games/registry.ts';
import { rngFor } from '../../src/games/rng.ts';
import { seedBytes, setUp } from '../../tools/random-match.ts';
import { checkMatch, checkPlayOutFromGuess, checkSecrets } from './conformance.ts';

/** Per game and seat count; the variants take turns. */
const MATCHES = 200;

const tables = registry.games.flatMap((game) =>
  Array.from({ length: game.seats.max - game.seats.min + 1 }, (_, i) => ({
    game,
    name: game.name,
    seats: game.seats.min + i,
  })),
);

/** The state after 40 actions of players who always take their first legal action: only chance makes a difference. */
function firstChoices(game: Game, options: object, seats: number, seed: number): object {
  const state = setUp(game, options, seats, seed);
  for (let version = 1; version <= 40; version++) {
    const [seat] = acting(game, state, seats);
    if (seat === undefined) break;
    game.apply(state, seat, game.legal(state, seat)[0] as object, rngFor(seedBytes(seed), version));
  }
  return state;
}

/** Half of the tables each in two files, because files run side by side. */
export function describeTables(half: 0 | 1): void {
  describe.each(tables.filter((_, i) => i % 2 === half))('$name with $seats seats', ({ game, seats }) => {
    const variants = Object.values(game.variants);

    it(`keeps the contract in ${MATCHES} random matches`, () => {
      for (let seed = 1; seed <= MATCHES; seed++) {
        const actions = checkMatch(game, variants[seed % variants.length] as object, seats, seed);
        expect(actions).toBeGreaterThan(0);
      }
    });

    it('keeps its secrets from bots and from forks', () => {
      const found = Array.from({ length: 20 }, (_, i) =>
        checkSecrets(game, variants[i % variants.length] as object, seats, i + 1),
      );
      // Where something is hidden there must be states that look the same, or nothing was checked.
      expect(found.some(({ twins }) => twins > 0)).toBe(found.some(({ hides }) => hides));
    });

    it('can be played on from a guess', () => {
      for (let seed = 1; seed <= 20; seed++) {
        checkPlayOutFromGuess(game, variants[seed % variants.length] as object, seats, seed);
      }
    });

    it('is another match with another seed, even if the players want the same', () => {
      const ends = [1, 2, 3, 4, 5, 6].map((seed) => canonical(firstChoices(game, variants[0] as object, seats, seed)));
      expect(new Set(ends).size).toBeGreaterThan(1);
    });
  });
}
