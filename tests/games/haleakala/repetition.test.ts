/** Rules 2: the option by which a position that stands for the third time ends the match (R22), beside rules 1. */
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/games/haleakala/actions.ts';
import type { Effect } from '../../../src/games/haleakala/effects.ts';
import { haleakala1, haleakala2 } from '../../../src/games/haleakala/index.ts';
import type { Options, State } from '../../../src/games/haleakala/state.ts';
import { optionsFor } from '../../../src/games/play.ts';
import { registry } from '../../../src/games/registry.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { NO_SCENE } from '../../../src/games/svg.ts';
import { act, build, cards, RED, YELLOW } from './table.ts';

/** Red begins; a white pearl and a fish basket lie in every segment. */
function start(variant: Options['variant'] = 'base', repetition = true): State {
  const seed = [0, 1, 2, 3, 4, 5].find((n) => fastRng(n).int(2) === RED)!;
  const state = haleakala2.setup({ variant, cards: 'P', repetition }, 2, fastRng(seed));
  for (let segment = 0; segment < 6; segment++) cards(state, segment, 'whitePearl', 'basket');
  return state;
}

/** Both seats put their 1 on a beach and take it back: four turns after which the position is as before. */
function waitOnce(state: State): void {
  for (const type of ['place', 'takeBack'] as const) {
    act(state, RED, { type, disc: 1, beach: 4 }, { type: 'stay' });
    act(state, YELLOW, { type, disc: 1, beach: 5 }, { type: 'stay' });
  }
}

const stood = (state: State) => haleakala2.view(state, null).stood;

describe('the option repetition', () => {
  it('is off by default, and then nobody can be stopped from waiting', () => {
    expect(optionsFor(haleakala2, {})).toEqual({ variant: 'base', cards: 'P', repetition: false });
    const state = start('base', false);
    for (let i = 0; i < 10; i++) waitOnce(state);
    expect([state.step, 'positions' in state, stood(state)]).toEqual(['turn', false, null]);
  });

  it.each(['base', 'tactical'] as const)('ends the match when a position stands for the third time (%s)', (variant) => {
    const state = start(variant);
    expect([state.step, stood(state)]).toEqual(['turn', 1]);
    waitOnce(state);
    expect([state.step, stood(state)]).toEqual(['turn', 2]);
    waitOnce(state);
    expect([state.step, stood(state)]).toEqual(['over', 3]);
    expect(haleakala2.result(state)).toEqual({ scores: [0, 0], ranks: [2, 1] });
    expect(state.scorings.map(({ round }) => round)).toEqual([2]);
  });

  it('counts a position again only if it is the same seat that is to move, with the same pieces everywhere', () => {
    const state = start();
    waitOnce(state);
    act(state, RED, { type: 'place', disc: 1, beach: 4 }, { type: 'walk', segment: 0, terrain: 'land' });
    act(state, YELLOW, { type: 'place', disc: 1, beach: 5 }, { type: 'stay' });
    act(state, RED, { type: 'takeBack', disc: 1, beach: 4 }, { type: 'stay' });
    act(state, YELLOW, { type: 'takeBack', disc: 1, beach: 5 }, { type: 'stay' });
    expect([state.step, stood(state)]).toEqual(['turn', 1]);
  });

  it('scores as at the normal end, after the purchases of the base game, first by who brought it about', () => {
    const state = start();
    build(state, RED, 'mountain', 2);
    state.kept[RED]!.shell = 1;
    state.kept[YELLOW]!.shell = 3;
    waitOnce(state);
    waitOnce(state);
    expect([state.step, state.actor, state.round]).toEqual(['lastBuy', YELLOW, 2]);
    act(state, YELLOW, { type: 'buy', card: 'superiority' });
    act(state, RED, { type: 'decline' });
    expect([state.step, state.scores]).toEqual(['over', [4, 2]]);
    expect(state.scorings[0]!.parts.map(({ shells }) => shells)).toEqual([1, 2]);
  });

  it('forgets positions that cannot return: once a card is taken or lava is summoned', () => {
    const state = start('tactical');
    waitOnce(state);
    act(state, RED, { type: 'place', disc: 2, beach: 1, summon: true });
    expect(state.positions).toHaveLength(1);
    act(state, YELLOW, { type: 'place', disc: 1, beach: 4 }, { type: 'stay' });
    act(state, RED, { type: 'place', disc: 1, beach: 3 });
    act(state, YELLOW, { type: 'take', card: 'basket' });
    expect([state.positions!.length, stood(state)]).toEqual([1, 1]);
  });

  it('keeps a position in sixteen characters', () => {
    const state = start('tactical');
    waitOnce(state);
    expect(state.positions!.map((position) => position.length)).toEqual([16, 16, 16, 16, 16]);
    expect(new Set(state.positions).size).toBe(4);
  });

  it('is told, described and shown', () => {
    const state = start();
    waitOnce(state);
    const view = haleakala2.view(state, RED);
    expect(haleakala2.describe!(view)).toContain(
      'This position stands for the second time; the third time ends the match.',
    );
    expect(haleakala2.svg(view)).toContain('position 2 of 3');
    const effects: Effect[] = [];
    const turns: [number, Action][] = (['place', 'takeBack'] as const).flatMap((type) => [
      [RED, { type, disc: 1, beach: 4 }],
      [YELLOW, { type, disc: 1, beach: 5 }],
    ]);
    for (const [seat, action] of turns) {
      haleakala2.apply(state, seat, action, fastRng(1));
      haleakala2.apply(state, seat, { type: 'stay' }, fastRng(1), (effect) => effects.push(effect as Effect));
    }
    expect(effects.map((effect) => haleakala2.explain!(effect))[0]).toBe(
      'The same position stood for the third time, so the last scoring begins.',
    );
    const over = haleakala2.view(state, RED);
    expect(Value.Check(haleakala2.schema.view, over)).toBe(true);
    expect(haleakala2.describe!(over)).toContain('Scoring 2: A got 0 points.');
    for (const width of ['WIDE', 'NARROW'] as const) {
      expect(haleakala2.svg(over, { ...NO_SCENE, width, result: haleakala2.result(state) })).toContain('wins 0 : 0');
    }
  });
});

