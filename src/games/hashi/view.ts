import { type Static, type TSchema, Type } from 'typebox';
import { type Parts, type Seat, wholeView } from '../game.ts';
import {
  BOARDS,
  BONUS_POINTS,
  BONUSES,
  type Board,
  CARDS,
  FLAGS,
  ISLANDS,
  MAX_BRIDGES_PER_LINK,
  ROUNDS,
  SIDES,
  SOLO_PILES,
} from './data.ts';
import { ratingOf, resultOf, scoreOf, worthNow } from './scoring.ts';
import { finishedOn } from './sheet.ts';
import { boardOf, cardOf, roundOf, type SeatState, type Sheet, type State } from './state.ts';

const strict = { additionalProperties: false };
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const oneOf = <T extends string[]>(words: readonly [...T], description = '') =>
  Type.Enum(words, description ? { description } : {});
const count = (description?: string) =>
  Type.Integer(description === undefined ? { minimum: 0 } : { minimum: 0, description });
const id = (description: string) => Type.Integer({ minimum: 1, description });

const card = Type.Object({ number: id('1 to 6'), bridges: id('1 to 3') }, strict);

const boardSchema = Type.Object(
  {
    rows: count(),
    cols: count(),
    islands: Type.Array(
      Type.Object(
        {
          id: id('island id'),
          row: id('from the top'),
          col: id('from the left'),
          flag: nullable(oneOf(FLAGS), 'null: no flag'),
        },
        strict,
      ),
    ),
    links: Type.Array(
      Type.Object(
        {
          id: id('link id'),
          a: id('island id'),
          b: id('island id'),
          crosses: Type.Array(id('link id'), {
            description: 'once a bridge is drawn here, none can be drawn on these links',
          }),
        },
        strict,
      ),
      { description: 'the dashed lines on which bridges can be drawn' },
    ),
  },
  strict,
);

const sheetSchema = {
  islands: Type.Array(
    Type.Object(
      {
        id: id('island id'),
        number: nullable(id('1 to 6'), 'null: blank'),
        bridges: count('how many bridges lead to this island'),
        finished: Type.Boolean({
          description:
            'it has exactly as many bridges as its number says: no more can be drawn, and it is worth 2 points',
        }),
      },
      strict,
    ),
    { minItems: ISLANDS, maxItems: ISLANDS },
  ),
  links: Type.Array(
    Type.Object({ id: id('link id'), bridges: Type.Integer({ minimum: 0, maximum: MAX_BRIDGES_PER_LINK }) }, strict),
  ),
};

const earned = Type.Object({ round: id('the round in which it was earned'), points: count() }, strict);

const seatSchema = Type.Object(
  {
    seat: count('0-based'),
    step: oneOf(
      ['preset', 'write', 'build', 'acting', 'ready'],
      'what this seat decides now; acting: another seat that writes or builds; ready: it waits for the others',
    ),
    ...sheetSchema,
    bonuses: Type.Object(
      {
        red: nullable(earned, 'null: not earned yet'),
        blue: nullable(earned, 'null: not earned yet'),
        chain: nullable(earned, 'null: not earned yet'),
      },
      strict,
    ),
    score: count('points so far: 2 for each finished island, plus bonuses'),
    thisRound: nullable(
      Type.Object(
        {
          written: nullable(id('island id'), 'the island numbered in this round'),
          bridges: Type.Array(id('link id'), { description: 'bridges drawn in this round' }),
          left: count('how many bridges of the card are not drawn yet'),
        },
        strict,
      ),
      'what you did in this round, which the others do not see yet; null for every other seat',
    ),
  },
  { ...strict, description: 'a seat and its sheet; the sheet of another seat is shown as it was when the round began' },
);

const bonusSchema = Type.Object(
  {
    bonus: oneOf(
      BONUSES,
      'red, blue: every island with such a flag is finished; chain: 6 finished islands joined by bridges',
    ),
    first: count('points in the first round in which anybody earns it; alone: up to the deadline'),
    later: count('points in any later round'),
    now: count('points for earning it in this round'),
    deadline: nullable(id('round'), 'alone: the last round that brings the higher value; else null'),
  },
  strict,
);

const soloSchema = Type.Object(
  {
    piles: Type.Array(Type.Object({ cards: count(), left: count('cards not yet turned up') }, strict)),
    rating: nullable(Type.String(), 'your title; null until the end'),
  },
  strict,
);

const resultSchema = Type.Object({ scores: Type.Array(count()), ranks: Type.Array(id('1 wins')) }, strict);

