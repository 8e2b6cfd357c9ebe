/** What the engine does by itself is told: every point and every resource that moves is accounted for. */

import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/games/canonical.ts';
import type { Action } from '../../../src/games/hawaii/actions.ts';
import { type Effect, EffectSchema, explain } from '../../../src/games/hawaii/effects.ts';
import { rules2 as hawaii } from '../../../src/games/hawaii/index.ts';
import type { State, Stock } from '../../../src/games/hawaii/state.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { kind, table, token, village } from './table.ts';

/** The state after an action, and what was told. */
function told(state: State, seat: number, action: Action): { next: State; effects: Effect[] } {
  const next = clone(state);
  const effects: Effect[] = [];
  hawaii.apply(next, seat, action, fastRng(5), (effect) => effects.push(effect as Effect));
  return { next, effects };
}

const units = ({ shells, feet, fruit }: Stock): number => shells + feet + fruit;
const none = (): Stock => ({ shells: 0, feet: 0, fruit: 0 });
const add = (to: Stock, what: Partial<Stock>, sign = 1): void => {
  for (const key of ['shells', 'feet', 'fruit'] as const) to[key] += sign * (what[key] ?? 0);
};

/** The points and resources that an action and its effects say have moved, by seat. */
function accounted(seats: number, seat: number, action: Action, effects: readonly Effect[]) {
  const points = new Array<number>(seats).fill(0);
  const stocks = Array.from({ length: seats }, none);
  const paid = (who: number, did: Action) => {
    if (did.type === 'pay' || did.type === 'kane') add(stocks[who]!, did, -1);
  };
  paid(seat, action);
  for (const effect of effects) {
    if (effect.type === 'decided') paid(effect.seat, effect.action);
    else if (effect.type === 'paid') stocks[effect.seat]![effect.currency] -= effect.amount;
    else if (effect.type === 'spears' || effect.type === 'docked') points[effect.seat]! += effect.points;
    else if (effect.type === 'counted') points[effect.seat]! += effect.points + effect.lono + effect.space;
    else if (effect.type === 'final') points[effect.seat]! += effect.total;
    else if (effect.type === 'island' && effect.island === 'points') points[effect.seat]! += 5;
    else if (effect.type === 'island' && effect.island === 'fruit') stocks[effect.seat]!.fruit += 4;
    else if (effect.type === 'kahunas') stocks[effect.seat]!.shells += effect.shells;
    else if (effect.type === 'tikis') stocks[effect.seat]!.feet += effect.feet;
    else if (effect.type === 'supplied' || effect.type === 'irrigated') add(stocks[effect.seat]!, effect);
  }
  return { points, stocks };
}

/** What really moved. */
const moved = (before: State, after: State) => ({
  points: after.seats.map(({ score }, i) => score - before.seats[i]!.score),
  stocks: after.seats.map(({ stock }, i) => {
    const change = clone(stock);
    add(change, before.seats[i]!.stock, -1);
    return change;
  }),
});

const isEffect = Compile(EffectSchema);

describe('effects', () => {
  it.each([2, 3, 4, 5])('explain every change of points and resources with %s seats', (seats) => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 25; seed++) {
      const openResources = seed % 2 === 0;
      const rng = fastRng(seed);
      let state = hawaii.setup({ openResources, begins: 'lot' }, seats, rng);
      for (;;) {
        const acting = [...state.seats.keys()].filter((seat) => hawaii.legal(state, seat).length > 0);
        if (acting.length === 0) break;
        const seat = rng.pick(acting);
        const action = rng.pick(hawaii.legal(state, seat));
        const { next, effects } = told(state, seat, action);
        const says = accounted(seats, seat, action, effects);
        const is = moved(state, next);
        expect(says.points).toEqual(is.points);
        if (openResources) expect(says.stocks).toEqual(is.stocks);
        else expect(says.stocks.map(units)).toEqual(is.stocks.map(units));
        for (const effect of effects) {
          if (!isEffect.Check(effect)) throw new Error(`does not fit its schema: ${canonical(effect)}`);
          expect(explain(effect)).toMatch(/^[A-Z].*\.$/);
          expect(explain(effect)).not.toMatch(/undefined|NaN|\[object/);
          seen.add(effect.type);
        }
        state = next;
      }
    }
    expect(seen.size).toBeGreaterThanOrEqual(13);
  });

  it('change nothing: with and without a listener the state is the same', () => {
    const state = table(2);
    const silent = clone(state);
    hawaii.apply(silent, 0, { type: 'pass', space: 2 }, fastRng(5));
    expect(told(state, 0, { type: 'pass', space: 2 }).next).toEqual(silent);
  });

  it('tell a decision that nobody was asked for, and what was skipped', () => {
    const state = table(2);
    state.openResources = true;
    state.circles[9] = [token('2'), -1];
    state.godTops = [kind('kane'), kind('ku')];
    state.seats[0]!.stock = { shells: 2, feet: 5, fruit: 0 };
    state.seats[0]!.tikis = 6;
    const walked = told(state, 0, { type: 'walk', place: 'J' });
    expect(walked.effects.map(explain)).toEqual(['A paid 4 feet.']);
    const bought = told(walked.next, 0, { type: 'buy', tile: 'kane', value: 2, spear: false, side: 1 });
    const sentences = bought.effects.map(explain);
    expect(sentences.slice(0, 2)).toEqual(['A paid 2 shells.', 'A placed the tile in village 1.']);
    expect(sentences[2]).toMatch(/was uncovered and is for sale\.$/);
    expect(sentences[3]).toBe('A was not offered a tiki by Kane: no tiki, no space for it, or nothing to give.');
  });

  it('do not tell what a payment behind the screen was made with', () => {
    for (const stock of [
      { shells: 0, feet: 1, fruit: 0 },
      { shells: 0, feet: 0, fruit: 1 },
    ]) {
      const state = table(2);
      state.bay = [token('6')];
      state.seats[0]!.stock = stock;
      const { effects } = told(state, 0, { type: 'fish' });
      expect(effects.at(-1)).toEqual({ type: 'paid', seat: 0, amount: 1, currency: 'feet' });
    }
  });

  it('tell the points of spears, docks and islands', () => {
    const state = table(2);
    Object.assign(state.seats[0]!, { boats: [0, 1, 0], villages: [village('spearHut II')] });
    state.openResources = true;
    state.docks = [0, 4, 1, 1];
    const visit = told(state, 0, { type: 'visit', dock: 1 });
    expect(visit.effects.map(explain)).toEqual([
      'A got 2 points at dock 1.',
      'The island gave A 5 points.',
      'A sailed with boat I.',
      'A paid 3 feet.',
    ]);
    state.track[1] = token('4s');
    expect(told(state, 0, { type: 'pass', space: 2 }).effects[0]).toEqual({ type: 'spears', seat: 0, points: 2 });
  });
});
