import { type Static, Type } from 'typebox';
import { type Parts, type Seat, wholeView } from '../game.ts';
import type { Step } from './actions.ts';
import { BOARDS, BOATS, DOCKS, INDICATORS, ISLANDS, KU, ROUNDS, SLOT_NAMES, SLOTS, TILES, TOKENS } from './data.ts';
import { BEACH, NEIGHBOURS } from './map.ts';
import { walkCost } from './purchase.ts';
import { finalScoring, finalTotal, neededLength, resultOf, roundScores, thresholdOf, tokenSum } from './scoring.ts';
import { kindOf, lengthOf, NONE, type SeatState, type State, sideOf, total } from './state.ts';

const closed = (description?: string) => ({ additionalProperties: false, ...(description ? { description } : {}) });
const int = (description?: string) => Type.Integer(description ? { description } : {});
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description ? { description } : {});

const STEP_NAMES = [
  'turn',
  'payWalk',
  'buy',
  'payTile',
  'build',
  'kane',
  'catch',
  'load',
  'payBoats',
  'gift',
  'income',
  'over',
] as const satisfies readonly Step[];

const Token = Type.Object({ value: int(), spear: Type.Boolean() }, closed('A price token, number up.'));
const TileOf = Type.Object({ tile: Type.Enum([...TILES]), side: int('1 or 2') }, closed());
const Resources = Type.Object({ shells: int(), feet: int(), fruit: int() }, closed());
const Place = Type.Object(
  {
    place: Type.Enum([...SLOT_NAMES]),
    name: Type.String(),
    row: int('1 touches the beach'),
    x: Type.Number({ description: 'left edge in widths of a board' }),
    neighbours: Type.Array(Type.Enum([...SLOT_NAMES])),
    walk: orNull(int(), 'feet that the seat whose turn it is pays to walk here, or to stay'),
    sells: Type.Array(Type.Object({ tile: Type.Enum([...TILES]), left: int() }, closed()), {
      description: 'of gods, those on top of the two stacks',
    }),
    circles: Type.Array(orNull(Token), { description: 'price tokens; the last circle is the printed one' }),
    printed: int('a token lies on the printed circle only if all tokens here add up to no more than this'),
  },
  closed(),
);
const Turn = Type.Object(
  {
    seat: int(),
    owed: orNull(
      Type.Object({ amount: int(), currency: Type.Enum(['feet', 'shells']) }, closed()),
      'what is to be paid now',
    ),
    tile: orNull(TileOf, 'the tile being bought or received; of kahunas and tikis the side is how many'),
    dock: orNull(int(), 'the dock being visited'),
    huts: Type.Object({ I: int(), II: int() }, closed('exchange huts that can still be used in this turn')),
  },
  closed(),
);
const SeatView = Type.Object(
  {
    seat: int(),
    score: int(),
    earned: orNull(
      Type.Object({ spears: int(), docks: int(), islands: int() }, closed()),
      'points scored at once, by what they were for; null: rules 1 do not keep them',
    ),
    order: int('its space of the order track in this round'),
    chief: Type.Enum([...SLOT_NAMES, 'beach', 'track'], { description: 'track: this seat has passed' }),
    space: orNull(int(), 'the space it passed on: its place in the order of the next round'),
    resources: orNull(Resources, 'null: behind the screen'),
    villages: Type.Array(Type.Object({ tiles: Type.Array(TileOf), length: int(), scores: Type.Boolean() }, closed()), {
      description: 'open villages from the top; the length of the first counts its printed hut',
    }),
    kahunas: int('on the villages from the top'),
    tikis: int('on the columns from the right'),
    neededLength: orNull(int(), 'the length at which a village scores at the end; null: no tiki yet'),
    boats: Type.Array(Type.Object({ boat: Type.Enum([...BOATS]), count: int(), used: int() }, closed())),
    tokens: Type.Array(Token, { description: 'price tokens taken in this round' }),
    fish: Type.Array(int(), { description: 'fish tokens taken in this round' }),
    sum: int('of its tokens and fish'),
    threshold: int('the sum it needs in this round'),
    incomeDue: int('choices of irrigations II still to make'),
    incomeChosen: orNull(Resources, 'own choices of this step'),
    final: Type.Object(
      {
        kahunas: int(),
        longHuts: int(),
        hula: int(),
        irrigation: int(),
        laka: int(),
        kanaloa: int(),
        total: int(),
      },
      closed('points of the final scoring, as the realm is now; part of the score once the match is over'),
    ),
  },
  closed(),
);

