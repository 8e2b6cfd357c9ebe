/**
 * The tables of Hawaii, in the order of the rulebook. No source shows a table or column that is marked RECONSTRUCTED:
 * its values agree with every known number and example, and this is the only place where an owner of the box has to
 * correct them.
 */

export const ROUNDS = 5;

/** Tiles (126), in the order of the rulebook's list of contents. Two of each god: twelve god tiles, six gods. */
export const TILES = [
  'shellHut',
  'footHut',
  'spearHut',
  'exchangeHut',
  'longHut',
  'irrigation',
  'hula',
  'breadfruit',
  'taro',
  'coconut',
  'banana',
  'boat',
  'surfer',
  'kahuna',
  'tiki',
  'ku',
  'kane',
  'pele',
  'lono',
  'laka',
  'kanaloa',
] as const;
export type Tile = (typeof TILES)[number];
export const GODS = ['ku', 'kane', 'pele', 'lono', 'laka', 'kanaloa'] as const satisfies readonly Tile[];
export type God = (typeof GODS)[number];

export const TILE_COUNTS = [5, 5, 5, 5, 5, 5, 10, 4, 4, 4, 4, 8, 10, 25, 15, 2, 2, 2, 2, 2, 2];

export const TILE_NAMES: Record<Tile, string> = {
  shellHut: 'shell hut',
  footHut: 'foot hut',
  spearHut: 'spear hut',
  exchangeHut: 'exchange hut',
  longHut: 'long hut',
  irrigation: 'irrigation',
  hula: 'hula dancer',
  breadfruit: 'breadfruit',
  taro: 'taro',
  coconut: 'coconut',
  banana: 'banana',
  boat: 'boat',
  surfer: 'surfer',
  kahuna: 'kahuna',
  tiki: 'tiki',
  ku: 'Ku',
  kane: 'Kane',
  pele: 'Pele',
  lono: 'Lono',
  laka: 'Laka',
  kanaloa: 'Kanaloa',
};

/** Kinds are small numbers in states: the index in TILES. */
export const SHELL_HUT = 0;
export const FOOT_HUT = 1;
export const SPEAR_HUT = 2;
export const EXCHANGE_HUT = 3;
export const LONG_HUT = 4;
export const IRRIGATION = 5;
export const HULA = 6;
export const BREADFRUIT = 7;
export const BANANA = 10;
export const BOAT = 11;
export const SURFER = 12;
export const KAHUNA = 13;
export const TIKI = 14;
export const KU = 15;
export const KANE = 16;
export const PELE = 17;
export const LONO = 18;
export const LAKA = 19;
export const KANALOA = 20;

/** The five huts are the only tiles that open a village. */
export const isHut = (kind: number): boolean => kind <= LONG_HUT;
export const isFruit = (kind: number): boolean => kind >= BREADFRUIT && kind <= BANANA;
export const isGod = (kind: number): boolean => kind >= KU;
/** Tiles that lie in a village, as opposed to those with spaces of their own beside it. */
export const liesInVillage = (kind: number): boolean => kind <= BANANA || kind === SURFER || kind >= KU;

/** Two face-up stacks of shuffled gods; only the two top tiles are for sale. */
export const GOD_STACKS = 2;
export const GOD_STACK_SIZE = 6;

/** Rows of the map from the beach upwards. The sideways position x, in board widths, of the short rows is RECONSTRUCTED. */
export const SLOTS = [
  { name: 'A', row: 1, x: 0.5 },
  { name: 'B', row: 1, x: 1.5 },
  { name: 'C', row: 2, x: 0 },
  { name: 'D', row: 2, x: 1 },
  { name: 'E', row: 2, x: 2 },
  { name: 'F', row: 3, x: 0 },
  { name: 'G', row: 3, x: 1 },
  { name: 'H', row: 3, x: 2 },
  { name: 'I', row: 4, x: 0.5 },
  { name: 'J', row: 4, x: 1.5 },
] as const;
export const SLOT_NAMES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'] as const;
export type Slot = (typeof SLOT_NAMES)[number];

/**
 * The ten place boards. Known: shell and foot hut, spear and exchange hut, and the gods share a board each; the long hut
 * has one of its own; one circle of each board is printed with 5 to 12; there are boards with 3 circles and 12, with 2
 * and 6, with 1 and 5. All else is RECONSTRUCTED.
 */
export const BOARDS = [
  { name: 'shell and foot huts', sells: [SHELL_HUT, FOOT_HUT], blank: 1, printed: 9 },
  { name: 'spear and exchange huts', sells: [SPEAR_HUT, EXCHANGE_HUT], blank: 1, printed: 8 },
  { name: 'long huts', sells: [LONG_HUT], blank: 0, printed: 5 },
  { name: 'irrigation', sells: [IRRIGATION], blank: 0, printed: 5 },
  { name: 'hula dancers and surfers', sells: [HULA, SURFER], blank: 2, printed: 11 },
  { name: 'fruit', sells: [BREADFRUIT, 8, 9, BANANA], blank: 2, printed: 12 },
  { name: 'boats', sells: [BOAT], blank: 1, printed: 7 },
  { name: 'kahunas', sells: [KAHUNA], blank: 2, printed: 10 },
  { name: 'tikis', sells: [TIKI], blank: 1, printed: 6 },
  { name: 'gods', sells: [KU, KANE, PELE, LONO, LAKA, KANALOA], blank: 1, printed: 7 },
];

