import { type Static, type TSchema, Type } from 'typebox';
import { type Parts, type Seat, wholeView } from '../game.ts';
import { DiscSchema, segmentSchema } from './actions.ts';
import { BOARD_CARDS, type BUILDABLE, KINDS, NOTCHES, PRICES, SEGMENTS, STATUES, TERRAINS } from './data.ts';
import { PartsSchema } from './parts.ts';
import { REPEATS, timesStood } from './repetition.ts';
import { butterfliesOf, result } from './scoring.ts';
import {
  BOX,
  bagSize,
  isOver,
  OptionsSchema,
  OptionsSchema2,
  POOL,
  type State,
  segmentOf,
  spaceOf,
  sumOn,
  terrainOf,
} from './state.ts';

const closed = { additionalProperties: false };
const seatSchema = (description: string) => Type.Integer({ minimum: 0, maximum: 1, description });
const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const bySeat = <T extends TSchema>(item: T, description: string) =>
  Type.Array(item, { minItems: 2, maxItems: 2, description: `${description}; by seat` });

const kept = {
  shell: count('shells to pay with'),
  basket: count('fish baskets'),
  whitePearl: count('white pearls'),
  blackPearl: count('black pearls'),
  nautilus: count('nautilus'),
};
const bagSchema = (description: string) =>
  Type.Object(
    { statue: count('build a statue'), priestess: count('lava priestesses'), lava: count('lava'), ...kept },
    { ...closed, description },
  );

const segmentView = Type.Object(
  {
    cards: Type.Array(orNull(Type.Enum(KINDS), 'null: an empty notch'), { minItems: NOTCHES, maxItems: NOTCHES }),
    discs: bySeat(Type.Array(DiscSchema), 'numbers of the discs on the beach'),
    sums: bySeat(count('sum'), 'sums of the discs on the beach'),
    summons: bySeat(Type.Boolean(), 'whether the summon disc lies on the beach'),
    statues: Type.Object(
      {
        land: orNull(seatSchema('owner'), 'owner of the statue there'),
        forest: orNull(seatSchema('owner'), 'owner of the statue there'),
        mountain: orNull(seatSchema('owner'), 'owner of the statue there'),
      },
      closed,
    ),
    lava: count('lava discs on the crater part: 1 reaches the mountain, 2 the forest, 3 the land'),
  },
  closed,
);

const seatView = Type.Object(
  {
    score: count('points of the scorings so far'),
    shaman: Type.Object({ segment: segmentSchema('where'), terrain: Type.Enum(TERRAINS) }, closed),
    pool: Type.Array(DiscSchema, { description: 'numbers of the discs to place' }),
    summon: Type.Enum(['box', 'pool', 'beach'], { description: 'where the summon disc is; box: not in this variant' }),
    statuesLeft: Type.Integer({ minimum: 0, maximum: STATUES, description: 'statues still to build' }),
    kept: Type.Object(kept, { ...closed, description: 'palm cards in front of the seat' }),
    butterflies: count('butterflies on these cards'),
    scoringCards: Type.Array(Type.Enum(BOARD_CARDS), { description: 'scoring cards bought in this round' }),
  },
  closed,
);

const boardCardView = Type.Object(
  {
    card: Type.Enum(BOARD_CARDS),
    price: count('in shells'),
    owner: orNull(
      seatSchema('owner'),
      'who has bought it in this round; the priestess then lies face down; null: for sale',
    ),
  },
  closed,
);

const stepSchema = <T extends 'end' | 'over'>(last: T) =>
  Type.Enum(['turn', 'walk', 'choose', 'priestess', 'buy', 'lastBuy', last], {
    description: 'what is to be decided; lastBuy: the purchase before a scoring',
  });
const scoring = {
  lost: bySeat(count('statues'), 'statues lost in the eruption'),
  parts: bySeat(PartsSchema, 'points'),
};

export const ViewSchema = Type.Object(
  {
    you: orNull(seatSchema('seat'), 'your seat; null: a spectator'),
    variant: OptionsSchema.properties.variant,
    cards: OptionsSchema.properties.cards,
    step: stepSchema('end'),
    turn: seatSchema('whose turn it is'),
    actor: orNull(seatSchema('seat'), 'who decides now; null: the match is over'),
    startSeat: seatSchema('who has the first player card'),
    round: Type.Integer({ minimum: 1, maximum: 2, description: 'each round ends with a scoring' }),
    boat: segmentSchema('where the boat is'),
    segments: Type.Array(segmentView, { minItems: SEGMENTS, maxItems: SEGMENTS, description: 'clockwise' }),
    lavaLeft: count('lava discs in the supply'),
    decks: Type.Array(
      Type.Object(
        { left: count('cards left'), cards: bagSchema('which kinds they are, as everybody can count') },
        closed,
      ),
      { minItems: 3, maxItems: 3, description: 'cards with one, two and three palms; used up in this order' },
    ),
    discarded: bagSchema('palm cards out of the match'),
    board: Type.Array(boardCardView, { description: 'the scoring board' }),
    pending: Type.Array(Type.Object({ seat: seatSchema('of'), card: Type.Enum(KINDS) }, closed), {
      description: 'cards taken that are still to be used',
    }),
    seats: Type.Array(seatView, { minItems: 2, maxItems: 2 }),
    scorings: Type.Array(Type.Object(scoring, closed), { description: 'the scorings so far' }),
    ranks: orNull(Type.Array(Type.Integer({ minimum: 1, maximum: 2 })), 'by seat, 1 has won; null: not over'),
  },
  closed,
);

