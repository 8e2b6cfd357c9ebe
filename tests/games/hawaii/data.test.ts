import { describe, expect, it } from 'vitest';
import {
  BOARDS,
  DOCKS,
  INDICATORS,
  ISLAND_COUNTS,
  ISLANDS,
  isFruit,
  isGod,
  isHut,
  KAHUNA_POINTS,
  KAHUNA_SHELLS,
  SLOT_NAMES,
  SLOTS,
  TIKI_COLUMNS,
  TIKI_FEET,
  TILE_COUNTS,
  TILES,
  TOKENS,
} from '../../../src/games/hawaii/data.ts';
import { BEACH, NEIGHBOURS, stepsTo } from '../../../src/games/hawaii/map.ts';

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

describe('pieces', () => {
  it('126 tiles', () => {
    expect(TILE_COUNTS).toHaveLength(TILES.length);
    expect(sum(TILE_COUNTS)).toBe(126);
    expect(TILES.filter((_, kind) => isHut(kind))).toEqual([
      'shellHut',
      'footHut',
      'spearHut',
      'exchangeHut',
      'longHut',
    ]);
    expect(TILES.filter((_, kind) => isFruit(kind))).toEqual(['breadfruit', 'taro', 'coconut', 'banana']);
    expect(sum(TILE_COUNTS.filter((_, kind) => isGod(kind)))).toBe(12);
    expect(sum(TILE_COUNTS.filter((_, kind) => isFruit(kind)))).toBe(16);
  });

  it('25 price tokens, values 2 to 6, 1 to 3 fish, ranked by value and then spears', () => {
    expect(sum(TOKENS.map(({ count }) => count))).toBe(25);
    expect(new Set(TOKENS.map(({ value }) => value))).toEqual(new Set([2, 3, 4, 5, 6]));
    expect(new Set(TOKENS.map(({ fish }) => fish))).toEqual(new Set([1, 2, 3]));
    const ranks = TOKENS.map(({ value, spear }) => value * 2 + Number(spear));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  });

  it('the tokens of the printed examples exist together', () => {
    const available = (value: number) => sum(TOKENS.filter((t) => t.value === value).map(({ count }) => count));
    // Round sums: 3+3+5+3, 3+4+4, 2+3+4, 6+2.
    expect([2, 3, 4, 5, 6].every((value, i) => available(value) >= [2, 5, 3, 1, 1][i]!)).toBe(true);
  });

  it('10 boards sell every kind once, with 1 to 3 circles, one of them printed with 5 to 12', () => {
    expect(BOARDS).toHaveLength(10);
    expect(BOARDS.flatMap(({ sells }) => sells).sort((a, b) => a - b)).toEqual(TILES.map((_, kind) => kind));
    for (const { blank, printed } of BOARDS) {
      expect(blank).toBeGreaterThanOrEqual(0);
      expect(blank).toBeLessThanOrEqual(2);
      expect(printed).toBeGreaterThanOrEqual(5);
      expect(printed).toBeLessThanOrEqual(12);
    }
  });

  it('at most 21 circles, so that five seats can be supplied from 25 tokens', () => {
    expect(sum(BOARDS.map(({ blank }) => blank + 1))).toBeLessThanOrEqual(21);
  });

  it('10 islands, 4 docks, 5 rounds, 5 kahunas, 6 tikis', () => {
    expect(ISLAND_COUNTS).toHaveLength(ISLANDS.length);
    expect(sum(ISLAND_COUNTS)).toBe(10);
    expect(DOCKS.map(({ feet }) => feet)).toEqual([3, 4, 5, 6]);
    expect(INDICATORS.map(({ threshold }) => threshold)).toEqual([9, 11, 13, 15, 17]);
    expect(KAHUNA_POINTS).toEqual([5, 5, 10, 10, 15]);
    expect(KAHUNA_SHELLS).toHaveLength(5);
    expect(TIKI_COLUMNS).toHaveLength(6);
    expect(TIKI_FEET).toHaveLength(6);
  });
});

describe('the map', () => {
  it('has rows of 2, 3, 3 and 2 boards', () => {
    expect([1, 2, 3, 4].map((row) => SLOTS.filter((slot) => slot.row === row).length)).toEqual([2, 3, 3, 2]);
  });

  it('has the adjacency of the rules', () => {
    const listed = NEIGHBOURS.map((list, slot) => `${SLOT_NAMES[slot]}: ${list.map((i) => SLOT_NAMES[i]).join('')}`);
    expect(listed).toEqual([
      'A: BCD',
      'B: ADE',
      'C: ADFG',
      'D: ABCEFGH',
      'E: BDGH',
      'F: CDGI',
      'G: CDEFHIJ',
      'H: DEGJ',
      'I: FGJ',
      'J: GHI',
    ]);
  });

  it('counts steps: rows from the beach, boards between boards, one for staying', () => {
    const steps = (from: string, to: string) => stepsTo(SLOT_NAMES.indexOf(from as 'A'), SLOT_NAMES.indexOf(to as 'A'));
    expect(SLOTS.map((_, slot) => stepsTo(BEACH, slot))).toEqual([1, 1, 2, 2, 2, 3, 3, 3, 4, 4]);
    expect([steps('A', 'A'), steps('C', 'E'), steps('A', 'J'), steps('C', 'J'), steps('A', 'I')]).toEqual([
      1, 2, 3, 2, 3,
    ]);
  });

  it('never leads across the beach: from C to B there are two steps, though both ends of the beach are free', () => {
    expect(stepsTo(SLOT_NAMES.indexOf('C'), SLOT_NAMES.indexOf('B'))).toBe(2);
  });
});
