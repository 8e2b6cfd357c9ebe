/** The examples of the rulebook, one test each, in its order. */
import { describe, expect, it } from 'vitest';
import { fastRng } from '../../src/games/rng.ts';
import { template } from './index.ts';

describe('Template', () => {
  it('R1: the last open pebble is taken without asking', () => {
    const state = template.setup({}, 2, fastRng(1));
    Object.assign(state, { bag: [], open: [3, 8] });
    const effects: object[] = [];
    template.apply(state, 0, { type: 'take', pebble: 8 }, fastRng(1), (effect) => effects.push(effect));
    expect(effects).toEqual([{ type: 'last', seat: 1, pebble: 3 }]);
    expect(template.result(state)).toEqual({ scores: [8, 3], ranks: [1, 2] });
  });
});
