import { describe, expect, it } from 'vitest';
import { optionsFor, seatsFor } from '../../../src/games/play.ts';
import { registry } from '../../../src/games/registry.ts';

const games = registry.versions.map((game) => ({ game, name: `${game.name}, rules ${game.rules},` }));

describe.each(games)('$name refuses', ({ game }) => {
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
