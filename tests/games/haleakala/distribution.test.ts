import { describe, expect, it } from 'vitest';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import { POOL, spaceOf } from '../../../src/games/haleakala/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { act, acting, cards, decks, discs, may, RED, send, table, VARIANTS, YELLOW } from './table.ts';

describe.each(VARIANTS)('card distribution (%s)', (variant) => {
  it('gives the higher sum the choice and the other seat the rest', () => {
    const state = table(variant);
    discs(state, RED, { 2: 2 });
    discs(state, YELLOW, { 5: 2 });
    send(state);
    expect([state.step, acting(state)]).toEqual(['choose', [YELLOW]]);
    expect(haleakala.legal(state, YELLOW)).toEqual([
      { type: 'take', card: 'whitePearl' },
      { type: 'take', card: 'basket' },
    ]);
    act(state, YELLOW, { type: 'take', card: 'basket' });
    expect([state.kept[YELLOW]!.basket, state.kept[RED]!.whitePearl]).toEqual([1, 1]);
    expect([state.step, acting(state)]).toEqual(['turn', [YELLOW]]);
  });

  it('compares sums of several discs', () => {
    const state = table(variant);
    discs(state, RED, { 2: 2, 4: 2 });
    discs(state, YELLOW, { 5: 2 });
    send(state);
    expect(acting(state)).toEqual([RED]);
  });

  it('gives one of two identical cards to the higher sum only; the other stays', () => {
    const state = table(variant);
    cards(state, 2, 'basket', 'basket');
    decks(state, { nautilus: 3 });
    discs(state, RED, { 2: 2 });
    discs(state, YELLOW, { 5: 2 });
    send(state);
    expect([state.kept[YELLOW]!.basket, state.kept[RED]!.basket]).toEqual([1, 0]);
    expect(state.notches.slice(4, 6).sort()).toEqual(['basket', 'nautilus']);
  });

  it('R3: a single card goes to the higher sum, the other seat gets nothing', () => {
    const state = table(variant);
    decks(state);
    cards(state, 2, null, 'nautilus');
    discs(state, RED, { 2: 2 });
    discs(state, YELLOW, { 5: 2 });
    state.round = 2;
    send(state);
    expect([state.kept[YELLOW]!.nautilus, state.kept[RED]!.nautilus]).toEqual([1, 0]);
    expect(state.notches.slice(4, 6)).toEqual([null, null]);
    expect(state.discs[RED]![1]).toBe(POOL);
    expect(acting(state)).toEqual([YELLOW]);
  });

  it('lets a seat that is alone there choose; the other card stays', () => {
    const state = table(variant);
    decks(state, { nautilus: 3 });
    discs(state, YELLOW, { 1: 2 });
    send(state);
    expect(acting(state)).toEqual([YELLOW]);
    act(state, YELLOW, { type: 'take', card: 'whitePearl' });
    expect(state.kept).toEqual([
      { shell: 0, basket: 0, whitePearl: 0, blackPearl: 0, nautilus: 0 },
      { shell: 0, basket: 0, whitePearl: 1, blackPearl: 0, nautilus: 0 },
    ]);
    expect(state.notches.slice(4, 6)).toEqual(['nautilus', 'basket']);
  });

  it('gives nobody a card where nobody has discs, and refills nothing', () => {
    const state = table(variant);
    const before = structuredClone(state.decks);
    send(state);
    expect(state.notches.slice(4, 6)).toEqual(['whitePearl', 'basket']);
    expect(state.decks).toEqual(before);
    expect(acting(state)).toEqual([YELLOW]);
  });

  it('returns all discs of that beach to both seats, card or not, and no others', () => {
    const state = table(variant);
    cards(state, 3, 'basket', 'basket');
    discs(state, RED, { 1: 3, 4: 3, 5: 0 });
    discs(state, YELLOW, { 2: 3, 3: 5 });
    send(state, 2);
    expect(state.discs[RED]).toEqual([POOL, 1, POOL, POOL, 0]);
    expect(state.discs[YELLOW]).toEqual([POOL, POOL, 5, POOL, POOL]);
  });

  it('distributes after action 3 as well', () => {
    const state = table(variant);
    discs(state, RED, { 1: 2, 2: 0, 3: 4, 4: 5, 5: 5 });
    act(state, RED, { type: 'sail' });
    expect([state.step, acting(state)]).toEqual(['choose', [RED]]);
  });

  it('draws from the one-palm deck until it is empty, then from the two-palm deck', () => {
    const state = table(variant);
    decks(state, { shell: 1 }, { blackPearl: 5 }, { nautilus: 5 });
    discs(state, RED, { 2: 2 });
    discs(state, YELLOW, { 5: 2 });
    send(state);
    act(state, YELLOW, { type: 'take', card: 'basket' });
    expect(state.notches.slice(4, 6)).toEqual(['shell', 'blackPearl']);
    expect(state.round).toBe(1);
  });

  it('leaves a notch empty when the three-palm deck is used up', () => {
    const state = table(variant);
    state.round = 2;
    decks(state, {}, {}, { nautilus: 1 });
    discs(state, RED, { 2: 2 });
    discs(state, YELLOW, { 5: 2 });
    send(state);
    act(state, YELLOW, { type: 'take', card: 'basket' });
    expect(state.notches.slice(4, 6)).toEqual(['nautilus', null]);
    expect([state.step, acting(state)]).toEqual(['turn', [YELLOW]]);
  });
});

