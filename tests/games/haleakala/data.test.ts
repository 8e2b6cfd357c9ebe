import { describe, expect, it } from 'vitest';
import {
  BOARD_CARDS,
  BUTTERFLIES,
  HUTS,
  KEPT,
  KINDS,
  PIER,
  PRICES,
  PROFILES,
} from '../../../src/games/haleakala/data.ts';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import { fastRng } from '../../../src/games/rng.ts';

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);

describe.each(Object.entries(PROFILES))('card profile %s', (_name, decks) => {
  const total = (kind: (typeof KINDS)[number]) => sum(decks.map((deck) => deck[kind]));

  it('has decks of 15, 12 and 15 cards', () => {
    expect(decks.map((deck) => sum(Object.values(deck)))).toEqual([15, 12, 15]);
  });

  it('has 8 lava cards, 4 in each of the later decks', () => {
    expect(decks.map((deck) => deck.lava)).toEqual([0, 4, 4]);
  });

  it('has nautilus only in the last deck and every kind at least once', () => {
    expect([decks[0].nautilus, decks[1].nautilus]).toEqual([0, 0]);
    for (const kind of KINDS) expect(total(kind)).toBeGreaterThan(0);
  });

  it('has baskets and pearls before the first scoring', () => {
    for (const kind of ['basket', 'whitePearl', 'blackPearl'] as const) {
      expect(decks[0][kind] + decks[1][kind]).toBeGreaterThan(0);
    }
  });
});

describe('tables', () => {
  it('have the totals of the sheet', () => {
    const totals = Object.values(PROFILES).map((decks) => KINDS.map((kind) => sum(decks.map((deck) => deck[kind]))));
    expect(totals).toEqual([
      [14, 8, 5, 4, 1, 1, 1, 8],
      [13, 7, 5, 3, 2, 2, 2, 8],
    ]);
  });

  it('charge 1 or 2 shells, both occur, and 1 for the priestess', () => {
    expect(new Set(Object.values(PRICES))).toEqual(new Set([1, 2]));
    expect(PRICES.priestess).toBe(1);
  });

  it('have butterflies only on cards that are kept', () => {
    for (const kind of KINDS) {
      if (!(KEPT as readonly string[]).includes(kind)) expect(BUTTERFLIES[kind]).toBe(0);
    }
  });

  it('have huts opposite each other and the pier elsewhere', () => {
    expect(Math.abs(HUTS[0] - HUTS[1])).toBe(3);
    expect(HUTS).not.toContain(PIER);
  });
});

describe.each(Object.entries(haleakala.variants))('the box (%s)', (_name, options) => {
  it('test case 6: 1 + (15 + 12 + 15) + (5 + 1) = 49 cards, and all pieces', () => {
    const state = haleakala.setup(options, 2, fastRng(5));
    expect(BOARD_CARDS).toHaveLength(6);
    expect(haleakala.accounts(state)).toMatchObject({
      cards: 49,
      'palm cards': 42,
      'board cards': 6,
      'first player card': 1,
      'lava cards': 8,
      'discs of seat 0': 5,
      'discs of seat 1': 5,
      'statues of seat 0': 8,
      'statues of seat 1': 8,
      'summon discs': 2,
      'lava discs': 4,
    });
  });
});
