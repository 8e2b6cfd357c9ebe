/**
 * The tables of the box, in the rulebook's order. No public source lists the palm cards, the butterflies or the prices:
 * what is marked RECONSTRUCTED contradicts no number of the rulebook. docs/rules/haleakala.md lists all of it and says
 * how an owner of the box can correct it. A correction takes new rules, because old matches are replayed with the
 * numbers with which they were played.
 */

export const SEGMENTS = 6;
export const NOTCHES = 2;
export const DISCS = 5;
export const STATUES = 8;
export const LAVA_DISCS = 4;

/**
 * Buildable terrain from the shore inwards, then the beach. A space is SEGMENTS × index + segment, so statues need 0 to
 * 17.
 */
export const TERRAINS = ['land', 'forest', 'mountain', 'beach'] as const;
export const BUILDABLE = ['land', 'forest', 'mountain'] as const;
export type Terrain = (typeof TERRAINS)[number];

/** By seat, the colours of the box. */
export const COLOURS = ['red', 'yellow'] as const;
/** The hut of each seat. RECONSTRUCTED: which colour starts at which of the two. */
export const HUTS = [0, 3] as const;
/** RECONSTRUCTED: the pier is at a beach without a hut, so one or two segments after a hut. */
export const PIER = 1;

export const KINDS = [
  'statue',
  'shell',
  'basket',
  'priestess',
  'whitePearl',
  'blackPearl',
  'nautilus',
  'lava',
] as const;
export type Kind = (typeof KINDS)[number];
/** Cards by kind: a deck is a bag, drawn from when a card is revealed. */
export type Bag = Record<Kind, number>;

/** The kinds that stay in front of their owner. */
export const KEPT = ['shell', 'basket', 'whitePearl', 'blackPearl', 'nautilus'] as const;
export type KeptKind = (typeof KEPT)[number];

const bag = (...counts: number[]): Bag => Object.fromEntries(KINDS.map((kind, i) => [kind, counts[i] ?? 0])) as Bag;

/** RECONSTRUCTED: the decks with one, two and three palms of each profile; columns as in KINDS. */
export const PROFILES = {
  P: [bag(6, 4, 3, 1, 1, 0, 0, 0), bag(3, 2, 1, 1, 0, 1, 0, 4), bag(5, 2, 1, 2, 0, 0, 1, 4)],
  ALT: [bag(6, 4, 2, 1, 2, 0, 0, 0), bag(3, 1, 1, 1, 0, 2, 0, 4), bag(4, 2, 2, 1, 0, 0, 2, 4)],
} as const;

/** RECONSTRUCTED: the same on every card of a kind, so that equal kinds are identical cards. */
export const BUTTERFLIES = bag(0, 0, 1, 0, 2, 1, 1, 0);

export const BOARD_CARDS = [
  'priestess',
  'butterflies',
  'superiority',
  'finishedSegment',
  'forestStatues',
  'mountainStatues',
] as const;
export type BoardCard = (typeof BOARD_CARDS)[number];

/** In shells. RECONSTRUCTED but for the priestess: every card costs 1 or 2, and both prices occur. */
export const PRICES: Record<BoardCard, number> = {
  priestess: 1,
  butterflies: 1,
  superiority: 1,
  finishedSegment: 1,
  forestStatues: 2,
  mountainStatues: 2,
};

/** Points of a scoring. */
export const POINTS = {
  land: 1,
  forest: 2,
  mountain: 3,
  baskets: 3,
  whitePearl: 1,
  blackPearl: 2,
  pearlPair: 1,
  nautilus: 3,
  shell: 1,
  butterfly: 1,
  superiority: 2,
  finishedSegment: 4,
  forestStatue: 2,
  mountainStatue: 3,
} as const;

export const NAMES: Record<Kind | BoardCard, string> = {
  statue: 'statue',
  shell: 'shell',
  basket: 'fish basket',
  priestess: 'lava priestess',
  whitePearl: 'white pearl',
  blackPearl: 'black pearl',
  nautilus: 'nautilus',
  lava: 'lava',
  butterflies: 'butterflies',
  superiority: 'superiority',
  finishedSegment: 'finished segment',
  forestStatues: 'forest statues',
  mountainStatues: 'mountain statues',
};
