import { describe, expect, it } from 'vitest';
import type { BoardCard } from '../../../src/games/haleakala/data.ts';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import { erupt, partsOf } from '../../../src/games/haleakala/scoring.ts';
import { type State, spaceOf } from '../../../src/games/haleakala/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { build, RED, table, YELLOW } from './table.ts';

describe('eruption', () => {
  it('reaches mountain, forest and land with one, two and three discs; a fourth does nothing', () => {
    const remaining = [0, 1, 2, 3, 4].map((discsThere) => {
      const state = table();
      for (const terrain of ['land', 'forest', 'mountain'] as const) build(state, RED, terrain, 0, 1);
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
    build(state, YELLOW, 'mountain', 0, 1, 2);
    build(state, YELLOW, 'forest', 3);
    build(state, YELLOW, 'land', 4, 5);
    state.lava = [1, 0, 0, 0, 3, 0];
    state.lavaLeft = 0;
    expect(erupt(state)).toEqual([0, 2]);
    const parts = partsOf(state, YELLOW);
    expect([parts.mountain, parts.forest, parts.land, parts.total]).toEqual([6, 2, 1, 9]);
    expect(state.statuesLeft[YELLOW]).toBe(4);
  });

  it('R8: destroys a statue under a shaman; the shaman stays', () => {
    const state = table();
    build(state, RED, 'mountain', 0);
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
      build(state, RED, 'mountain', 0, 1);
      build(state, YELLOW, 'mountain', 2);
      build(state, RED, 'forest', 0);
      build(state, YELLOW, 'forest', 1);
    });
    expect(points).toBe(2);
    expect(withCard('superiority', () => {})).toBe(0);
  });

  it('finished segment: 4 for each segment with three own statues', () => {
    const points = withCard('finishedSegment', (state) => {
      for (const terrain of ['land', 'forest', 'mountain'] as const) build(state, RED, terrain, 0, 4);
      build(state, RED, 'land', 2);
      build(state, RED, 'forest', 2);
      build(state, YELLOW, 'mountain', 2);
    });
    expect(points).toBe(8);
  });

  it('forest and mountain statues: 2 and 3 more each; a statue may count several times', () => {
    const prepare = (state: State) => {
      build(state, RED, 'forest', 0, 1);
      build(state, RED, 'mountain', 0, 1, 2);
      build(state, YELLOW, 'forest', 2);
    };
    expect(withCard('forestStatues', prepare)).toBe(4);
    expect(withCard('mountainStatues', prepare)).toBe(9);
    const state = table();
    prepare(state);
    build(state, RED, 'land', 0);
    state.board.mountainStatues = state.board.finishedSegment = state.board.superiority = RED;
    expect(partsOf(state, RED).total).toBe(9 + 4 + 1 + 9 + 4 + 6);
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