/**
 * The 25 price tokens, number 2 to 6 on one side and 1 to 3 fish on the other, with or without crossed spears. How many
 * of each, how many with spears and the fish of each value are RECONSTRUCTED. The order is that of the order track:
 * on equal values the token with spears ranks higher. Tokens are small numbers in states: the index here.
 */
export const TOKENS = [
  { value: 2, spear: false, fish: 1, count: 3 },
  { value: 2, spear: true, fish: 1, count: 2 },
  { value: 3, spear: false, fish: 1, count: 3 },
  { value: 3, spear: true, fish: 1, count: 2 },
  { value: 4, spear: false, fish: 2, count: 3 },
  { value: 4, spear: true, fish: 2, count: 2 },
  { value: 5, spear: false, fish: 2, count: 3 },
  { value: 5, spear: true, fish: 2, count: 2 },
  { value: 6, spear: false, fish: 3, count: 3 },
  { value: 6, spear: true, fish: 3, count: 2 },
];

/** What a seat has at the start, with the fruit by its space of the order track. */
export const START = { shells: 13, feet: 7, fruit: [0, 2, 3, 4, 5] };

/**
 * The round indicators: the sum needed, the points of the best, the second and every other sum that reaches it, and what
 * is handed out afterwards. Points of rounds 2 to 5 and supplies after rounds 2 to 4 are RECONSTRUCTED.
 */
export const INDICATORS = [
  { threshold: 9, first: 8, second: 5, check: 2, shells: 10, feet: 6 },
  { threshold: 11, first: 10, second: 6, check: 3, shells: 7, feet: 5 },
  { threshold: 13, first: 12, second: 7, check: 4, shells: 4, feet: 4 },
  { threshold: 15, first: 14, second: 8, check: 5, shells: 1, feet: 3 },
  { threshold: 17, first: 16, second: 9, check: 6, shells: 0, feet: 0 },
];

/** Points for whoever stands on space 1 of the order track when round 5 is counted. */
export const LAST_FIRST_SPACE_POINTS = 2;

/** The four docks from left to right. */
export const DOCKS = [
  { feet: 3, points: 2 },
  { feet: 4, points: 3 },
  { feet: 5, points: 4 },
  { feet: 6, points: 9 },
];

/** The ten islands by what they give; the first one exists twice. */
export const ISLANDS = [
  'points',
  'kahunas',
  'footHut',
  'shellHut',
  'hula',
  'anyFruit',
  'surfer',
  'tikis',
  'fruit',
] as const;
export type Island = (typeof ISLANDS)[number];
export const ISLAND_COUNTS = [2, 1, 1, 1, 1, 1, 1, 1, 1];
export const ISLAND_NAMES: Record<Island, string> = {
  points: '5 points',
  kahunas: '2 kahunas',
  footHut: 'foot hut II',
  shellHut: 'shell hut II',
  hula: 'hula dancer II',
  anyFruit: 'any fruit II',
  surfer: 'surfer II',
  tikis: '2 tikis',
  fruit: '4 fruit',
};
export const ISLAND_POINTS = 5;
export const ISLAND_FRUIT = 4;
export const ISLAND_PAIR = 2;
/** The tile, side II, of those islands that give a certain one. */
export const ISLAND_TILE: Partial<Record<Island, number>> = {
  footHut: FOOT_HUT,
  shellHut: SHELL_HUT,
  hula: HULA,
  surfer: SURFER,
};

/** The sizes of a realm. */
export const VILLAGES = 5;
export const KAHUNA_POINTS = [5, 5, 10, 10, 15];
/** Shells on the kahuna spaces, feet on the tiki spaces, the columns below the tiki spaces: RECONSTRUCTED. */
export const KAHUNA_SHELLS = [0, 0, 1, 1, 2];
export const TIKI_FEET = [0, 0, 1, 1, 2, 2];
export const TIKI_COLUMNS = [7, 6, 5, 4, 3, 2];

/** Boats: the fishing boat, boat I, boat II; a boat II has a fourth foot printed on it. */
export const BOATS = ['fishing', 'I', 'II'] as const;
export type Boat = (typeof BOATS)[number];
export const BOAT_NAMES: Record<Boat, string> = { fishing: 'the fishing boat', I: 'boat I', II: 'boat II' };
export const BOAT_ROOM = [2, 3, 4];

/** Points of an irrigation for 0 to 4 fruit tiles in its village. */
export const IRRIGATION_POINTS = [0, 1, 3, 6, 10];
export const LONG_HUT_II_POINTS = 5;
export const KU_FEET = 1;
export const KANE_COST = 2;
/** Where side I has 1 and side II has 2 of something, code uses `side`; where it is 2 and 4, `2 * side`. */
export const PELE_CAP = [Number.POSITIVE_INFINITY, 2, 1];
