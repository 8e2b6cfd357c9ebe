import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/games/haleakala/actions.ts';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import { POOL, spaceOf, sumOn } from '../../../src/games/haleakala/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { act, acting, discs, may, RED, table, VARIANTS, YELLOW } from './table.ts';

const place = (disc: number, beach: number): Action => ({ type: 'place', disc, beach });
const takeBack = (disc: number, beach: number): Action => ({ type: 'takeBack', disc, beach });

describe.each(VARIANTS)('placing and taking back (%s)', (variant) => {
  it('test case 1: against a red sum of 3 yellow may place 2, not 3', () => {
    const state = table(variant);
    discs(state, RED, { 3: 4 });
    state.turn = state.actor = YELLOW;
    expect(may(state, YELLOW, place(3, 4))).toBe(false);
    expect(may(state, YELLOW, place(2, 4))).toBe(true);
  });

  it('compares sums, not single discs', () => {
    const state = table(variant);
    discs(state, YELLOW, { 2: 4, 3: 4 });
    discs(state, RED, { 4: 4 });
    expect(may(state, RED, place(1, 4))).toBe(false);
    expect(may(state, RED, place(2, 4))).toBe(true);
    expect(may(state, RED, place(5, 4))).toBe(true);
  });

  it('holds the sums rule at the boat, too', () => {
    const state = table(variant);
    discs(state, YELLOW, { 2: 1 });
    expect(may(state, RED, place(2, 1))).toBe(false);
    expect(may(state, RED, place(3, 1))).toBe(true);
  });

  it('R2: a disc stays where taking it back would make the sums equal above zero', () => {
    const state = table(variant);
    discs(state, RED, { 1: 4, 3: 4, 5: 2 });
    discs(state, YELLOW, { 3: 4 });
    expect(may(state, RED, takeBack(1, 4))).toBe(false);
    expect(may(state, RED, takeBack(3, 4))).toBe(true);
    expect(may(state, RED, takeBack(5, 2))).toBe(true);
  });

  it('lets a disc be taken back from the beach of the boat; the boat stays', () => {
    const state = table(variant);
    discs(state, RED, { 4: 1 });
    act(state, RED, takeBack(4, 1));
    expect(state.boat).toBe(1);
    expect(state.discs[RED]).toEqual([POOL, POOL, POOL, POOL, POOL]);
    expect(state.step).toBe('walk');
  });

  it('moves the shaman after a disc away from the boat, the boat after a disc at the boat', () => {
    const away = table(variant);
    act(away, RED, place(2, 5));
    expect([away.step, away.boat, acting(away)]).toEqual(['walk', 1, [RED]]);
    const there = table(variant);
    act(there, RED, place(4, 1));
    expect([there.step, there.boat, acting(there)]).toEqual(['turn', 5, [YELLOW]]);
    expect(there.discs[RED]![3]).toBe(1);
  });

  it('sails over segment 5 to segment 0', () => {
    const state = table(variant);
    act(state, RED, place(5, 1));
    expect(state.boat).toBe(0);
  });

  it('lets the boat sail by one only with an empty pool, without a walk', () => {
    const state = table(variant);
    discs(state, RED, { 1: 0, 2: 0, 3: 4, 4: 5 });
    expect(may(state, RED, { type: 'sail' })).toBe(false);
    discs(state, RED, { 1: 0, 2: 0, 3: 4, 4: 5, 5: 5 });
    act(state, RED, { type: 'sail' });
    expect([state.boat, state.step, acting(state)]).toEqual([2, 'turn', [YELLOW]]);
  });

  it('lists exactly what the sums rule leaves, by brute force over random beaches', () => {
    const rng = fastRng(11);
    for (let round = 0; round < 300; round++) {
      const state = table(variant);
      state.lavaLeft = 0;
      for (const seat of [RED, YELLOW]) state.discs[seat] = [1, 2, 3, 4, 5].map(() => rng.int(7) - 1);
      const expected: Action[] = [];
      for (let disc = 1; disc <= 5; disc++) {
        for (let beach = 0; beach < 6; beach++) {
          const lies = state.discs[RED]![disc - 1];
          if (lies !== POOL && lies !== beach) continue;
          const sum = sumOn(state, RED, beach) + (lies === POOL ? disc : -disc);
          const other = sumOn(state, YELLOW, beach);
          if (sum !== other || sum === 0) expected.push(lies === POOL ? place(disc, beach) : takeBack(disc, beach));
        }
      }
      if (!state.discs[RED]!.includes(POOL)) expected.push({ type: 'sail' });
      expect(haleakala.legal(state, RED)).toEqual(expected);
    }
  });

  it('always leaves something to decide: never fewer than two actions in a turn', () => {
    const rng = fastRng(12);
    let checked = 0;
    while (checked < 500) {
      const state = table(variant);
      for (const seat of [RED, YELLOW]) state.discs[seat] = [1, 2, 3, 4, 5].map(() => rng.int(7) - 1);
      const tie = (beach: number) => sumOn(state, 0, beach) > 0 && sumOn(state, 0, beach) === sumOn(state, 1, beach);
      if ([0, 1, 2, 3, 4, 5].some(tie)) continue;
      checked++;
      expect(haleakala.legal(state, RED).length).toBeGreaterThan(1);
    }
  });
});

