import { describe, expect, it } from 'vitest';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import { type State, spaceOf } from '../../../src/games/haleakala/state.ts';
import { act, acting, build, cards, decks, discs, may, RED, send, table, VARIANTS, YELLOW } from './table.ts';

/** Red's next disc 1 at the boat brings the first scoring: one two-palm card fills the notch. */
const beforeFirst = (variant: 'base' | 'tactical', last: 'blackPearl' | 'lava' = 'blackPearl') => {
  const state = table(variant);
  decks(state, {}, { [last]: 1 }, { nautilus: 5 });
  cards(state, 2, 'basket', 'basket');
  discs(state, RED, { 2: 2 });
  return state;
};

/** Red's next disc 1 at the boat brings the second scoring. */
const beforeSecond = (variant: 'base' | 'tactical') => {
  const state = table(variant);
  decks(state);
  cards(state, 2, null, null);
  state.round = 2;
  return state;
};

describe.each(VARIANTS)('the first scoring (%s)', (variant) => {
  it('comes when the last two-palm card is placed, then the other seat is to move in round two', () => {
    const state = beforeFirst(variant);
    build(state, RED, 'mountain', 5);
    build(state, YELLOW, 'forest', 5);
    send(state);
    expect([state.round, state.scores, acting(state)]).toEqual([2, [6, 2], [YELLOW]]);
    expect(state.scorings).toHaveLength(1);
    expect(state.notches.slice(4, 6).sort()).toEqual(['basket', 'blackPearl']);
  });

  it('interrupts the refill, which goes on with three-palm cards', () => {
    const state = beforeFirst(variant);
    cards(state, 2, 'basket', 'whitePearl');
    discs(state, YELLOW, { 5: 2 });
    send(state);
    act(state, YELLOW, { type: 'take', card: 'basket' });
    expect([state.round, state.notches.slice(4, 6)]).toEqual([2, ['blackPearl', 'nautilus']]);
    expect(state.scores).toEqual([1, 3]);
  });

  it('comes not while a two-palm card is left, and comes though the last one fills the last notch', () => {
    const early = beforeFirst(variant);
    decks(early, { statue: 1 }, { blackPearl: 1 }, { nautilus: 5 });
    send(early);
    expect([early.round, early.decks[1]!.blackPearl]).toEqual([1, 1]);
    const full = beforeFirst(variant);
    decks(full, { statue: 1 }, { blackPearl: 1 }, { nautilus: 5 });
    cards(full, 2, 'basket', 'whitePearl');
    discs(full, YELLOW, { 5: 2 });
    send(full);
    act(full, YELLOW, { type: 'take', card: 'basket' });
    expect([full.round, full.notches.slice(4, 6)]).toEqual([2, ['statue', 'blackPearl']]);
    expect(full.decks[2]!.nautilus).toBe(5);
  });

  it('leaves the island, discs, kept cards and shells; cards and priestess come back to the board', () => {
    const state = beforeFirst(variant);
    build(state, RED, 'mountain', 5);
    discs(state, RED, { 2: 2, 5: 4 });
    discs(state, YELLOW, { 3: 0 });
    state.shamans = [spaceOf('forest', 1), spaceOf('land', 4)];
    state.kept[RED] = { shell: 0, basket: 1, whitePearl: 1, blackPearl: 0, nautilus: 0 };
    state.board.priestess = YELLOW;
    state.board.mountainStatues = RED;
    state.lava = [0, 0, 0, 1, 0, 0];
    state.lavaLeft = 3;
    send(state);
    expect(state.scorings[0]!.parts[RED]).toMatchObject({
      mountain: 3,
      baskets: 3,
      pearls: 1,
      mountainStatues: 3,
      total: 10,
    });
    expect(Object.values(state.board)).toEqual([null, null, null, null, null, null]);
    expect([state.lava, state.lavaLeft]).toEqual([[0, 0, 0, 0, 0, 0], 4]);
    expect(state.statues[spaceOf('mountain', 5)]).toBe(RED);
    expect([state.shamans, state.boat]).toEqual([[spaceOf('forest', 1), spaceOf('land', 4)], 2]);
    expect([state.discs[RED]![4], state.discs[YELLOW]![2]]).toEqual([4, 0]);
    expect(state.kept[RED]).toEqual({ shell: 0, basket: 2, whitePearl: 1, blackPearl: 0, nautilus: 0 });
  });
});

