import { describe, expect, it } from 'vitest';
import { Log } from '../../src/matches/log/events.ts';
import type { LoggedEvent } from '../../src/matches/log/records.ts';

const event = (version: number, seat = 0, actionId: string | null = null): LoggedEvent => ({
  version,
  type: 'ACTED',
  seat,
  playerId: `player ${seat}`,
  action: {},
  actionId,
  entropy: null,
  label: null,
  targets: null,
  effects: null,
  secret: false,
  epoch: 0,
  drew: false,
  acting: [],
  stateHash: null,
  hash: '',
  at: new Date(0),
});

describe('a log in memory', () => {
  it('reads like an array', () => {
    const log = Log.of([event(1), event(2), event(3)]);
    expect(log).toHaveLength(3);
    expect([log.at(0), log.at(-1), log.at(3), log.at(-4)].map((e) => e?.version)).toEqual([1, 3, undefined, undefined]);
    expect(log.slice(1).map(({ version }) => version)).toEqual([2, 3]);
    expect(log.slice(0, 9)).toHaveLength(3);
    expect([...log].map(({ version }) => version)).toEqual(log.map(({ version }) => version));
    expect(log.filter(({ version }) => version > 2)).toHaveLength(1);
  });

  it('does not change when it is continued', () => {
    const one = Log.of([event(1)]);
    const two = one.plus(event(2, 0, 'x'));
    expect([one.length, two.length]).toEqual([1, 2]);
    expect([one.at(1), one.at(-1)?.version, one.slice().length, [...one].length]).toEqual([undefined, 1, 1, 1]);
    expect([one.slice(-1), one.slice(-9), one.slice(0, -1), one.slice(0, -9)].map((part) => part.length)).toEqual([
      1, 1, 0, 0,
    ]);
    expect(one.slice(-1)[0]?.version).toBe(1);
    expect(one.byActionId('player 0', 'x')).toBeUndefined();
    expect(two.byActionId('player 0', 'x')?.version).toBe(2);
  });

  it('keeps two continuations apart', () => {
    const one = Log.of([event(1, 0, 'a')]);
    const first = one.plus(event(2, 0, 'b'));
    const second = one.plus(event(2, 1, 'c')).plus(event(3, 1, 'd'));
    expect(first.plus(event(3, 0, 'e')).map(({ seat }) => seat)).toEqual([0, 0, 0]);
    expect(second.map(({ seat }) => seat)).toEqual([0, 1, 1]);
    expect(second.byActionId('player 0', 'b')).toBeUndefined();
    expect(second.byActionId('player 0', 'a')?.version).toBe(1);
    expect(second.byActionId('player 1', 'd')?.version).toBe(3);
  });

  it('knows an action id by the player who used it', () => {
    const log = Log.of([event(1, 0, 'a'), event(2, 1, 'a')]);
    expect([log.byActionId('player 0', 'a')?.version, log.byActionId('player 1', 'a')?.version]).toEqual([1, 2]);
    expect(log.byActionId('player 2', 'a')).toBeUndefined();
  });

  it('knows which actions were taken back, and since when', () => {
    const one = Log.of([event(1), event(2)]);
    const two = one.plus({ ...event(3), type: 'UNDONE', action: { version: 2 } });
    expect([one.isUndone(2), two.isUndone(2), two.isUndone(1), two.isUndone(3)]).toEqual([false, true, false, false]);
    expect(one.plus(event(3)).isUndone(2)).toBe(false);
    expect(two.findLast(({ version }) => !two.isUndone(version) && version < 3)?.version).toBe(1);
    expect(one.findLast(({ type }) => type === 'UNDONE')).toBeUndefined();
  });
});
