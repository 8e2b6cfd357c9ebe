import { describe, expect, it } from 'vitest';
import type { BoardCard } from '../../../src/games/haleakala/data.ts';
import { haleakala } from '../../../src/games/haleakala/index.ts';
import { erupt, partsOf } from '../../../src/games/haleakala/scoring.ts';
import { type State, spaceOf } from '../../../src/games/haleakala/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { act, acting, cards, decks, discs, may, RED, send, table, VARIANTS, YELLOW } from './table.ts';

const statue = (state: State, seat: number, terrain: 'land' | 'forest' | 'mountain', ...segments: number[]) => {
  for (const segment of segments) {
    state.statues[spaceOf(terrain, segment)] = seat;
    state.statuesLeft[seat]!--;
  }
};

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

describe('eruption', () => {
  it('reaches mountain, forest and land with one, two and three discs; a fourth does nothing', () => {
    const remaining = [0, 1, 2, 3, 4].map((discsThere) => {
      const state = table();
      for (const terrain of ['land', 'forest', 'mountain'] as const) statue(state, RED, terrain, 0, 1);
      state.lava[0] = discsThere;
      state.lavaLeft = 4 - discsThere;
      expect(erupt(state)).toEqual([Math.min(3, discsThere), 0]);
      expect([state.lava[0], state.lavaLeft, state.statuesLeft[RED]]).toEqual([0, 4, 2 + Math.min(3, discsThere)]);
      return (['mountain', 'forest', 'land'] as const).map((t) => state.statues[spaceOf(t, 0)] !== null);
    });
    expect(remaining).toEqual([
      [true, true, true],
      [false, true, true],
      [false, false, true],
      [false, false, false],
      [false, false, false],
    ]);
  });

  it('test cases 4 and 5: yellow loses a mountain and a land statue and scores 3 + 3 + 2 + 1 = 9', () => {
    const state = table();
    statue(state, YELLOW, 'mountain', 0, 1, 2);
    statue(state, YELLOW, 'forest', 3);
    statue(state, YELLOW, 'land', 4, 5);
    state.lava = [1, 0, 0, 0, 3, 0];
    state.lavaLeft = 0;
    expect(erupt(state)).toEqual([0, 2]);
    const parts = partsOf(state, YELLOW);
    expect([parts.mountain, parts.forest, parts.land, parts.total]).toEqual([6, 2, 1, 9]);
    expect(state.statuesLeft[YELLOW]).toBe(4);
  });

  it('R8: destroys a statue under a shaman; the shaman stays', () => {
    const state = table();
    statue(state, RED, 'mountain', 0);
    state.shamans[RED] = spaceOf('mountain', 0);
    state.lava[0] = 1;
    erupt(state);
    expect([state.statues[spaceOf('mountain', 0)], state.shamans[RED]]).toEqual([null, spaceOf('mountain', 0)]);
  });
});

describe('points', () => {
  it('go to more baskets only', () => {
    const points = (red: number, yellow: number) => {
      const state = table();
      state.kept[RED]!.basket = red;
      state.kept[YELLOW]!.basket = yellow;
      return [partsOf(state, RED).baskets, partsOf(state, YELLOW).baskets];
    };
    expect([points(0, 0), points(2, 2), points(3, 2), points(0, 1)]).toEqual([
      [0, 0],
      [0, 0],
      [3, 0],
      [0, 3],
    ]);
  });

  it('R4: count pearls 1 and 2, every pair 4', () => {
    const points = (white: number, black: number) => {
      const state = table();
      state.kept[RED]!.whitePearl = white;
      state.kept[RED]!.blackPearl = black;
      return partsOf(state, RED).pearls;
    };
    expect([points(0, 0), points(1, 0), points(0, 1), points(1, 1), points(2, 1), points(2, 2)]).toEqual([
      0, 1, 2, 4, 5, 8,
    ]);
  });

  it('count nautilus and shells in the second scoring only', () => {
    const state = table();
    state.kept[RED] = { shell: 2, basket: 0, whitePearl: 0, blackPearl: 0, nautilus: 2 };
    expect([partsOf(state, RED).nautilus, partsOf(state, RED).shells, partsOf(state, RED).total]).toEqual([
      null,
      null,
      0,
    ]);
    state.round = 2;
    expect([partsOf(state, RED).nautilus, partsOf(state, RED).shells, partsOf(state, RED).total]).toEqual([6, 2, 8]);
  });

  const withCard = (card: BoardCard, prepare: (state: State) => void) => {
    const state = table();
    prepare(state);
    expect(partsOf(state, RED)[card as 'superiority']).toBeNull();
    const without = partsOf(state, RED).total;
    state.board[card] = RED;
    expect(partsOf(state, YELLOW)[card as 'superiority']).toBeNull();
    const parts = partsOf(state, RED);
    expect(parts.total - without).toBe(parts[card as 'superiority']);
    return parts[card as 'superiority'];
  };

  it('butterflies: 1 for each on own kept cards', () => {
    const points = withCard('butterflies', (state) => {
      state.kept[RED] = { shell: 3, basket: 2, whitePearl: 1, blackPearl: 1, nautilus: 1 };
    });
    expect(points).toBe(2 + 2 + 1 + 1);
  });

  it('R9: superiority counts 2 for each terrain with strictly more statues, a tie for nobody', () => {
    const points = withCard('superiority', (state) => {
      statue(state, RED, 'mountain', 0, 1);
      statue(state, YELLOW, 'mountain', 2);
      statue(state, RED, 'forest', 0);
      statue(state, YELLOW, 'forest', 1);
    });
    expect(points).toBe(2);
    expect(withCard('superiority', () => {})).toBe(0);
  });

  it('finished segment: 4 for each segment with three own statues', () => {
    const points = withCard('finishedSegment', (state) => {
      for (const terrain of ['land', 'forest', 'mountain'] as const) statue(state, RED, terrain, 0, 4);
      statue(state, RED, 'land', 2);
      statue(state, RED, 'forest', 2);
      statue(state, YELLOW, 'mountain', 2);
    });
    expect(points).toBe(8);
  });

  it('forest and mountain statues: 2 and 3 more each; a statue may count several times', () => {
    const prepare = (state: State) => {
      statue(state, RED, 'forest', 0, 1);
      statue(state, RED, 'mountain', 0, 1, 2);
      statue(state, YELLOW, 'forest', 2);
    };
    expect(withCard('forestStatues', prepare)).toBe(4);
    expect(withCard('mountainStatues', prepare)).toBe(9);
    const state = table();
    prepare(state);
    statue(state, RED, 'land', 0);
    state.board.mountainStatues = state.board.finishedSegment = state.board.superiority = RED;
    expect(partsOf(state, RED).total).toBe(9 + 4 + 1 + 9 + 4 + 6);
  });
});