describe('the first scoring (base)', () => {
  it('R1: a lava card that is the last two-palm card places its disc, then the scoring comes', () => {
    const state = beforeFirst('base', 'lava');
    build(state, YELLOW, 'mountain', 2);
    send(state);
    expect(state.scorings[0]!.lost).toEqual([0, 1]);
    expect([state.round, state.lava[2], state.lavaLeft]).toEqual([2, 0, 4]);
    expect(state.notches.slice(4, 6).sort()).toEqual(['basket', 'nautilus']);
  });

  it('counts a lava card drawn after the scoring for round two, at the boat', () => {
    const state = beforeFirst('base', 'lava');
    decks(state, {}, { lava: 1 }, { lava: 1 });
    send(state);
    expect([state.round, state.lava, state.lavaLeft]).toEqual([2, [0, 0, 1, 0, 0, 0], 3]);
  });

  it('R16: sells one card to the seat whose turn it is, then one to the other', () => {
    const state = beforeFirst('base');
    state.kept[RED]!.shell = 2;
    state.kept[YELLOW]!.shell = 2;
    build(state, YELLOW, 'mountain', 5);
    send(state);
    expect([state.step, acting(state), state.scorings]).toEqual(['lastBuy', [RED], []]);
    act(state, RED, { type: 'buy', card: 'butterflies' });
    expect([state.step, acting(state)]).toEqual(['lastBuy', [YELLOW]]);
    expect(may(state, YELLOW, { type: 'buy', card: 'butterflies' })).toBe(false);
    act(state, YELLOW, { type: 'buy', card: 'mountainStatues' });
    expect(state.scorings[0]!.parts[RED]).toMatchObject({ butterflies: 1, baskets: 3, total: 4 });
    expect(state.scorings[0]!.parts[YELLOW]).toMatchObject({ mountain: 3, mountainStatues: 3, total: 6 });
    expect([state.step, acting(state), state.kept[RED]!.shell]).toEqual(['turn', [YELLOW], 1]);
  });

  it('R15: the priestess bought by the first is gone for the second, and acts before the eruption', () => {
    const state = beforeFirst('base');
    state.kept[RED]!.shell = 1;
    state.kept[YELLOW]!.shell = 1;
    build(state, RED, 'mountain', 5);
    state.lava[5] = 1;
    state.lavaLeft = 3;
    send(state);
    act(state, RED, { type: 'buy', card: 'priestess' }, { type: 'moveLava', from: 5, to: 0 });
    expect([state.step, acting(state)]).toEqual(['lastBuy', [YELLOW]]);
    expect(may(state, YELLOW, { type: 'buy', card: 'priestess' })).toBe(false);
    act(state, YELLOW, { type: 'decline' });
    expect(state.scorings[0]!.lost).toEqual([0, 0]);
    expect(state.board.priestess).toBeNull();
  });

  it('R17: a shell received in that distribution buys at once and again before the scoring', () => {
    const state = beforeFirst('base');
    cards(state, 2, 'shell', 'shell');
    state.kept[RED]!.shell = 1;
    send(state);
    expect(state.step).toBe('buy');
    act(state, RED, { type: 'buy', card: 'superiority' });
    expect([state.step, acting(state), state.kept[RED]!.shell]).toEqual(['lastBuy', [RED], 1]);
    act(state, RED, { type: 'buy', card: 'butterflies' });
    expect([state.round, state.scorings[0]!.parts[RED]!.superiority]).toEqual([2, 0]);
  });

  it('asks only seats that can pay', () => {
    const state = beforeFirst('base');
    state.kept[YELLOW]!.shell = 1;
    send(state);
    expect([state.step, acting(state)]).toEqual(['lastBuy', [YELLOW]]);
  });
});

