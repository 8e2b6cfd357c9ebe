import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/games/haleakala/actions.ts';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import { POOL, spaceOf } from '../../../src/games/haleakala/state.ts';
import { act, acting, cards, decks, discs, may, RED, table, YELLOW } from './table.ts';

const summon = (disc: number, beach = 1): Action => ({ type: 'place', disc, beach, summon: true });

describe('summon discs', () => {
  it('go with a disc at the boat and bring lava where the boat arrives', () => {
    const state = table('tactical');
    act(state, RED, summon(3));
    expect([state.boat, state.lava, state.lavaLeft]).toEqual([4, [0, 0, 0, 0, 1, 0], 3]);
    expect(state.summons).toEqual([1, POOL]);
    expect(acting(state)).toEqual([YELLOW]);
  });

  it('bring lava before the cards are distributed', () => {
    const state = table('tactical');
    cards(state, 2, 'priestess', 'priestess');
    discs(state, YELLOW, { 1: 2 });
    act(state, RED, summon(1));
    expect(haleakala.legal(state, YELLOW)).toEqual([
      { type: 'moveLava', from: 2, to: 3 },
      { type: 'moveLava', from: 2, to: 1 },
    ]);
  });

  it('go nowhere else, not with other actions, not twice, not in the base game', () => {
    const state = table('tactical');
    discs(state, RED, { 2: 1, 4: 4 });
    const summons = haleakala.legal(state, RED).filter((action) => action.type === 'place' && action.summon);
    expect(summons).toEqual([summon(1), summon(3), summon(5)]);
    state.summons[RED] = 4;
    expect(may(state, RED, summon(1))).toBe(false);
    expect(may(table('base'), RED, summon(1))).toBe(false);
  });

  it('R11: stay in the pool while no lava is in the supply', () => {
    const state = table('tactical');
    state.lava = [1, 1, 1, 1, 0, 0];
    state.lavaLeft = 0;
    expect(may(state, RED, summon(1))).toBe(false);
    expect(may(state, RED, { type: 'place', disc: 1, beach: 1 })).toBe(true);
  });

  it('add nothing to sums and give no right to a card', () => {
    const state = table('tactical');
    state.summons = [POOL, 2];
    act(state, RED, { type: 'place', disc: 1, beach: 1 });
    expect([state.step, state.notches.slice(4, 6)]).toEqual(['turn', ['whitePearl', 'basket']]);
  });

  it('come back when the boat ends where they lie, for both seats', () => {
    const state = table('tactical');
    state.summons = [2, 2];
    act(state, RED, { type: 'place', disc: 1, beach: 1 });
    expect(state.summons).toEqual([POOL, POOL]);
    const elsewhere = table('tactical');
    elsewhere.summons = [3, 4];
    act(elsewhere, RED, { type: 'place', disc: 1, beach: 1 });
    expect(elsewhere.summons).toEqual([3, 4]);
  });

  it('come back with a priestess card, the own one only', () => {
    const state = table('tactical');
    state.summons = [5, 4];
    state.lava[0] = 1;
    state.lavaLeft = 3;
    cards(state, 2, 'priestess', 'priestess');
    discs(state, RED, { 2: 2 });
    act(state, RED, { type: 'place', disc: 1, beach: 1 }, { type: 'moveLava', from: 0, to: 1 });
    expect([state.summons, state.lava[1]]).toEqual([[POOL, 4], 1]);
  });

  it('come back with a priestess bought from the board', () => {
    const state = table('tactical');
    state.summons = [5, 4];
    cards(state, 2, 'shell', 'shell');
    discs(state, RED, { 2: 2 });
    act(state, RED, { type: 'place', disc: 1, beach: 1 }, { type: 'buy', card: 'priestess' });
    expect(state.summons).toEqual([POOL, 4]);
  });

  it('R12: come back with a priestess even without lava', () => {
    const state = table('tactical');
    state.summons = [5, POOL];
    cards(state, 2, 'priestess', 'priestess');
    discs(state, RED, { 2: 2 });
    act(state, RED, { type: 'place', disc: 1, beach: 1 });
    expect([state.summons, state.discarded.priestess, state.step]).toEqual([[POOL, POOL], 1, 'turn']);
  });

  it('are not taken back by an action and do not count for sailing', () => {
    const state = table('tactical');
    discs(state, RED, { 1: 0, 2: 0, 3: 4, 4: 5, 5: 5 });
    expect(state.summons[RED]).toBe(POOL);
    expect(may(state, RED, { type: 'sail' })).toBe(true);
    state.summons[RED] = 0;
    const list = haleakala.legal(state, RED);
    expect(list.filter((action) => action.type === 'takeBack')).toHaveLength(5);
    expect(list).toHaveLength(6);
  });

  it('R13: on the move that ends the match lava is placed before the scoring', () => {
    const state = table('tactical');
    decks(state);
    cards(state, 2, null, null);
    state.round = 2;
    state.statues[spaceOf('mountain', 2)] = YELLOW;
    state.statuesLeft[YELLOW] = 7;
    act(state, RED, summon(1));
    expect([state.step, state.scorings[0]!.lost, state.scores]).toEqual(['over', [0, 1], [0, 0]]);
  });

  it('R14: stay where they lie at the first scoring', () => {
    const state = table('tactical');
    decks(state, {}, { blackPearl: 1 }, { nautilus: 5 });
    cards(state, 2, 'basket', 'basket');
    discs(state, RED, { 2: 2 });
    state.summons = [POOL, 4];
    act(state, RED, summon(1));
    expect([state.round, state.summons, state.lavaLeft]).toEqual([2, [1, 4], 4]);
  });
});