describe('rules 1 beside rules 2', () => {
  it('stay as they were: their options, their view, their last step', () => {
    expect([1, 2].map((rules) => registry.game('haleakala', rules))).toEqual([haleakala1, haleakala2]);
    expect(optionsFor(haleakala1, {})).toEqual({ variant: 'base', cards: 'P' });
    expect(() => optionsFor(haleakala1, { repetition: true })).toThrow('there is no option repetition');
  });

  it.each(['base', 'tactical'] as const)('play alike without the option (%s)', (variant) => {
    for (let seed = 0; seed < 5; seed++) {
      const rngs = [fastRng(seed), fastRng(seed)] as const;
      const old = haleakala1.setup({ variant, cards: 'P' }, 2, rngs[0]);
      const now = haleakala2.setup({ variant, cards: 'P', repetition: false }, 2, rngs[1]);
      const choice = fastRng(seed + 1);
      while (!haleakala1.result(old)) {
        const list = haleakala1.legal(old, old.actor);
        if (JSON.stringify(list) !== JSON.stringify(haleakala2.legal(now, now.actor))) expect(list).toEqual([]);
        const action = choice.pick(list);
        haleakala1.apply(old, old.actor, action, rngs[0]);
        haleakala2.apply(now, now.actor, action, rngs[1]);
      }
      const { repetition, ...rest } = now;
      expect([repetition, old.step, rest.step]).toEqual([false, 'end', 'over']);
      const scorings = rest.scorings.map(({ lost, parts }) => ({ lost, parts }));
      expect({ ...rest, step: 'end', scorings }).toEqual(old);
      expect(Value.Check(haleakala1.schema.view, haleakala1.view(old, null))).toBe(true);
      expect(Value.Check(haleakala2.schema.view, haleakala2.view(now, null))).toBe(true);
    }
  });
});
