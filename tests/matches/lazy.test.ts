import { expect, it, vi } from 'vitest';
import type { Game } from '../../src/games/game.ts';
import { viewWhenNeeded, whenNeeded } from '../../src/matches/commands/when-needed.ts';

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
