import { expect, it, vi } from 'vitest';
import { whenNeeded } from '../../src/matches/commands/when-needed.ts';

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
