import { type Static, Type } from 'typebox';
import type { Rng, Seat } from '../game.ts';
import {
  type Bag,
  BOARD_CARDS,
  type BoardCard,
  DISCS,
  HUTS,
  KEPT,
  type KeptKind,
  KINDS,
  type Kind,
  LAVA_DISCS,
  NOTCHES,
  PIER,
  PROFILES,
  SEGMENTS,
  STATUES,
  TERRAINS,
  type Terrain,
} from './data.ts';
import type { Parts } from './parts.ts';
import { notePosition } from './repetition.ts';

export const OptionsSchema = Type.Object(
  {
    variant: Type.Union([Type.Literal('base'), Type.Literal('tactical')], {
      default: 'base',
      description: 'Base: lava comes from cards. Tactical: lava is summoned by the seats.',
    }),
    cards: Type.Union([Type.Literal('P'), Type.Literal('ALT')], {
      default: 'P',
      description: 'The reconstructed set of palm cards. ALT has several pearls of each colour.',
    }),
  },
  { additionalProperties: false },
);

/**
 * The options of rules 2. Those of rules 1 stay as they are, because stored matches are proven with complete options.
 */
export const OptionsSchema2 = Type.Object(
  {
    ...OptionsSchema.properties,
    repetition: Type.Boolean({
      default: false,
      description: 'Whether a position that stands for the third time ends the match with the last scoring.',
    }),
  },
  { additionalProperties: false },
);
/** The options of both rules; only rules 2 have `repetition`. */
export type Options = Static<typeof OptionsSchema> & Partial<Static<typeof OptionsSchema2>>;

/** Where a disc is when it is not on a beach. */
export const POOL = -1;
export const BOX = -2;

export interface State extends Options {
  /** The last step is `over`; only rules 1 call it `end`, because their states are stored and hashed. */
  step: 'turn' | 'walk' | 'choose' | 'priestess' | 'buy' | 'lastBuy' | 'end' | 'over';
  /** Whose turn it is. */
  turn: Seat;
  /** The seat that decides now. When cards are given out, it may be the other one. */
  actor: Seat;
  startSeat: Seat;
  round: 1 | 2;
  /** Whether the purchases before a scoring are under way. */
  scoring: boolean;
  boat: number;
  /** By seat and number - 1: a beach or POOL. */
  discs: number[][];
  /** By seat: a beach, POOL or BOX. */
  summons: number[];
  /** By seat: a space. */
  shamans: number[];
  /** By space 0 to 17. */
  statues: (Seat | null)[];
  statuesLeft: number[];
  /** By crater part. */
  lava: number[];
  lavaLeft: number;
  /** Two of each segment in turn. */
  notches: (Kind | null)[];
  decks: Bag[];
  kept: Record<KeptKind, number>[];
  /** Palm cards that were used, spent or useless; in the tactical variant also the removed lava cards. */
  discarded: Bag;
  /** The seat that bought each card in this round (the priestess then lies face down); null if it is for sale. */
  board: Record<BoardCard, Seat | null>;
  /** Cards taken, to be used in this order. */
  pending: { seat: Seat; card: Kind }[];
  /** Seats that may still buy before the scoring, in this order. */
  buyers: Seat[];
  scores: number[];
  /** The round is included from rules 2 on, because a match that ends early may have no first scoring. */
  scorings: { round?: 1 | 2; lost: number[]; parts: Parts[] }[];
  /** Positions at the beginning of each turn since the last card or lava; only with the option `repetition`. */
  positions?: string[];
}

export const isOver = ({ step }: { step: State['step'] }): boolean => step === 'over' || step === 'end';
export const lastStep = (state: State): State['step'] => (state.repetition === undefined ? 'end' : 'over');

export const opponent = (seat: Seat): Seat => 1 - seat;
export const spaceOf = (terrain: Terrain, segment: number): number => TERRAINS.indexOf(terrain) * SEGMENTS + segment;
export const terrainOf = (space: number): Terrain => TERRAINS[Math.floor(space / SEGMENTS)]!;
export const segmentOf = (space: number): number => space % SEGMENTS;

export function bagSize(bag: Bag): number {
  let size = 0;
  for (const kind of KINDS) size += bag[kind];
  return size;
}

/** Takes a random card out of a bag that is not empty. */
export function draw(bag: Bag, rng: Rng): Kind {
  let n = rng.int(bagSize(bag));
  for (const kind of KINDS) {
    n -= bag[kind];
    if (n < 0) {
      bag[kind]--;
      return kind;
    }
  }
  throw new Error('drawn from an empty bag');
}

/** The sum of a seat's discs on a beach. */
export function sumOn(state: State, seat: Seat, beach: number): number {
  const discs = state.discs[seat]!;
  let sum = 0;
  for (let i = 0; i < DISCS; i++) if (discs[i] === beach) sum += i + 1;
  return sum;
}

const noneKept = () => ({ shell: 0, basket: 0, whitePearl: 0, blackPearl: 0, nautilus: 0 });

