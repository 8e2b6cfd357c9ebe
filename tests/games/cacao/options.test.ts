/** Rules 2: options where the printed rules leave a choice. Rules 1 stay as they were. */
import { describe, expect, it } from 'vitest';
import { cacao1, cacao2 } from '../../../src/games/cacao/index.ts';
import { canonical } from '../../../src/games/canonical.ts';
import { acting, optionsFor } from '../../../src/games/play.ts';
import { registry } from '../../../src/games/registry.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { randomMatch } from '../../../tools/random-match.ts';
import { playOut, setUp } from './position.ts';

describe('both versions of the rules', () => {
  it('are registered, and new matches get the newer one', () => {
    expect(registry.game('cacao')).toBe(cacao2);
    expect(registry.game('cacao', 1)).toBe(cacao1);
    expect(registry.game('cacao', 2)).toBe(cacao2);
  });

  it.each([2, 3, 4])('play the same match of %i seats when no option is chosen', (seats) => {
    for (let seed = 1; seed <= 5; seed++) {
      const [one, two] = [cacao1, cacao2].map((game) => [...randomMatch(game, {}, seats, seed)]);
      expect(two).toHaveLength(one!.length);
      one!.forEach(({ action, next }, i) => {
        expect(canonical([action, next])).toBe(canonical([two![i]!.action, two![i]!.next]));
      });
    }
  });

  it('know their own options alone', () => {
    expect(optionsFor(cacao1, {})).toEqual({});
    expect(() => optionsFor(cacao1, { begins: 'lot' })).toThrow('there is no option begins');
    expect(optionsFor(cacao2, {})).toEqual({ removedGoldMine: 1, begins: 'seat0' });
    expect(() => optionsFor(cacao2, { removedGoldMine: 3 })).toThrow('removedGoldMine is one of 1, 2');
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`option${i}`, 1]));
    expect(() => optionsFor(cacao2, many)).toThrow('there are too many of them');
    expect(() => optionsFor(cacao2, { begins: 'oldest' })).toThrow('begins is one of "seat0", "lot"');
  });
});

describe('the gold mine that goes back to the box', () => {
  const mines = (seats: number, removedGoldMine: 1 | 2) => {
    const accounts = cacao2.accounts(setUp(seats, fastRng(3), { removedGoldMine }));
    return [accounts.gold_mine_1, accounts.gold_mine_2 ?? 0];
  };

  it('is the one that was chosen, with two seats', () => {
    expect(mines(2, 1)).toEqual([1, 1]);
    expect(mines(2, 2)).toEqual([2, 0]);
  });

  it('is none with more seats', () => {
    for (const seats of [3, 4]) for (const value of [1, 2] as const) expect(mines(seats, value)).toEqual([2, 1]);
  });

  it('leaves 21 tiles in play either way', () => {
    for (const removedGoldMine of [1, 2] as const) {
      const { pileSize, display, jungle } = cacao2.view(setUp(2, fastRng(5), { removedGoldMine }), null);
      expect(pileSize + display.length + jungle.length).toBe(21);
    }
  });
});

describe('who begins', () => {
  it('is seat 0 unless a lot is drawn', () => {
    for (let seed = 0; seed < 20; seed++) expect(setUp(4, fastRng(seed)).active).toBe(0);
  });

  it.each([2, 3, 4])('is each of %i seats about equally often by lot, and nothing else changes', (seats) => {
    const counts = Array.from({ length: seats }, () => 0);
    for (let seed = 0; seed < 600; seed++) {
      const drawn = setUp(seats, fastRng(seed), { begins: 'lot' });
      counts[drawn.active]!++;
      expect(acting(cacao2, drawn, seats)).toEqual([drawn.active]);
      expect({ ...drawn, active: 0 }).toEqual(setUp(seats, fastRng(seed)));
    }
    for (const count of counts) expect(Math.abs(count - 600 / seats)).toBeLessThan(60);
  });

  it.each([2, 3, 4])('does not change that a match of %i seats lasts whole rounds', (seats) => {
    const starts = new Set<number>();
    for (let seed = 0; seed < 12; seed++) {
      const state = setUp(seats, fastRng(seed), { begins: 'lot' });
      const first = state.active;
      starts.add(first);
      const laid: number[] = [];
      const end = playOut(state, fastRng(seed), (now, seat, { type }) => {
        if (type !== 'place' && type !== 'overbuild') return;
        expect(seat).toBe((first + laid.length) % seats);
        expect(cacao2.view(now, null).round).toBe(1 + Math.floor(laid.length / seats));
        laid.push(seat);
      });
      expect(laid).toHaveLength(seats * { 2: 11, 3: 10, 4: 9 }[seats]!);
      expect(cacao2.result(end)).not.toBeNull();
    }
    expect(starts.size).toBeGreaterThan(1);
  });
});
