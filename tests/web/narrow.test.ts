import { describe, expect, it } from 'vitest';
import { type Choice, narrow, point } from '../../web/src/table/narrow.ts';

const choice = (label: string, ...targets: string[]): Choice => ({ action: { label }, label, targets });

const tiles = [
  choice('tile 1 at a', 'tile:1', 'cell:a'),
  choice('tile 1 at b', 'tile:1', 'cell:b'),
  choice('tile 2 at a, north', 'tile:2', 'cell:a', 'turn:n'),
  choice('tile 2 at a, south', 'tile:2', 'cell:a', 'turn:s'),
  choice('pass', 'pass'),
];

const labels = (list: readonly Choice[]) => list.map(({ label }) => label);

describe('pointing', () => {
  it('narrows in any order, until one action is left', () => {
    for (const order of [
      ['tile:1', 'cell:b'],
      ['cell:b', 'tile:1'],
    ]) {
      let pointed: string[] = [];
      for (const target of order) pointed = point(tiles, pointed, target);
      expect(narrow(tiles, pointed).action?.label).toBe('tile 1 at b');
    }
  });

  it('marks what follows from a choice', () => {
    const { action, chosen, implied, open } = narrow(tiles, ['cell:b']);
    expect([action?.label, [...chosen], [...implied], open.size]).toEqual(['tile 1 at b', ['cell:b'], ['tile:1'], 0]);
  });

  it('offers only targets that leave at least one action', () => {
    expect([...narrow(tiles, ['tile:2']).open].sort()).toEqual(['cell:a', 'turn:n', 'turn:s']);
  });

  it('takes back what is clicked again', () => {
    expect(point(tiles, ['tile:2', 'cell:a'], 'cell:a')).toEqual(['tile:2']);
    expect(point(tiles, ['cell:b'], 'cell:b')).toEqual([]);
  });

  it('starts a new choice with a target that does not fit, and keeps what still fits', () => {
    expect(point(tiles, ['tile:2', 'turn:n'], 'tile:1')).toEqual(['tile:1']);
    expect(point(tiles, ['cell:a', 'tile:1'], 'tile:2')).toEqual(['tile:2', 'cell:a']);
  });
});

describe('actions that pointing cannot tell apart', () => {
  const twins = [choice('sell one', 'market'), choice('sell two', 'market'), choice('wait', 'clock')];

  it('are asked for by label', () => {
    const { action, ask } = narrow(twins, ['market']);
    expect([action, labels(ask)]).toEqual([null, ['sell one', 'sell two']]);
    expect(narrow(twins, ['market'], twins[1]).action?.label).toBe('sell two');
  });

  it('an action with fewer targets is chosen until more are pointed at', () => {
    const more = [choice('walk', 'road'), choice('walk and pay', 'road', 'coin')];
    const { action, open } = narrow(more, ['road']);
    expect([action?.label, [...open]]).toEqual(['walk', ['coin']]);
    expect(narrow(more, ['road', 'coin']).action?.label).toBe('walk and pay');
  });
});

it('without targets everything is chosen by label', () => {
  const plain = [choice('one'), choice('two')];
  expect(labels(narrow(plain, []).remaining)).toEqual(['one', 'two']);
  expect(narrow(plain, []).action).toBeNull();
  expect(narrow(plain, [], plain[1]).action?.label).toBe('two');
});