describe.each(VARIANTS)('card effects (%s)', (variant) => {
  /** Red alone at segment 2 gets one of two such cards. */
  const receive = (
    card: 'statue' | 'priestess' | 'shell' | 'basket',
    prepare = (_: ReturnType<typeof table>) => {},
  ) => {
    const state = table(variant);
    cards(state, 2, card, card);
    discs(state, RED, { 2: 2 });
    prepare(state);
    send(state);
    return state;
  };

  it('builds a statue under the own shaman; the shaman stays, the card leaves the match', () => {
    const space = spaceOf('forest', 4);
    const state = receive('statue', (s) => {
      s.shamans[RED] = space;
    });
    expect([state.statues[space], state.statuesLeft[RED], state.shamans[RED]]).toEqual([RED, 7, space]);
    expect(state.discarded.statue).toBe(1);
    expect(acting(state)).toEqual([YELLOW]);
  });

  it('discards a statue card on a beach', () => {
    const state = receive('statue');
    expect(state.statues.every((owner) => owner === null)).toBe(true);
    expect([state.statuesLeft[RED], state.discarded.statue]).toEqual([8, 1]);
  });

  it.each([RED, YELLOW])('discards a statue card on a space with a statue of seat %i', (owner) => {
    const space = spaceOf('land', 0);
    const state = receive('statue', (s) => {
      s.shamans[RED] = space;
      s.statues[space] = owner;
    });
    expect([state.statues[space], state.statuesLeft[RED], state.discarded.statue]).toEqual([owner, 8, 1]);
  });

  it('R10: discards a statue card when no statue is left', () => {
    const space = spaceOf('land', 0);
    const state = receive('statue', (s) => {
      s.shamans[RED] = space;
      s.statuesLeft[RED] = 0;
    });
    expect([state.statues[space], state.statuesLeft[RED], state.discarded.statue]).toEqual([null, 0, 1]);
  });

  it('R20: of two statue cards only one is taken, so only one seat builds', () => {
    const state = receive('statue', (s) => {
      s.shamans = [spaceOf('land', 0), spaceOf('land', 1)];
      discs(s, YELLOW, { 5: 2 });
    });
    expect(state.statues.filter((owner) => owner !== null)).toEqual([YELLOW]);
  });

  it('R6: the priestess must move a disc to a crater part beside it; disc and direction are free', () => {
    const state = receive('priestess', (s) => {
      s.lava = [2, 0, 0, 1, 0, 0];
      s.lavaLeft = 1;
    });
    expect([state.step, acting(state)]).toEqual(['priestess', [RED]]);
    expect(haleakala.legal(state, RED)).toEqual([
      { type: 'moveLava', from: 0, to: 1 },
      { type: 'moveLava', from: 0, to: 5 },
      { type: 'moveLava', from: 3, to: 4 },
      { type: 'moveLava', from: 3, to: 2 },
    ]);
    act(state, RED, { type: 'moveLava', from: 0, to: 5 });
    expect(state.lava).toEqual([1, 0, 0, 1, 0, 1]);
    expect(acting(state)).toEqual([YELLOW]);
  });

  it('discards a priestess without lava on a crater', () => {
    const state = receive('priestess');
    expect([state.discarded.priestess, state.step, acting(state)]).toEqual([1, 'turn', [YELLOW]]);
  });

  it('offers what one shell can pay, and leaves the shell if nothing is bought', () => {
    const state = receive('shell');
    expect([state.step, acting(state)]).toEqual(['buy', [RED]]);
    expect(haleakala.legal(state, RED)).toEqual([
      { type: 'buy', card: 'priestess' },
      { type: 'buy', card: 'butterflies' },
      { type: 'buy', card: 'superiority' },
      { type: 'buy', card: 'finishedSegment' },
      { type: 'decline' },
    ]);
    act(state, RED, { type: 'decline' });
    expect([state.kept[RED]!.shell, state.step, acting(state)]).toEqual([1, 'turn', [YELLOW]]);
  });

  it('R5: sells one card for each shell received, paid with old shells, too', () => {
    const state = receive('shell', (s) => {
      s.kept[RED]!.shell = 3;
    });
    act(state, RED, { type: 'buy', card: 'mountainStatues' });
    expect([state.kept[RED]!.shell, state.discarded.shell, state.board.mountainStatues]).toEqual([2, 2, RED]);
    expect([state.step, acting(state)]).toEqual(['turn', [YELLOW]]);
  });

  it('sells a card to one seat only, and asks nobody who can buy nothing', () => {
    const state = receive('shell', (s) => {
      s.board.butterflies = YELLOW;
    });
    expect(may(state, RED, { type: 'buy', card: 'butterflies' })).toBe(false);
    const poor = receive('shell', (s) => {
      for (const card of ['priestess', 'butterflies', 'superiority', 'finishedSegment'] as const)
        s.board[card] = YELLOW;
    });
    expect([poor.step, poor.kept[RED]!.shell]).toEqual(['turn', 1]);
  });

  it('lets nobody buy without a new shell', () => {
    const state = receive('basket', (s) => {
      s.kept[RED]!.shell = 3;
    });
    expect([state.kept[RED]!.basket, state.step]).toEqual([1, 'turn']);
  });

  it('R7: the bought priestess is used at once and lies face down for both', () => {
    const state = receive('shell', (s) => {
      s.lava[4] = 1;
      s.lavaLeft = 3;
    });
    act(state, RED, { type: 'buy', card: 'priestess' });
    expect(haleakala.legal(state, RED)).toEqual([
      { type: 'moveLava', from: 4, to: 5 },
      { type: 'moveLava', from: 4, to: 3 },
    ]);
    act(state, RED, { type: 'moveLava', from: 4, to: 3 });
    expect([state.lava[3], state.board.priestess, acting(state)]).toEqual([1, RED, [YELLOW]]);
    expect(haleakala.view(state, null).seats[RED]!.scoringCards).toEqual([]);
  });

  it('sells the priestess even if she cannot act', () => {
    const state = receive('shell');
    act(state, RED, { type: 'buy', card: 'priestess' });
    expect([state.board.priestess, state.kept[RED]!.shell, state.step]).toEqual([RED, 0, 'turn']);
  });

  it('uses the cards in the order they were taken', () => {
    const state = table(variant);
    cards(state, 2, 'shell', 'priestess');
    state.lava[0] = 1;
    state.lavaLeft = 3;
    discs(state, RED, { 2: 2 });
    discs(state, YELLOW, { 5: 2 });
    send(state);
    act(state, YELLOW, { type: 'take', card: 'shell' });
    expect([state.step, acting(state), state.pending]).toEqual(['buy', [YELLOW], [{ seat: RED, card: 'priestess' }]]);
    act(state, YELLOW, { type: 'buy', card: 'priestess' }, { type: 'moveLava', from: 0, to: 1 });
    expect([state.step, acting(state)]).toEqual(['priestess', [RED]]);
    act(state, RED, { type: 'moveLava', from: 1, to: 2 });
    expect([state.lava, acting(state)]).toEqual([[0, 0, 1, 0, 0, 0], [YELLOW]]);
  });
});

