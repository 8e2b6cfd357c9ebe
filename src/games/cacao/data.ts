/**
 * The tables of the game, in the order of the rulebook. Nothing here is reconstructed: where printed editions differ, these
 * are the numbers of the publisher's English edition (docs/rules/cacao.md, R2).
 */

/**
 * Worker tiles: workers by side, read clockwise. 3-0-0-1 and 3-1-0-0 are mirror images, and a tile is never flipped.
 * `copies` counts the tiles of each seat in a match of 2, 3 and 4 seats, after some went back to the box.
 */
export const WORKER_TILES = [
  { name: '1-1-1-1', sides: [1, 1, 1, 1], turns: 1, copies: { 2: 4, 3: 3, 4: 3 } },
  { name: '2-1-0-1', sides: [2, 1, 0, 1], turns: 4, copies: { 2: 5, 3: 5, 4: 4 } },
  { name: '3-0-0-1', sides: [3, 0, 0, 1], turns: 4, copies: { 2: 1, 3: 1, 4: 1 } },
  { name: '3-1-0-0', sides: [3, 1, 0, 0], turns: 4, copies: { 2: 1, 3: 1, 4: 1 } },
] as const;

/** Jungle tiles: what one worker gets there, and how many are in the box. */
export const JUNGLE_TILES = [
  { name: 'plantation_1', label: 'single plantation', use: 'plantation', value: 1, box: 6 },
  { name: 'plantation_2', label: 'double plantation', use: 'plantation', value: 2, box: 2 },
  { name: 'market_2', label: 'market 2', use: 'market', value: 2, box: 2 },
  { name: 'market_3', label: 'market 3', use: 'market', value: 3, box: 4 },
  { name: 'market_4', label: 'market 4', use: 'market', value: 4, box: 1 },
  { name: 'gold_mine_1', label: 'gold mine 1', use: 'gold_mine', value: 1, box: 2 },
  { name: 'gold_mine_2', label: 'gold mine 2', use: 'gold_mine', value: 2, box: 1 },
  { name: 'water', label: 'water', use: 'water', value: 1, box: 3 },
  { name: 'sun_site', label: 'sun site', use: 'sun_site', value: 1, box: 2 },
  { name: 'temple', label: 'temple', use: 'temple', value: 0, box: 5 },
] as const;

export type WorkerTileName = (typeof WORKER_TILES)[number]['name'];
export type JungleTileName = (typeof JUNGLE_TILES)[number]['name'];

export const WORKER_TILE_NAMES = WORKER_TILES.map(({ name }) => name);
export const JUNGLE_TILE_NAMES = JUNGLE_TILES.map(({ name }) => name);

/** The jungle tiles that go back to the box with two seats. Editions differ about the gold mine (R2). */
export const removedTiles = (goldMine: 1 | 2): readonly JungleTileName[] => [
  'plantation_1',
  'plantation_1',
  'market_3',
  `gold_mine_${goldMine}`,
  'water',
  'sun_site',
  'temple',
];

/** The two tiles that lie on the table at the start; they touch at a corner. */
export const START_TILES = [
  { name: 'plantation_1', row: 0, col: 0 },
  { name: 'market_2', row: 1, col: 1 },
] as const;

export const HAND = 3;
export const DISPLAY = 2;

/** Spaces of the village board. */
export const CACAO_SPACES = 5;
export const SUN_SPACES = 3;
export const WATER_TRACK = [-10, -4, -1, 0, 2, 4, 7, 11, 16] as const;

/** The gold that a temple pays. */
export const MOST_WORKERS = 6;
export const SECOND_MOST_WORKERS = 3;

/** Sides in the order in which everything here is listed: clockwise from the north. */
export const SIDES = ['N', 'E', 'S', 'W'] as const;
export type Side = (typeof SIDES)[number];
export const COMPASS = { N: 'north', E: 'east', S: 'south', W: 'west' } as const;

interface Place {
  row: number;
  col: number;
}

/** The cell that a side of a worker tile faces. */
export function facedBy({ row, col }: Place, side: Side): Place {
  return { row: row + { N: -1, E: 0, S: 1, W: 0 }[side], col: col + { N: 0, E: 1, S: 0, W: -1 }[side] };
}

export const jungleTileOf = (name: JungleTileName) => JUNGLE_TILES[JUNGLE_TILE_NAMES.indexOf(name)]!;
export const workerTileOf = (name: WorkerTileName) => WORKER_TILES[WORKER_TILE_NAMES.indexOf(name)]!;