describe('the scorings (tactical)', () => {
  it.each([beforeFirst, beforeSecond])('sell nothing before them', (before) => {
    const state = before('tactical');
    state.kept[RED]!.shell = 3;
    state.kept[YELLOW]!.shell = 3;
    send(state);
    expect(state.scorings).toHaveLength(1);
  });
});

describe.each(VARIANTS)('the second scoring (%s)', (variant) => {
  it('test case 3: three-palm deck empty, red places a 1, the boat ends in a segment without cards', () => {
    const state = beforeSecond(variant);
    state.kept[YELLOW]!.nautilus = 1;
    build(state, RED, 'land', 3);
    send(state);
    expect(state.step).toBe('over');
    expect(acting(state)).toEqual([]);
    expect(haleakala.result(state)).toEqual({ scores: [1, 3], ranks: [2, 1] });
  });

  it('R19: comes even if discs lie there', () => {
    const state = beforeSecond(variant);
    discs(state, RED, { 2: 2 });
    discs(state, YELLOW, { 5: 2 });
    send(state);
    expect(state.step).toBe('over');
    expect(state.discs[YELLOW]![4]).toBe(2);
  });

  it('comes not while a card lies there', () => {
    const state = beforeSecond(variant);
    cards(state, 2, null, 'basket');
    send(state);
    expect([state.step, haleakala.result(state)]).toEqual(['turn', null]);
  });

  it('adds to the first, with lava, shells and nautilus', () => {
    const state = beforeSecond(variant);
    state.scores = [10, 12];
    state.kept[RED] = { shell: 0, basket: 1, whitePearl: 1, blackPearl: 1, nautilus: 1 };
    build(state, YELLOW, 'mountain', 4);
    state.lava[4] = 1;
    state.lavaLeft = 3;
    send(state);
    expect(state.scorings[0]).toMatchObject({ lost: [0, 1], parts: [{ total: 10 }, { total: 0 }] });
    expect(state.scores).toEqual([20, 12]);
    expect(state.lavaLeft).toBe(4);
  });

  it('counts shells left', () => {
    const state = beforeSecond(variant);
    state.kept[YELLOW]!.shell = 2;
    send(state);
    if (variant === 'base') act(state, YELLOW, { type: 'decline' });
    expect(state.scores).toEqual([0, 2]);
  });
});

describe('the second scoring (base)', () => {
  it('sells before it, too, to the seat whose turn it is first', () => {
    const state = beforeSecond('base');
    state.kept[RED]!.shell = 1;
    state.kept[YELLOW]!.shell = 2;
    build(state, YELLOW, 'forest', 1, 2);
    send(state);
    act(state, RED, { type: 'decline' });
    act(state, YELLOW, { type: 'buy', card: 'forestStatues' });
    expect([state.step, state.scores]).toEqual(['over', [1, 8]]);
  });
});

describe('the winner', () => {
  const ranks = (prepare: (state: State) => void) => {
    const state = beforeSecond('base');
    prepare(state);
    send(state);
    return haleakala.result(state)!.ranks;
  };

  it('has more points', () => {
    expect(ranks((s) => build(s, RED, 'land', 0))).toEqual([1, 2]);
    expect(ranks((s) => build(s, YELLOW, 'land', 0))).toEqual([2, 1]);
  });

  it('has, with equal points, more statues', () => {
    const tie = (few: number, many: number) => (s: State) => {
      build(s, few, 'forest', 0);
      build(s, many, 'land', 1, 2);
    };
    expect(ranks(tie(RED, YELLOW))).toEqual([2, 1]);
    expect(ranks(tie(YELLOW, RED))).toEqual([1, 2]);
  });

  it('is, with equal statues, the seat that did not start', () => {
    expect(ranks(() => {})).toEqual([2, 1]);
    expect(
      ranks((s) => {
        s.startSeat = YELLOW;
      }),
    ).toEqual([1, 2]);
  });
});
