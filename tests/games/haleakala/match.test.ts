import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/games/canonical.ts';
import type { Action } from '../../../src/games/haleakala/actions.ts';
import { haleakala2 as haleakala, haleakala1 } from '../../../src/games/haleakala/index.ts';
import { type Options, type State, sumOn } from '../../../src/games/haleakala/state.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';

/** Plays a random match and shows every state with the list of the seat that acts. */
function playOut(options: Options, seed: number, see: (state: State, seat: number, list: Action[]) => void): State {
  const rng = fastRng(seed);
  const state = haleakala.setup(options, 2, rng);
  for (let n = 0; n < 5000; n++) {
    const lists = [haleakala.legal(state, 0), haleakala.legal(state, 1)];
    const seat = lists[0]!.length > 0 ? 0 : 1;
    const list = lists[seat]!;
    see(state, seat, list);
    if (list.length === 0) return state;
    if (lists[1 - seat]!.length > 0) throw new Error('only one seat acts at a time');
    haleakala.apply(state, seat, rng.pick(list), rng);
  }
  throw new Error('a random match should have ended');
}

/** What must never be seen in a match; collected, because an assertion for each state would take long. */
function faults(state: State, list: Action[], pieces: string): string[] {
  const out: string[] = [];
  if (canonical(haleakala.accounts(state)) !== pieces) out.push('pieces lost or gained');
  if ((haleakala.result(state) === null) !== list.length > 0) out.push('a result while somebody may act, or none');
  if (list.length === 1) out.push('a decision with one answer');
  if (list.length > 36) out.push('a long list');
  for (let beach = 0; beach < 6; beach++) {
    const red = sumOn(state, 0, beach);
    if (red > 0 && red === sumOn(state, 1, beach)) out.push('equal sums on a beach');
  }
  return out;
}

const tables = [haleakala1, haleakala].flatMap((game) =>
  Object.entries(game.variants).map(([variant, options]) => ({ game, rules: game.rules, variant, options })),
);

describe.each(tables)('random matches (rules $rules, $variant)', ({ game, options }) => {
  it('end, conserve the pieces, keep the sums apart and leave real decisions only', () => {
    for (let seed = 0; seed < 8; seed++) {
      const pieces = canonical(haleakala.accounts(haleakala.setup(options, 2, fastRng(seed))));
      const found: string[] = [];
      const last = playOut(options, seed, (state, _seat, list) => found.push(...faults(state, list, pieces)));
      expect(found).toEqual([]);
      expect(last.scorings).toHaveLength(2);
      expect(last.scores).toEqual(
        [0, 1].map((seat) => last.scorings[0]!.parts[seat]!.total + last.scorings[1]!.parts[seat]!.total),
      );
      expect(last.decks.every((deck) => Object.values(deck).every((n) => n === 0))).toBe(true);
      expect([...haleakala.result(last)!.ranks].sort()).toEqual([1, 2]);
    }
  });

  it('fill every notch while a deck lasts, and turn the decks up in their order', () => {
    for (let seed = 100; seed < 104; seed++) {
      playOut(options, seed, (state) => {
        const left = haleakala.view(state, null).decks.map((deck) => deck.left);
        if (left[0]! > 0) expect(left[1]! + left[2]!).toBe(options.variant === 'base' ? 27 : 19);
        if (left[1]! > 0) expect([left[2], state.round]).toEqual([options.variant === 'base' ? 15 : 11, 1]);
        if (state.step === 'turn' && left[2]! > 0) expect(state.notches).not.toContain(null);
        expect(state.notches).not.toContain('lava');
      });
    }
  });

  it('have views that fit the schema and are the same for everybody', () => {
    playOut(options, 7, (state) => {
      const spectator = haleakala.view(state, null);
      expect(Value.Check(game.schema.view, spectator)).toBe(true);
      for (const seat of [0, 1]) expect({ ...haleakala.view(state, seat), you: null }).toEqual(spectator);
    });
  });

  it('have labels that tell the actions apart', () => {
    playOut(options, 8, (state, seat, list) => {
      for (const you of [seat, null]) {
        const view = haleakala.view(state, you);
        expect(new Set(list.map((action) => haleakala.label(action, view))).size).toBe(list.length);
      }
      for (const action of list) expect(Value.Check(haleakala.schema.action, action)).toBe(true);
    });
  });

  it('hide nothing: a guess is an equal copy that can be played on', () => {
    playOut(options, 9, (state, seat, list) => {
      const before = clone(state);
      const guess = haleakala.guess(state, seat, fastRng(1));
      expect(guess).toEqual(state);
      if (list.length > 0) haleakala.apply(guess, seat, list[0]!, fastRng(2));
      expect(state).toEqual(before);
      expect(list.some((action) => haleakala.isSecret(action))).toBe(false);
    });
  });
});

describe.each(['P', 'ALT'] as const)('lava in the base game (%s)', (cards) => {
  it('never runs dry: every lava card of a round puts a disc on a crater', () => {
    for (let seed = 0; seed < 30; seed++) {
      playOut({ variant: 'base', cards, repetition: false }, seed, (state) => {
        if (state.step === 'over') return;
        const swept = state.scorings.length * 4;
        expect(state.lava.reduce((sum, n) => sum + n, 0)).toBe(state.discarded.lava - swept);
      });
    }
  });
});

describe('labels', () => {
  const state = haleakala.setup({ variant: 'tactical', cards: 'P', repetition: false }, 2, fastRng(1));
  state.turn = state.actor = 0;
  const label = (action: Action) => haleakala.label(action, haleakala.view(state, 0));

  it('read well', () => {
    state.notches[2] = 'shell';
    state.notches[3] = 'blackPearl';
    state.discs = [
      [1, -1, -1, -1, -1],
      [-1, 1, -1, -1, -1],
    ];
    expect(label({ type: 'place', disc: 3, beach: 4 })).toBe('place disc 3 on beach 4');
    expect(label({ type: 'place', disc: 5, beach: 1 })).toBe('place disc 5 on beach 1 at the boat, sail to segment 0');
    expect(label({ type: 'place', disc: 2, beach: 1, summon: true })).toBe(
      'place disc 2 on beach 1 at the boat, sail to segment 3 and summon lava there',
    );
    expect(label({ type: 'takeBack', disc: 1, beach: 1 })).toBe('take disc 1 back from beach 1');
    expect(label({ type: 'sail' })).toBe('sail to segment 2');
    expect(label({ type: 'walk', segment: 1, terrain: 'forest' })).toBe('walk to forest 1');
    expect(label({ type: 'stay' })).toBe('stay on beach 0');
    expect(label({ type: 'take', card: 'shell' })).toBe('take the shell, A gets the black pearl');
    expect(label({ type: 'moveLava', from: 0, to: 5 })).toBe('move lava from crater 0 to crater 5');
    expect(label({ type: 'buy', card: 'priestess' })).toBe('buy lava priestess for 1 shell');
    expect(label({ type: 'buy', card: 'mountainStatues' })).toBe('buy mountain statues for 2 shells');
    expect(label({ type: 'decline' })).toBe('buy nothing with this shell');
    state.discs[1] = [-1, -1, -1, -1, -1];
    expect(label({ type: 'take', card: 'shell' })).toBe('take the shell');
  });
});
