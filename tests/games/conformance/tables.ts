import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/games/canonical.ts';
import type { Game } from '../../../src/games/game.ts';
import { acting, replay } from '../../../src/games/play.ts';
import type { Registry } from '../../../src/games/registry.ts';
import { seedBytes, setUp } from '../../../tools/random-match.ts';
import { checkDrawsNothing, checkMatch, checkPlayOutFromGuess, checkSecrets } from './checks.ts';

/**
 * Matches for each game and seat count, with the variants in turn. Older rules get fewer, because recorded matches
 * check them too. The seeds are always the same ones; `npm run soak` plays as many others as one likes.
 */
const MATCHES = 25;
const MATCHES_OF_OLDER_RULES = 10;
/** For checks that look at each position in many ways. */
const CLOSE_LOOKS = 12;

export interface Table {
  game: Game;
  name: string;
  seats: number;
  matches: number;
}

/** Every seat count of every version of every game. */
export const tablesOf = (registry: Registry): Table[] =>
  registry.versions.flatMap((game) =>
    Array.from({ length: game.seats.max - game.seats.min + 1 }, (_, i) => ({
      game,
      name: `${game.name}, rules ${game.rules},`,
      seats: game.seats.min + i,
      matches: registry.games.includes(game) ? MATCHES : MATCHES_OF_OLDER_RULES,
    })),
  );

/** The state after 40 actions of players who always take their first legal action: only chance makes a difference. */
function firstChoices(game: Game, options: object, seats: number, seed: number): object {
  const state = setUp(game, options, seats, seed);
  for (let version = 1; version <= 40; version++) {
    const [seat] = acting(game, state, seats);
    if (seat === undefined) break;
    replay(game, state, { stream: version, seat, action: game.legal(state, seat)[0] as object }, seedBytes(seed));
  }
  return state;
}

/** The conformance suite: what every game owes at each of these tables. */
export function describeTables(tables: readonly Table[]): void {
  describe.each(tables)('$name with $seats seats', ({ game, seats, matches }) => {
    const variants = Object.values(game.variants);
    const optionsOf = (seed: number) => variants[seed % variants.length] as object;

    it(`keeps the contract in ${matches} random matches`, () => {
      for (let seed = 1; seed <= matches; seed++) {
        expect(checkMatch(game, optionsOf(seed), seats, seed)).toBeGreaterThan(0);
      }
    });

    it('keeps its secrets from bots and from forks', () => {
      const found = Array.from({ length: CLOSE_LOOKS }, (_, i) => checkSecrets(game, optionsOf(i), seats, i + 1));
      // Where something is hidden there must be states that look the same, or nothing was checked.
      expect(found.some(({ twins }) => twins > 0)).toBe(found.some(({ hides }) => hides));
    });

    it('can be played on from a guess', () => {
      for (let seed = 1; seed <= CLOSE_LOOKS; seed++) checkPlayOutFromGuess(game, optionsOf(seed), seats, seed);
    });

    it.runIf(game.drawsNothing)('draws nothing, as it says', () => {
      for (let seed = 1; seed <= CLOSE_LOOKS; seed++) checkDrawsNothing(game, optionsOf(seed), seats, seed);
    });

    it.skipIf(game.drawsNothing)('is another match with another seed, even if the players want the same', () => {
      const ends = [1, 2, 3, 4, 5, 6].map((seed) => canonical(firstChoices(game, optionsOf(0), seats, seed)));
      expect(new Set(ends).size).toBeGreaterThan(1);
    });
  });
}
