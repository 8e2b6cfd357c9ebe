import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/games/canonical.ts';
import { rules2 as hawaii } from '../../../src/games/hawaii/index.ts';
import type { State } from '../../../src/games/hawaii/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { realm, table, village } from './table.ts';

const stocks = (state: State) => state.seats.map(({ stock }) => stock);

/** Random states of matches with this option. */
function* positions(openResources: boolean, matches: number): Generator<State> {
  for (let seed = 1; seed <= matches; seed++) {
    const rng = fastRng(seed);
    const state = hawaii.setup({ openResources, begins: 'lot' }, 2 + (seed % 4), rng);
    for (;;) {
      if (rng.int(5) === 0) yield state;
      const seat = rng.shuffle([...state.seats.keys()]).find((i) => hawaii.legal(state, i).length > 0);
      if (seat === undefined) break;
      hawaii.apply(state, seat, rng.pick(hawaii.legal(state, seat)), rng);
    }
  }
}

describe('views', () => {
  it('show the own stock, and of others none, unless resources are open or the match is over', () => {
    const state = table(3);
    const open = (seat: number | null) => hawaii.view(state, seat).seats.map(({ resources }) => resources !== null);
    expect(open(1)).toEqual([false, true, false]);
    expect(open(null)).toEqual([false, false, false]);
    state.openResources = true;
    expect(open(null)).toEqual([true, true, true]);
    state.openResources = false;
    state.step = 'over';
    expect(open(0)).toEqual([true, true, true]);
  });

  it('tell what is paid but not what is left: a payment is no secret', () => {
    expect(hawaii.isSecret({ type: 'pay', feet: 1, shells: 0, fruit: 0 })).toBe(false);
  });
});

describe('guesses', () => {
  it('redraw the stocks of others and keep the own', () => {
    const state = table(4);
    const seen = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const guess = hawaii.guess(state, 2, fastRng(seed));
      expect(guess.seats[2]).toEqual(state.seats[2]);
      for (const seat of [0, 1, 3]) expect(guess.seats[seat]!.stock).not.toBe(state.seats[seat]!.stock);
      seen.add(canonical(stocks(guess)));
    }
    expect(seen.size).toBe(20);
  });

  it('redraw choices of income but not their number', () => {
    const state = table(2);
    state.step = 'income';
    state.active = -1;
    state.openResources = true;
    Object.assign(state.seats[0]!, realm({ villages: [village('irrigation II')], due: 1 }));
    state.seats[1]!.chosen = { shells: 2, feet: 0, fruit: 0 };
    const drawn = Array.from({ length: 20 }, (_, i) => hawaii.guess(state, 0, fastRng(i)).seats[1]!.chosen);
    expect(new Set(drawn.map(canonical)).size).toBeGreaterThan(3);
    for (const { shells, feet, fruit } of drawn) expect(shells + feet + fruit).toBe(2);
    expect(hawaii.guess(state, 1, fastRng(1)).seats[1]).toEqual(state.seats[1]);
  });

  it('change nothing where nothing is hidden', () => {
    const state = table(3);
    state.openResources = true;
    expect(hawaii.guess(state, null, fastRng(1))).toEqual(state);
  });

  it('keep a decision for the seat to act, also when only a rich one has it', () => {
    let all = 0;
    for (const state of positions(false, 80)) {
      if (state.active === -1) continue;
      const guess = hawaii.guess(state, null, fastRng(all++));
      expect(hawaii.legal(guess, state.active).length).toBeGreaterThan(1);
      // What the last resort rests on.
      const rich = structuredClone(state);
      rich.seats[state.active]!.stock = { shells: 99, feet: 99, fruit: 99 };
      expect(hawaii.legal(rich, state.active).length).toBeGreaterThanOrEqual(hawaii.legal(state, state.active).length);
    }
    expect(all).toBeGreaterThan(1000);
  });

  it('share nothing with the state they were made from', () => {
    const state = table(2);
    const before = canonical(state);
    const guess = hawaii.guess(state, 0, fastRng(3));
    hawaii.apply(guess, 0, { type: 'pass', space: 1 }, fastRng(4));
    expect(canonical(state)).toBe(before);
  });
});

it('no legal list is longer than a few hundred', () => {
  let longest = 0;
  for (const state of positions(true, 150)) {
    for (const seat of state.seats.keys()) longest = Math.max(longest, hawaii.legal(state, seat).length);
  }
  expect(longest).toBeLessThan(300);
});
