/** What the engine did by itself is told in order, and explains every change that no decision made. */
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/games/haleakala/actions.ts';
import type { Effect } from '../../../src/games/haleakala/effects.ts';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import type { State } from '../../../src/games/haleakala/state.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { build, cards, decks, discs, RED, table, YELLOW } from './table.ts';

/** Applies an action and returns what was told, in words. */
function told(state: State, seat: number, action: Action): string[] {
  const out: string[] = [];
  haleakala.apply(state, seat, action, fastRng(7), (effect) => out.push(haleakala.explain!(effect)));
  return out;
}

/** What an account of a state says: everything that only effects can explain. */
const account = (state: State) => ({
  decks: state.decks.map((deck) => Object.values(deck).reduce((sum, n) => sum + n, 0)),
  statues: state.statues.filter((owner) => owner !== null).length,
  scores: [...state.scores],
  boat: state.boat,
  lava: state.lavaLeft,
  lying: state.discs.flat().filter((place) => place >= 0).length,
  summoned: state.summons.filter((place) => place >= 0).length,
});

/** The account after an action, from the one before and what was told. */
function explained(before: ReturnType<typeof account>, effects: Effect[], action: Action): typeof before {
  const now = clone(before);
  if (action.type === 'place') now.lying++;
  if (action.type === 'place' && action.summon) now.summoned++;
  if (action.type === 'takeBack') now.lying--;
  for (const effect of effects) {
    if (effect.type === 'revealed') now.decks[effect.palms - 1]!--;
    if (effect.type === 'built') now.statues++;
    if (effect.type === 'destroyed') now.statues--;
    if (effect.type === 'sailed') now.boat = effect.segment;
    if (effect.type === 'lava') now.lava--;
    if (effect.type === 'discsReturned') now.lying -= effect.discs.length;
    if (effect.type === 'summonReturned') now.summoned--;
    if (effect.type === 'scored') {
      now.scores[effect.seat]! += effect.points;
      now.lava = 4;
    }
  }
  return now;
}

describe.each(Object.entries(haleakala.variants))('effects (%s)', (_name, options) => {
  it('explain every change, fit their schema and read as sentences', () => {
    const types = new Set<string>();
    for (let seed = 0; seed < 5; seed++) {
      const rng = fastRng(seed);
      const state = haleakala.setup(options, 2, rng);
      while (!haleakala.result(state)) {
        const action = rng.pick(haleakala.legal(state, state.actor));
        const before = account(state);
        const effects: Effect[] = [];
        haleakala.apply(state, state.actor, action, rng, (effect) => effects.push(effect as Effect));
        const now = account(state);
        if (JSON.stringify(now) !== JSON.stringify(explained(before, effects, action))) {
          expect(now, JSON.stringify(effects)).toEqual(explained(before, effects, action));
        }
        for (const effect of effects.filter(({ type }) => !types.has(type))) {
          expect(Value.Check(haleakala.schema.effect!, effect)).toBe(true);
          expect(haleakala.explain!(effect)).toMatch(/^[A-Z].*[^.]\.$/);
          types.add(effect.type);
        }
      }
    }
    expect(types.size).toBeGreaterThan(12);
  });

  it('change nothing: whether anybody listens or not, the states are the same', () => {
    const [one, two] = [fastRng(5), fastRng(5)];
    const silent = haleakala.setup(options, 2, one);
    const heard = haleakala.setup(options, 2, two);
    const choice = fastRng(6);
    while (!haleakala.result(silent)) {
      const action = choice.pick(haleakala.legal(silent, silent.actor));
      haleakala.apply(silent, silent.actor, action, one);
      haleakala.apply(heard, heard.actor, action, two, () => {});
    }
    expect(heard).toEqual(silent);
  });
});

describe('effects in words', () => {
  it('tell what one decision brought about, in order', () => {
    const state = table();
    cards(state, 2, 'statue', 'shell');
    decks(state, { basket: 1, whitePearl: 1 }, { lava: 1 });
    discs(state, RED, { 2: 2 });
    discs(state, YELLOW, { 5: 2 });
    expect(told(state, RED, { type: 'place', disc: 1, beach: 1 })).toEqual(['The boat sailed to segment 2.']);
    const effects = told(state, YELLOW, { type: 'take', card: 'statue' });
    expect(effects).toEqual(['A got the shell card.', 'B could not use the statue card and discarded it.']);
    const refill = told(state, RED, { type: 'buy', card: 'butterflies' });
    expect(refill.slice(0, 2)).toEqual(['A took back 2 from beach 2.', 'B took back 5 from beach 2.']);
    expect(refill.slice(2).sort()).toEqual([
      'A fish basket card of 1 palm was turned up at segment 2.',
      'A white pearl card of 1 palm was turned up at segment 2.',
    ]);
  });

  it('tell how a round ended', () => {
    const state = table();
    cards(state, 2, 'statue', 'statue');
    decks(state, {}, { lava: 1 }, { shell: 2 });
    state.lavaLeft = 1;
    state.lava[3] = 3;
    build(state, YELLOW, 'mountain', 3, 4);
    state.shamans[RED] = 14;
    discs(state, RED, { 2: 2 });
    expect(told(state, RED, { type: 'place', disc: 1, beach: 1 })).toEqual([
      'The boat sailed to segment 2.',
      'A got the statue card.',
      'A built a statue on mountain 2.',
      'A took back 2 from beach 2.',
      'A lava card of 2 palms was turned up at segment 2.',
      'A lava disc was put on crater 2.',
      'A was not asked to buy a card, having too few shells for any.',
      'B was not asked to buy a card, having too few shells for any.',
      'Lava destroyed the statue of A on mountain 2.',
      'Lava destroyed the statue of B on mountain 3.',
      'A got 0 points in scoring 1.',
      'B got 3 points in scoring 1.',
      'Round 2 began: all scoring cards are for sale again.',
      'A shell card of 3 palms was turned up at segment 2.',
    ]);
  });

  it('tell why nothing happened and why the match ends', () => {
    const state = table('tactical');
    expect(told(state, RED, { type: 'place', disc: 1, beach: 1 })).toEqual([
      'The boat sailed to segment 2.',
      'Nobody has discs on beach 2, so its cards stay.',
    ]);
    cards(state, 3, null, null);
    expect(told(state, YELLOW, { type: 'place', disc: 1, beach: 2, summon: true }).slice(0, 3)).toEqual([
      'The boat sailed to segment 3.',
      'A lava disc was put on crater 3.',
      'Segment 3 has no cards left, so the last scoring begins.',
    ]);
  });
});