export const ViewSchema = Type.Object(
  {
    you: orNull(int(), 'null: a spectator'),
    step: Type.Enum([...STEP_NAMES]),
    round: int(),
    rounds: int(),
    openResources: Type.Boolean(),
    indicator: Type.Object(
      { threshold: int(), first: int(), second: int(), check: int(), shells: int(), feet: int() },
      closed(
        'the sum needed, points of the best, second and other sums that reach it, and the supplies after the round',
      ),
    ),
    turn: orNull(Turn, 'null: no single seat is to act'),
    places: Type.Array(Place, { description: 'from the bottom left, row by row' }),
    godsBelow: Type.Array(int(), { description: 'gods face down below the top ones of the two stacks' }),
    bay: Type.Array(int(), { description: 'fish tokens in the bay' }),
    docks: Type.Array(
      Type.Object({ dock: int(), feet: int(), points: int(), island: orNull(Type.Enum([...ISLANDS])) }, closed()),
    ),
    islands: Type.Object({ faceDown: int(), faceUp: Type.Array(Type.Enum([...ISLANDS])) }, closed('the stack')),
    track: Type.Array(
      Type.Object(
        { space: int(), seat: int('who moves at this place'), token: orNull(Token), passed: orNull(int()) },
        closed('a space of the order track'),
      ),
    ),
    bag: int('price tokens in the bag'),
    seats: Type.Array(SeatView),
    scored: Type.Array(
      Type.Object(
        {
          round: int(),
          seats: Type.Array(
            Type.Object(
              { sum: int(), needed: int(), points: int(), lono: int(), space: int() },
              closed(
                'points for the place of the sum, of Lono, and for space 1 of the order track after the last round',
              ),
            ),
          ),
        },
        closed(),
      ),
      { description: 'how rounds were scored; rules 1 know it of the round that has just been counted' },
    ),
    result: orNull(
      Type.Object(
        { scores: Type.Array(int()), ranks: Type.Array(int()) },
        closed('ties go to the most resources left'),
      ),
    ),
  },
  closed(),
);
export type View = Static<typeof ViewSchema>;
export type SeatView = Static<typeof SeatView>;
export type PlaceView = Static<typeof Place>;
export type TokenView = Static<typeof Token>;

const tokenView = (token: number): TokenView | null =>
  token === NONE ? null : { value: TOKENS[token]!.value, spear: TOKENS[token]!.spear };
const tokensView = (tokens: readonly number[]): TokenView[] => tokens.map((token) => tokenView(token)!);
const orNone = (n: number): number | null => (n === NONE ? null : n);

export const PARTS: Parts<State, View> = {
  you: (_state, seat) => seat,
  step: ({ step }) => step,
  round: ({ round }) => round,
  rounds: () => ROUNDS,
  openResources: ({ openResources }) => openResources,
  indicator: ({ round }) => ({ ...INDICATORS[round - 1]! }),
  turn: (state) => (state.active === NONE ? null : turnView(state)),
  places: { count: () => SLOTS.length, item: placeView },
  godsBelow: ({ godsBelow }) => [...godsBelow],
  bay: ({ bay }) => bay.map((token) => TOKENS[token]!.fish).sort((a, b) => b - a),
  docks: {
    count: () => DOCKS.length,
    item: ({ docks }, i) => ({ dock: i + 1, ...DOCKS[i]!, island: ISLANDS[docks[i]!] ?? null }),
  },
  islands: ({ stack, visited }) => ({
    faceDown: total(stack),
    faceUp: ISLANDS.flatMap((island, i) => new Array(visited[i]!).fill(island)),
  }),
  track: { count: ({ order }) => order.length, item: trackView },
  bag: ({ bag }) => total(bag),
  seats: { count: ({ seats }) => seats.length, item: seatView },
  scored: scoredView,
  result: resultOf,
};