describe('lava cards (base)', () => {
  const lavaTable = (...contents: Parameters<typeof decks>[1][]) => {
    const state = table();
    decks(state, ...contents);
    cards(state, 2, 'basket', 'basket');
    discs(state, RED, { 2: 2 });
    return state;
  };

  it('put a disc on the crater at the boat and another card is drawn, as often as it takes', () => {
    const drawn = new Set<number>();
    for (let seed = 0; seed < 30; seed++) {
      const state = lavaTable({}, {}, { lava: 3, nautilus: 1 });
      state.round = 2;
      haleakala.apply(state, RED, { type: 'place', disc: 1, beach: 1 }, fastRng(seed));
      const lava = state.discarded.lava;
      expect([state.lava, state.lavaLeft]).toEqual([[0, 0, lava, 0, 0, 0], 4 - lava]);
      expect(state.notches.slice(4, 6).sort()).toEqual(['basket', 'nautilus']);
      drawn.add(lava);
    }
    expect(drawn).toEqual(new Set([0, 1, 2, 3]));
  });

  it('put all of them there when the deck holds nothing else', () => {
    const state = lavaTable({}, {}, { lava: 2 });
    state.round = 2;
    send(state);
    expect([state.lava, state.lavaLeft, state.discarded.lava]).toEqual([[0, 0, 2, 0, 0, 0], 2, 2]);
    expect(state.notches.slice(4, 6).sort()).toEqual(['basket', null]);
  });

  it('have no effect with an empty supply', () => {
    const state = lavaTable({}, {}, { lava: 2 });
    state.round = 2;
    state.lava = [1, 1, 1, 0, 0, 0];
    state.lavaLeft = 1;
    send(state);
    expect([state.lava, state.lavaLeft, state.discarded.lava]).toEqual([[1, 1, 2, 0, 0, 0], 0, 2]);
  });
});