export const ViewSchema = Type.Object(
  {
    you: nullable(count(), 'your seat; null: a spectator'),
    step: oneOf(['preset', 'round', 'end']),
    side: oneOf(SIDES, 'side of the sheets'),
    round: count('0 before the first card'),
    rounds: count(),
    card: nullable(card, 'the card of this round'),
    cards: Type.Array(
      Type.Object(
        {
          number: id('1 to 6'),
          bridges: id('1 to 3'),
          round: nullable(id('round'), 'the round in which it was turned up; null: not seen yet'),
        },
        strict,
      ),
      { description: 'all 18 cards; one of them never comes, and nobody knows which' },
    ),
    board: boardSchema,
    bonuses: Type.Array(bonusSchema),
    seats: Type.Array(seatSchema),
    solo: nullable(soloSchema, 'only with one seat'),
    result: nullable(resultSchema, 'null until the end'),
  },
  strict,
);

export type View = Static<typeof ViewSchema>;
export type SeatView = Static<typeof seatSchema>;

export const PARTS: Parts<State, View> = {
  you: (_state, you) => you,
  step: ({ step }) => step,
  side: ({ side }) => side,
  round: roundOf,
  rounds: () => ROUNDS,
  card: (state) => (state.step === 'round' ? { ...cardOf(state) } : null),
  cards: ({ drawn }) =>
    CARDS.map(({ number, bridges }, i) => ({ number, bridges, round: drawn.indexOf(i) + 1 || null })),
  board: ({ side }) => BOARD_VIEWS[side],
  bonuses: bonusViews,
  seats: (state, you) => state.seats.map((_, seat) => seatView(state, seat, seat === you)),
  solo: (state) => (state.seats.length === 1 ? soloView(state) : null),
  result: (state) => (state.step === 'end' ? resultOf(state) : null),
};

export const viewOf = (state: State, you: Seat | null): View => ({
  ...wholeView(PARTS, state, you),
  board: boardView(boardOf(state)),
});

const soloView = (state: State): View['solo'] => ({
  piles: pilesOf(state),
  rating: state.step === 'end' ? ratingOf(resultOf(state).scores[0]!) : null,
});

const boardView = ({ rows, cols, islands, links }: Board): View['board'] => ({
  rows,
  cols,
  islands: islands.map(({ id, row, col, flag }) => ({ id, row, col, flag })),
  links: links.map(({ id, a, b, crosses }) => ({ id, a, b, crosses: [...crosses] })),
});

/** Shared by all labels, which only read it. A view has a copy of its own. */
const BOARD_VIEWS: Record<State['side'], View['board']> = { A: boardView(BOARDS.A), B: boardView(BOARDS.B) };

function bonusViews(state: State): View['bonuses'] {
  return BONUSES.map((bonus) => ({
    bonus,
    first: BONUS_POINTS[bonus].first,
    later: BONUS_POINTS[bonus].later,
    now: worthNow(state, bonus),
    deadline: state.seats.length === 1 ? BONUS_POINTS[bonus].deadline : null,
  }));
}

function seatView(state: State, seat: Seat, own: boolean): SeatView {
  const board = boardOf(state);
  const { step, start, sheet, bonuses } = state.seats[seat]!;
  const hidden = state.step === 'round' && !own;
  const shown = hidden ? start : sheet;
  return {
    seat,
    step: hidden && step !== 'ready' ? 'acting' : step,
    islands: islandViews(board, shown),
    links: board.links.map(({ id }) => ({ id, bridges: shown.bridges[id]! })),
    bonuses: { red: copy(bonuses.red), blue: copy(bonuses.blue), chain: copy(bonuses.chain) },
    score: scoreOf(board, shown, bonuses),
    thisRound: own && state.step === 'round' ? thisRound(board, state.seats[seat]!) : null,
  };
}

const copy = <T extends object>(value: T | null): T | null => value && { ...value };

function islandViews(board: Board, sheet: Sheet): SeatView['islands'] {
  const finished = finishedOn(board, sheet);
  const bridges = sheet.numbers.map(() => 0);
  for (const { id, a, b } of board.links) {
    bridges[a]! += sheet.bridges[id]!;
    bridges[b]! += sheet.bridges[id]!;
  }
  return board.islands.map(({ id }) => ({
    id,
    number: sheet.numbers[id]! || null,
    bridges: bridges[id]!,
    finished: finished[id]!,
  }));
}

function thisRound(board: Board, { start, sheet, left }: SeatState): SeatView['thisRound'] {
  const written = board.islands.find(({ id }) => sheet.numbers[id] !== start.numbers[id]);
  const bridges = board.links.flatMap(({ id }) => new Array<number>(sheet.bridges[id]! - start.bridges[id]!).fill(id));
  return { written: written?.id ?? null, bridges, left };
}

function pilesOf(state: State): { cards: number; left: number }[] {
  let gone = roundOf(state);
  return SOLO_PILES.map((cards) => {
    const taken = Math.min(cards, gone);
    gone -= taken;
    return { cards, left: cards - taken };
  });
}