export const viewOf = (state: State, seat: Seat | null): View => wholeView(PARTS, state, seat);

/** Rules 1 keep no record, but between the count of a round and the next one the counted tokens are still there. */
function scoredView(state: State): View['scored'] {
  if (state.scored)
    return state.scored.map((seats, i) => ({ round: i + 1, seats: seats.map((seat) => ({ ...seat })) }));
  const isCounted = state.step === 'income' || state.step === 'over';
  return isCounted ? [{ round: state.round, seats: roundScores(state) }] : [];
}

function turnView(state: State): NonNullable<View['turn']> {
  const { step, turn } = state;
  const paying = step === 'payWalk' || step === 'payTile' || step === 'payBoats';
  return {
    seat: state.active,
    owed: paying ? { amount: turn.cost, currency: step === 'payTile' ? 'shells' : 'feet' } : null,
    tile: turn.tile === NONE ? null : { tile: TILES[turn.tile]!, side: turn.side },
    dock: turn.dock === NONE ? null : turn.dock + 1,
    huts: { I: turn.huts[0]!, II: turn.huts[1]! },
  };
}

function placeView(state: State, slot: number): PlaceView {
  const { name: place, row, x } = SLOTS[slot]!;
  const { name, sells, printed } = BOARDS[state.boards[slot]!]!;
  const kinds = sells[0] === KU ? [...new Set(state.godTops)].filter((top) => top !== NONE) : sells;
  const left = (kind: number) =>
    kind >= KU ? state.godTops.filter((top) => top === kind).length : state.supply[kind]!;
  return {
    place,
    name,
    row,
    x,
    neighbours: NEIGHBOURS[slot]!.map((next) => SLOT_NAMES[next]!),
    walk: state.active === NONE ? null : walkCost(state.seats[state.active]!, slot),
    sells: kinds.map((kind) => ({ tile: TILES[kind]!, left: left(kind) })),
    circles: state.circles[slot]!.map(tokenView),
    printed,
  };
}

function trackView(state: State, space: number): View['track'][number] {
  const seat = state.order[space]!;
  const passed = state.seats.findIndex((other) => other.space === space);
  return { space: space + 1, seat, token: tokenView(state.track[space]!), passed: orNone(passed) };
}

function seatView(state: State, seat: number, you: Seat | null): SeatView {
  const me = state.seats[seat]!;
  // Payments and supplies are open, as at a table. What is left behind the screen is shown when ties are broken.
  const open = state.openResources || state.step === 'over' || seat === you;
  return {
    seat,
    score: me.score,
    earned: me.earned ? { ...me.earned } : null,
    order: state.order.indexOf(seat) + 1,
    chief: me.space !== NONE ? 'track' : me.chief === BEACH ? 'beach' : SLOT_NAMES[me.chief]!,
    space: me.space === NONE ? null : me.space + 1,
    resources: open ? { ...me.stock } : null,
    ...realmView(me),
    tokens: tokensView(me.tokens),
    fish: me.fish.map((token) => TOKENS[token]!.fish),
    sum: tokenSum(me),
    threshold: thresholdOf(me, state.round),
    incomeDue: me.due,
    incomeChosen: state.step === 'income' && seat === you ? { ...me.chosen } : null,
  };
}

function realmView(me: SeatState) {
  const needed = neededLength(me);
  const final = finalScoring(me);
  return {
    villages: me.villages.map((village, i) => ({
      tiles: village.map((tile) => ({ tile: TILES[kindOf(tile)]!, side: sideOf(tile) })),
      length: lengthOf(me, i),
      scores: lengthOf(me, i) >= needed,
    })),
    kahunas: me.kahunas,
    tikis: me.tikis,
    neededLength: Number.isFinite(needed) ? needed : null,
    boats: BOATS.map((boat, i) => ({ boat, count: me.boats[i]!, used: me.used[i]! })),
    // Written out, because an object that is made by spreading another and adding a field is slow to make.
    final: {
      kahunas: final.kahunas,
      longHuts: final.longHuts,
      hula: final.hula,
      irrigation: final.irrigation,
      laka: final.laka,
      kanaloa: final.kanaloa,
      total: finalTotal(final),
    },
  };
}
