import { describe, expect, it } from 'vitest';
import { canonical, optionsFor, seatsFor } from '../../src/games/play.ts';
import { registry } from '../../src/games/registry.ts';
import { setUp } from '../../tools/random-match.ts';
import { checkMatch, checkPlayOutFromGuess } from './conformance.ts';

/** Per game and seat count; the variants take turns. */
const MATCHES = 200;

const tables = registry.games.flatMap((game) =>
  Array.from({ length: game.seats.max - game.seats.min + 1 }, (_, i) => ({
    game,
    name: game.name,
    seats: game.seats.min + i,
  })),
);

describe.each(tables)('$name with $seats seats', ({ game, seats }) => {
  const variants = Object.values(game.variants);

  it(`keeps the contract in ${MATCHES} random matches`, () => {
    for (let seed = 1; seed <= MATCHES; seed++) {
      const actions = checkMatch(game, variants[seed % variants.length] as object, seats, seed);
      expect(actions).toBeGreaterThan(0);
    }
  });

  it('can be played on from a guess', () => {
    for (let seed = 1; seed <= 20; seed++) {
      checkPlayOutFromGuess(game, variants[seed % variants.length] as object, seats, seed);
    }
  });

  it('is another match with another seed', () => {
    const setUps = new Set(
      [1, 2, 3, 4, 5, 6].map((seed) => canonical(setUp(game, variants[0] as object, seats, seed))),
    );
    expect(setUps.size).toBeGreaterThan(1);
  });
});

describe.each(registry.games.map((game) => ({ game, name: game.name })))('$name refuses', ({ game }) => {
  it.each([game.seats.min - 1, game.seats.max + 1, 2.5, Number.NaN])('%s seats', (seats) => {
    expect(() => seatsFor(game, seats)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
  });

  it.each([[{ nonsense: true }], ['base'], [[1]], [7]])('the options %j', (options) => {
    expect(() => optionsFor(game, options)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
  });

  it('nothing when no options are given: the first variant is the default', () => {
    expect(optionsFor(game, {})).toEqual(Object.values(game.variants)[0]);
    expect(optionsFor(game, undefined)).toEqual(Object.values(game.variants)[0]);
  });
});