/** The view of rules 2, which also says how often the position has stood. */
export const ViewSchema2 = Type.Object(
  {
    ...ViewSchema.properties,
    step: stepSchema('over'),
    repetition: OptionsSchema2.properties.repetition,
    stood: orNull(
      Type.Integer({ minimum: 0, maximum: REPEATS }),
      `how often the position at the beginning of this turn has stood, ${REPEATS} ends the match; 0: it cannot return; null: without the option`,
    ),
    scorings: Type.Array(Type.Object({ round: Type.Integer({ minimum: 1, maximum: 2 }), ...scoring }, closed), {
      description: 'the scorings so far; a repetition in round 1 leaves the first one out',
    }),
  },
  closed,
);
type View2 = Static<typeof ViewSchema2>;
/** The view of both rules; what only rules 2 have is missing in rules 1. */
export type View = Omit<Static<typeof ViewSchema>, 'step' | 'scorings'> &
  Partial<Pick<View2, 'repetition' | 'stood'>> & {
    step: State['step'];
    scorings: (Omit<View2['scorings'][number], 'round'> & { round?: number })[];
  };
type SegmentView = View['segments'][number];
type SeatView = View['seats'][number];

/** Nothing is hidden: every seat sees the same, and what is left in a deck is known by counting. */
export const PARTS: Parts<State, View> = {
  you: (_state, you) => you,
  variant: ({ variant }) => variant,
  cards: ({ cards }) => cards,
  step: ({ step }) => step,
  turn: ({ turn }) => turn,
  actor: (state) => (isOver(state) ? null : state.actor),
  startSeat: ({ startSeat }) => startSeat,
  round: ({ round }) => round,
  boat: ({ boat }) => boat,
  segments: { count: () => SEGMENTS, item: viewSegment },
  lavaLeft: ({ lavaLeft }) => lavaLeft,
  decks: ({ decks }) => decks.map((bag) => ({ left: bagSize(bag), cards: { ...bag } })),
  discarded: ({ discarded }) => ({ ...discarded }),
  board: ({ board }) => BOARD_CARDS.map((card) => ({ card, price: PRICES[card], owner: board[card] })),
  pending: ({ pending }) => pending.map(({ seat, card }) => ({ seat, card })),
  seats: { count: ({ shamans }) => shamans.length, item: viewSeat },
  scorings: ({ scorings }) =>
    scorings.map(({ lost, parts, ...round }) => ({
      ...round,
      lost: [...lost],
      parts: parts.map((part) => ({ ...part })),
    })),
  ranks: (state) => result(state)?.ranks ?? null,
};

/** Those of rules 2. */
export const PARTS_2: Parts<State, View> = {
  ...PARTS,
  repetition: ({ repetition }) => repetition,
  stood: timesStood,
};

export const viewOf = (state: State, you: Seat | null): View =>
  wholeView(state.repetition === undefined ? PARTS : PARTS_2, state, you);

function viewSegment(state: State, segment: number): SegmentView {
  const statueOn = (terrain: (typeof BUILDABLE)[number]) => state.statues[spaceOf(terrain, segment)] ?? null;
  return {
    cards: state.notches.slice(NOTCHES * segment, NOTCHES * (segment + 1)),
    discs: state.discs.map((discs) => numbersAt(discs, segment)),
    sums: state.discs.map((_, seat) => sumOn(state, seat, segment)),
    summons: state.summons.map((place) => place === segment),
    statues: { land: statueOn('land'), forest: statueOn('forest'), mountain: statueOn('mountain') },
    lava: state.lava[segment]!,
  };
}

function viewSeat(state: State, seat: Seat): SeatView {
  const space = state.shamans[seat]!;
  const summon = state.summons[seat]!;
  return {
    score: state.scores[seat]!,
    shaman: { segment: segmentOf(space), terrain: terrainOf(space) },
    pool: numbersAt(state.discs[seat]!, POOL),
    summon: summon === BOX ? 'box' : summon === POOL ? 'pool' : 'beach',
    statuesLeft: state.statuesLeft[seat]!,
    kept: { ...state.kept[seat]! },
    butterflies: butterfliesOf(state, seat),
    scoringCards: BOARD_CARDS.filter((card) => card !== 'priestess' && state.board[card] === seat),
  };
}

const numbersAt = (discs: number[], place: number): number[] =>
  discs.flatMap((lies, i) => (lies === place ? [i + 1] : []));
