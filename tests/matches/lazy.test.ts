import { expect, it, vi } from 'vitest';
import { whenNeeded } from '../../src/matches/commands/when-needed.ts';

it('is made once, when it is first looked at, and looks like what was made', () => {
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
