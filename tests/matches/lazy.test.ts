import { expect, it, vi } from 'vitest';
import type { Game } from '../../src/games/game.ts';
import { registry } from '../../src/games/registry.ts';
import { viewWhenNeeded, whenNeeded } from '../../src/matches/commands/when-needed.ts';
import { randomMatch } from '../../tools/random-match.ts';

it('a lazy object is made once, when it is first read, and behaves like the object itself', () => {
  const make = vi.fn(() => ({ seats: [{ gold: 3 }], round: 1 }));
  const lazy = whenNeeded(make);
  expect(make).not.toHaveBeenCalled();
  expect(lazy.seats[0]?.gold).toBe(3);
  expect({ ...lazy }).toEqual({ seats: [{ gold: 3 }], round: 1 });
  expect(['round' in lazy, 'turn' in lazy, Object.hasOwn(lazy, 'round')]).toEqual([true, false, true]);
  expect(Object.keys(lazy)).toEqual(['seats', 'round']);
  expect(JSON.stringify(lazy)).toBe('{"seats":[{"gold":3}],"round":1}');
  expect(make).toHaveBeenCalledOnce();
});

it('a lazy view makes only the parts that are read, and behaves like the view itself', () => {
  const seats = vi.fn((state: object, seat: number | null) => [{ state, seat }]);
  const game = { parts: { seats, round: () => 1 } } as unknown as Game;
  const view = viewWhenNeeded(game, { gold: 3 }, 0) as { seats: unknown; round: number };
  expect(view.round).toBe(1);
  expect(seats).not.toHaveBeenCalled();
  expect(view.seats).toEqual([{ state: { gold: 3 }, seat: 0 }]);
  expect({ ...view }).toEqual({ seats: [{ state: { gold: 3 }, seat: 0 }], round: 1 });
  expect(['round' in view, 'state' in view, 'toString' in view]).toEqual([true, false, false]);
  expect((view as { state?: object }).state).toBeUndefined();
  expect(JSON.stringify(view)).toBe('{"seats":[{"state":{"gold":3},"seat":0}],"round":1}');
});

it('a lazy list makes only the items that are read, and behaves like the list itself', () => {
  const item = vi.fn((state: object, index: number, seat: number | null) => ({ state, index, seat }));
  const game = { parts: { seats: { count: () => 3, item } } } as unknown as Game;
  const state = { gold: 3 };
  const { seats } = viewWhenNeeded(game, state, 1) as { seats: { index: number }[] };
  expect([seats.length, 2 in seats, 3 in seats]).toEqual([3, true, false]);
  expect([seats[3], seats[-1], seats.at(5)]).toEqual([undefined, undefined, undefined]);
  expect(item).not.toHaveBeenCalled();
  expect(seats[1]).toEqual({ state, index: 1, seat: 1 });
  expect(item).toHaveBeenCalledOnce();
  expect(seats.find(({ index }) => index === 1)?.index).toBe(1);
  expect(item).toHaveBeenCalledTimes(3);
  expect([...seats].map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(seats.flatMap(({ index }) => index)).toEqual([0, 1, 2]);
  expect([Array.isArray(seats), seats.indexOf({ index: 0 })]).toEqual([true, -1]);
  expect(JSON.parse(JSON.stringify(seats))).toEqual([0, 1, 2].map((index) => ({ state, index, seat: 1 })));
});

it.each(registry.versions.map((game) => [`${game.id} ${game.rules}`, game] as const))(
  '%s says the same of actions with a lazy view',
  (_name, game) => {
    const options = Object.values(game.variants)[0] as object;
    for (const { state, seat, action } of randomMatch(game, options, game.seats.max, 7)) {
      for (const eyes of [seat, null]) {
        const [whole, lazy] = [game.view(state, eyes), viewWhenNeeded(game, state, eyes)];
        expect(game.label(action, lazy)).toBe(game.label(action, whole));
        expect(game.targets(action, lazy)).toEqual(game.targets(action, whole));
      }
    }
  },
);