export function setup(options: Options, _seats: number, rng: Rng): State {
  const tactical = options.variant === 'tactical';
  const decks = PROFILES[options.cards].map((deck) => ({ ...deck, lava: tactical ? 0 : deck.lava }));
  const removed = tactical ? PROFILES[options.cards].reduce((sum, deck) => sum + deck.lava, 0) : 0;
  const startSeat = rng.int(2);
  const state: State = {
    variant: options.variant,
    cards: options.cards,
    step: 'turn',
    turn: startSeat,
    actor: startSeat,
    startSeat,
    round: 1,
    scoring: false,
    boat: PIER,
    discs: HUTS.map(() => Array<number>(DISCS).fill(POOL)),
    summons: HUTS.map(() => (tactical ? POOL : BOX)),
    shamans: HUTS.map((segment) => spaceOf('beach', segment)),
    statues: Array<Seat | null>(3 * SEGMENTS).fill(null),
    statuesLeft: HUTS.map(() => STATUES),
    lava: Array<number>(SEGMENTS).fill(0),
    lavaLeft: LAVA_DISCS,
    notches: Array.from({ length: NOTCHES * SEGMENTS }, () => draw(decks[0]!, rng)),
    decks,
    kept: HUTS.map(noneKept),
    discarded: { ...(Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Bag), lava: removed },
    board: Object.fromEntries(BOARD_CARDS.map((card) => [card, null])) as State['board'],
    pending: [],
    buyers: [],
    scores: HUTS.map(() => 0),
    scorings: [],
  };
  if (options.repetition !== undefined) state.repetition = options.repetition;
  if (options.repetition) state.positions = [];
  notePosition(state);
  return state;
}

/** Every field is named, because states are copied with every action and a spread takes several times as long. */
export function copyOf(state: State): State {
  const copy: State = {
    variant: state.variant,
    cards: state.cards,
    step: state.step,
    turn: state.turn,
    actor: state.actor,
    startSeat: state.startSeat,
    round: state.round,
    scoring: state.scoring,
    boat: state.boat,
    discs: state.discs.map((discs) => discs.slice()),
    summons: state.summons.slice(),
    shamans: state.shamans.slice(),
    statues: state.statues.slice(),
    statuesLeft: state.statuesLeft.slice(),
    lava: state.lava.slice(),
    lavaLeft: state.lavaLeft,
    notches: state.notches.slice(),
    decks: state.decks.map(copyBag),
    kept: state.kept.map(copyKept),
    discarded: copyBag(state.discarded),
    board: copyBoard(state.board),
    pending: state.pending.map(({ seat, card }) => ({ seat, card })),
    buyers: state.buyers.slice(),
    scores: state.scores.slice(),
    scorings: state.scorings.map((scoring) => ({
      ...scoring,
      lost: scoring.lost.slice(),
      parts: scoring.parts.map((parts) => ({ ...parts })),
    })),
  };
  if (state.repetition !== undefined) copy.repetition = state.repetition;
  if (state.positions) copy.positions = state.positions.slice();
  return copy;
}

const copyBag = ({ statue, shell, basket, priestess, whitePearl, blackPearl, nautilus, lava }: Bag): Bag => ({
  statue,
  shell,
  basket,
  priestess,
  whitePearl,
  blackPearl,
  nautilus,
  lava,
});

const copyKept = ({ shell, basket, whitePearl, blackPearl, nautilus }: State['kept'][number]) => ({
  shell,
  basket,
  whitePearl,
  blackPearl,
  nautilus,
});

const copyBoard = (board: State['board']): State['board'] => ({
  priestess: board.priestess,
  butterflies: board.butterflies,
  superiority: board.superiority,
  finishedSegment: board.finishedSegment,
  forestStatues: board.forestStatues,
  mountainStatues: board.mountainStatues,
});

/** Every piece of the box is somewhere, so these counts never change during a match. */
export function accounts(state: State): Record<string, number> {
  const out: Record<string, number> = { 'first player card': state.startSeat === 0 || state.startSeat === 1 ? 1 : 0 };
  const palm = { ...state.discarded };
  for (const deck of state.decks) for (const kind of KINDS) palm[kind] += deck[kind];
  for (const card of state.notches) if (card) palm[card]++;
  for (const kept of state.kept) for (const kind of KEPT) palm[kind] += kept[kind];
  for (const { card } of state.pending) palm[card]++;
  for (const kind of KINDS) out[`${kind} cards`] = palm[kind];
  out['palm cards'] = bagSize(palm);
  out['board cards'] = Object.keys(state.board).length;
  out.cards = out['palm cards'] + out['board cards'] + out['first player card']!;
  const onTable = (place: number) => place >= BOX && place < SEGMENTS;
  state.discs.forEach((discs, seat) => {
    out[`discs of seat ${seat}`] = discs.filter(onTable).length;
    out[`statues of seat ${seat}`] = state.statuesLeft[seat]! + state.statues.filter((owner) => owner === seat).length;
  });
  out['summon discs'] = state.summons.filter(onTable).length;
  out['lava discs'] = state.lavaLeft + state.lava.reduce((sum, n) => sum + n, 0);
  return out;
}