describe('walking', () => {
  const targets = (from: number, other = spaceOf('beach', 3)): string[] => {
    const state = table();
    state.shamans = [from, other];
    state.step = 'walk';
    return haleakala
      .legal(state, RED)
      .map((action) => (action.type === 'walk' ? `${action.terrain} ${action.segment}` : action.type))
      .sort();
  };
  const around = (terrain: string, segment: number, ...by: number[]) =>
    by.map((delta) => `${terrain} ${(segment + delta + 6) % 6}`);

  it('test case 2: the first walk reaches the land of the own and both neighbouring segments', () => {
    for (const s of [0, 3]) {
      expect(targets(spaceOf('beach', s), spaceOf('mountain', 0))).toEqual(
        ['stay', ...around('land', s, -1, 0, 1)].sort(),
      );
    }
  });

  it('reaches from land, forest and mountain what the sheet lists', () => {
    for (let s = 0; s < 6; s++) {
      expect(targets(spaceOf('land', s))).toEqual(
        ['stay', ...around('land', s, -2, -1, 1, 2), ...around('forest', s, -1, 0, 1)].sort(),
      );
      expect(targets(spaceOf('forest', s))).toEqual(
        [
          'stay',
          ...around('land', s, -1, 0, 1),
          ...around('forest', s, -2, -1, 1, 2),
          ...around('mountain', s, -1, 0, 1),
        ].sort(),
      );
      expect(targets(spaceOf('mountain', s))).toEqual(
        [
          'stay',
          ...around('mountain', s, -2, -1, 1, 2),
          ...around('forest', s, -1, 0, 1),
          ...around('land', s, 0),
        ].sort(),
      );
    }
    const sizes = (['beach', 'land', 'forest', 'mountain'] as const).map(
      (terrain) => targets(spaceOf(terrain, 0)).length,
    );
    expect(sizes).toEqual([4, 8, 11, 9]);
  });

  it('passes through the other shaman but does not stop there', () => {
    const list = targets(spaceOf('land', 2), spaceOf('land', 3));
    expect(list).not.toContain('land 3');
    expect(list).toContain('land 4');
    expect(list).toContain('forest 3');
    expect(list).toHaveLength(7);
  });

  it('R21: statues of either seat neither block the way nor the stop', () => {
    const state = table();
    state.shamans[RED] = spaceOf('land', 2);
    state.statues[spaceOf('forest', 2)] = YELLOW;
    state.statues[spaceOf('land', 3)] = RED;
    state.step = 'walk';
    expect(may(state, RED, { type: 'walk', segment: 2, terrain: 'forest' })).toBe(true);
    expect(may(state, RED, { type: 'walk', segment: 3, terrain: 'land' })).toBe(true);
    expect(may(state, RED, { type: 'walk', segment: 4, terrain: 'land' })).toBe(true);
  });

  it('is optional and ends the turn', () => {
    const state = table();
    act(state, RED, { type: 'place', disc: 2, beach: 5 }, { type: 'stay' });
    expect(state.shamans[RED]).toBe(spaceOf('beach', 0));
    expect(acting(state)).toEqual([YELLOW]);
    act(state, YELLOW, { type: 'place', disc: 3, beach: 5 }, { type: 'walk', segment: 4, terrain: 'land' });
    expect(state.shamans[YELLOW]).toBe(spaceOf('land', 4));
    expect(acting(state)).toEqual([RED]);
  });
});

describe('set-up', () => {
  it('puts the shamans at opposite huts, the boat at the pier, two cards at each segment', () => {
    const state = haleakala.setup({ variant: 'base', cards: 'P' }, 2, fastRng(3));
    expect(state.shamans).toEqual([spaceOf('beach', 0), spaceOf('beach', 3)]);
    expect(state.boat).toBe(1);
    expect(state.notches.every((card) => card !== null && card !== 'lava')).toBe(true);
    expect(haleakala.view(state, null).decks.map((deck) => deck.left)).toEqual([3, 12, 15]);
    expect(state.scores).toEqual([0, 0]);
  });

  it('draws the start seat', () => {
    const start = (seed: number) => haleakala.setup({ variant: 'base', cards: 'P' }, 2, fastRng(seed)).startSeat;
    expect(new Set(Array.from({ length: 40 }, (_, seed) => start(seed)))).toEqual(new Set([RED, YELLOW]));
  });

  it('removes the lava cards in the tactical variant and hands out the summon discs', () => {
    const state = haleakala.setup({ variant: 'tactical', cards: 'P', repetition: false }, 2, fastRng(3));
    expect(haleakala.view(state, null).decks.map((deck) => deck.left)).toEqual([3, 8, 11]);
    expect(state.discarded.lava).toBe(8);
    expect(haleakala.view(state, null).seats.map((seat) => seat.summon)).toEqual(['pool', 'pool']);
    expect(haleakala.view(table('base'), null).seats.map((seat) => seat.summon)).toEqual(['box', 'box']);
  });
});
