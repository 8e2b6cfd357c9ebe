/**
 * The printed matter of Hashi. Rules, points, solo deadlines and ratings are as published. The cards and both maps
 * exist in print only as pictures: they are RECONSTRUCTED here, consistent with every known statement about the
 * originals (ruling R1 in docs/rules/hashi.md, which also says how an owner of the box can correct them).
 */

export const FLAGS = ['red', 'blue'] as const;
export type Flag = (typeof FLAGS)[number];

export const BONUSES = ['red', 'blue', 'chain'] as const;
export type Bonus = (typeof BONUSES)[number];

export const SIDES = ['A', 'B'] as const;
export type Side = (typeof SIDES)[number];

export const ISLANDS = 18;
export const ROUNDS = 17;
export const PRESETS = [3, 4] as const;
export const MAX_BRIDGES_PER_LINK = 2;
export const MAX_BRIDGES_PER_ISLAND = 6;
export const POINTS_PER_ISLAND = 2;
export const CHAIN_SIZE = 6;

/**
 * `deadline` is the last solo round that still brings the higher value. The first pile has 7 cards, the first two have
 * 12.
 */
export const BONUS_POINTS: Readonly<Record<Bonus, { first: number; later: number; deadline: number }>> = {
  red: { first: 9, later: 5, deadline: 12 },
  blue: { first: 7, later: 3, deadline: 7 },
  chain: { first: 8, later: 4, deadline: 12 },
};

export const SOLO_PILES = [7, 5, 5] as const;

/** The highest total of each title. Above 52 only even totals can be reached (ruling R8). */
export const RATINGS: readonly { max: number; title: string }[] = [
  { max: 40, title: 'handyman' },
  { max: 42, title: 'water carrier' },
  { max: 44, title: 'bamboo binder' },
  { max: 46, title: 'bolt tightener' },
  { max: 48, title: 'concrete pourer' },
  { max: 50, title: 'project leader' },
  { max: 51, title: 'bridge master' },
  { max: 52, title: 'planning pro' },
  { max: 54, title: 'head of statics' },
  { max: 56, title: 'design ace' },
  { max: 58, title: 'construction genius' },
  { max: 60, title: 'island god' },
];

export interface Card {
  readonly number: number;
  readonly bridges: number;
}

/** RECONSTRUCTED: every number from 1 to 6 with 1, 2 and 3 bridges, each once. */
export const CARDS: readonly Card[] = [1, 2, 3, 4, 5, 6].flatMap((number) =>
  [1, 2, 3].map((bridges) => ({ number, bridges })),
);

export interface Island {
  readonly id: number;
  readonly row: number;
  readonly col: number;
  readonly flag: Flag | null;
}

/** A dashed line between the islands a and b. Once it has a bridge, the links that it crosses can have none. */
export interface Link {
  readonly id: number;
  readonly a: number;
  readonly b: number;
  readonly crosses: readonly number[];
}

export interface Board {
  readonly rows: number;
  readonly cols: number;
  /** Island and link ids count from 1 in these lists' order. */
  readonly islands: readonly Island[];
  readonly links: readonly Link[];
}

/** RECONSTRUCTED: r = red flag, b = blue flag; links and crossings by island ids, in the order of the link ids. */
export const BOARDS: Readonly<Record<Side, Board>> = {
  A: parseBoard(
    [
      '1r  2   .   3   .   4r ',
      '.   5   6b  7   .   8  ',
      '9   .   10  .   11  .  ',
      '.   12b .   13  .   14b',
      '15r .   16  .   17  18r',
    ],
    '1-2 1-9 2-3 2-5 3-4 3-7 4-8 5-6 5-12 6-7 6-10 7-8 7-13 8-14 9-10 9-15 10-11 10-16 11-17 12-13 13-14 14-18 15-16 16-17 17-18',
    '5-12x9-10 7-13x10-11 10-16x12-13 11-17x13-14',
  ),
  B: parseBoard(
    [
      '.   1r  2   3   .   4r ',
      '5   .   .   6   7b  .  ',
      '8   .   9   .   .   10 ',
      '.   .   11b .   .   12 ',
      '13r .   14  .   15b .  ',
      '.   16  .   17  .   18r',
    ],
    '1-2 1-16 2-3 2-9 3-4 3-6 4-10 5-6 5-8 6-7 6-17 7-15 8-9 8-13 9-10 9-11 10-12 11-12 11-14 12-18 13-14 14-15 16-17 17-18',
    '1-16x5-6 1-16x8-9 1-16x13-14 2-9x5-6 6-17x9-10 6-17x11-12 6-17x14-15 7-15x9-10 7-15x11-12',
  ),
};

function parseBoard(map: readonly string[], links: string, crossings: string): Board {
  const cells = map.map((line) => line.trim().split(/ +/));
  const names = links.split(' ');
  const pairs = crossings.split(' ').map((pair) => pair.split('x').map((name) => names.indexOf(name) + 1));
  return {
    rows: cells.length,
    cols: cells[0]!.length,
    islands: cells.flatMap((line, row) => line.flatMap((cell, col) => islandOf(cell, row + 1, col + 1))),
    links: names.map((name, i) => linkOf(name, i + 1, pairs)),
  };
}

function islandOf(cell: string, row: number, col: number): Island[] {
  if (cell === '.') return [];
  const flag = FLAGS.find((name) => cell.endsWith(name[0]!)) ?? null;
  return [{ id: Number.parseInt(cell, 10), row, col, flag }];
}

function linkOf(name: string, id: number, pairs: readonly number[][]): Link {
  const [a, b] = name.split('-').map(Number);
  const crosses = pairs.filter((pair) => pair.includes(id)).map(([x, y]) => (x === id ? y! : x!));
  return { id, a: a!, b: b!, crosses };
}