describe.each(VARIANTS)('the first scoring (%s)', (variant) => {
  it('comes when the last two-palm card is placed, then the other seat is to move in round two', () => {
    const state = beforeFirst(variant);
    statue(state, RED, 'mountain', 5);
    statue(state, YELLOW, 'forest', 5);
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
    statue(state, RED, 'mountain', 5);
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
    statue(state, YELLOW, 'mountain', 2);
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
    statue(state, YELLOW, 'mountain', 5);
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
    statue(state, RED, 'mountain', 5);
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
    statue(state, RED, 'land', 3);
    send(state);
    expect(state.step).toBe('end');
    expect(acting(state)).toEqual([]);
    expect(haleakala.result(state)).toEqual({ scores: [1, 3], ranks: [2, 1] });
  });

  it('R19: comes even if discs lie there', () => {
    const state = beforeSecond(variant);
    discs(state, RED, { 2: 2 });
    discs(state, YELLOW, { 5: 2 });
    send(state);
    expect(state.step).toBe('end');
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
    statue(state, YELLOW, 'mountain', 4);
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
    statue(state, YELLOW, 'forest', 1, 2);
    send(state);
    act(state, RED, { type: 'decline' });
    act(state, YELLOW, { type: 'buy', card: 'forestStatues' });
    expect([state.step, state.scores]).toEqual(['end', [1, 8]]);
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
    expect(ranks((s) => statue(s, RED, 'land', 0))).toEqual([1, 2]);
    expect(ranks((s) => statue(s, YELLOW, 'land', 0))).toEqual([2, 1]);
  });

  it('has, with equal points, more statues', () => {
    const tie = (few: number, many: number) => (s: State) => {
      statue(s, few, 'forest', 0);
      statue(s, many, 'land', 1, 2);
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

describe('an independent count', () => {
  /** Points straight from the rulebook's sentences, written without the tables of the game. */
  const recount = (view: ReturnType<typeof haleakala.view>, seat: number, second: boolean): number => {
    let points = 0;
    const mine = { land: 0, forest: 0, mountain: 0 };
    const theirs = { land: 0, forest: 0, mountain: 0 };
    let finished = 0;
    for (const { statues } of view.segments) {
      let here = 0;
      for (const [terrain, value] of [
        ['land', 1],
        ['forest', 2],
        ['mountain', 3],
      ] as const) {
        if (statues[terrain] === seat) {
          mine[terrain]++;
          here++;
          points += value;
        } else if (statues[terrain] !== null) theirs[terrain]++;
      }
      if (here === 3) finished++;
    }
    const kept = view.seats[seat]!.kept;
    if (kept.basket > view.seats[1 - seat]!.kept.basket) points += 3;
    for (let white = kept.whitePearl, black = kept.blackPearl; white > 0 || black > 0; white--, black--) {
      points += white > 0 && black > 0 ? 4 : white > 0 ? 1 : 2;
    }
    if (second) points += 3 * kept.nautilus + kept.shell;
    for (const card of view.seats[seat]!.scoringCards) {
      if (card === 'butterflies') points += kept.basket + 2 * kept.whitePearl + kept.blackPearl + kept.nautilus;
      if (card === 'finishedSegment') points += 4 * finished;
      if (card === 'forestStatues') points += 2 * mine.forest;
      if (card === 'mountainStatues') points += 3 * mine.mountain;
      if (card === 'superiority') {
        for (const terrain of ['land', 'forest', 'mountain'] as const) if (mine[terrain] > theirs[terrain]) points += 2;
      }
    }
    return points;
  };

  it('agrees on random positions', () => {
    const rng = fastRng(21);
    for (let i = 0; i < 500; i++) {
      const state = table();
      state.round = rng.int(2) === 0 ? 1 : 2;
      state.statues = state.statues.map(() => rng.pick([null, RED, RED, YELLOW]));
      for (const kept of state.kept) {
        for (const kind of Object.keys(kept) as (keyof typeof kept)[]) kept[kind] = rng.int(3);
      }
      for (const card of Object.keys(state.board) as BoardCard[]) state.board[card] = rng.pick([null, RED, YELLOW]);
      const view = haleakala.view(state, null);
      for (const seat of [RED, YELLOW]) expect(partsOf(state, seat).total).toBe(recount(view, seat, state.round === 2));
    }
  });
});
