import { type Static, Type } from 'typebox';
import { type Parts, type Seat, wholeView } from '../game.ts';
import { ColSchema, JungleTileSchema, RowSchema, SideSchema, TurnSchema, WorkerTileSchema } from './actions.ts';
import {
  CACAO_SPACES,
  HAND,
  JUNGLE_TILE_NAMES,
  SIDES,
  SUN_SPACES,
  WATER_TRACK,
  WORKER_TILE_NAMES,
  WORKER_TILES,
} from './data.ts';
import { resultOf, scoresOf, templesOf } from './scoring.ts';
import { type Bag, type State, sizeOf, type Village } from './state.ts';
import { type Cell, colOf, type Face, NONE, rowOf, sidesOf, tileOf, turnOf } from './table.ts';

const strict = { additionalProperties: false };
const SeatSchema = Type.Integer({ minimum: 0, maximum: 3 });
const CountSchema = Type.Integer({ minimum: 0 });
const CellSchema = Type.Object({ row: RowSchema, col: ColSchema }, strict);

const EdgeSchema = Type.Object(
  { row: RowSchema, col: ColSchema, side: SideSchema, workers: CountSchema, tile: JungleTileSchema },
  { ...strict, description: 'A side of the worker tile at (row,col) and the jungle tile that it faces' },
);

const ScoreSchema = Type.Object(
  {
    coins: CountSchema,
    temples: CountSchema,
    sun: CountSchema,
    water: Type.Integer(),
    total: Type.Integer({ description: 'Of equal totals the one with more cacao ranks higher' }),
  },
  { ...strict, description: 'Gold by source, as if the match ended now; final when the step is over' },
);

const SeatViewSchema = Type.Object(
  {
    cacao: Type.Integer({ minimum: 0, maximum: CACAO_SPACES }),
    gold: CountSchema,
    sun: Type.Integer({ minimum: 0, maximum: SUN_SPACES, description: 'Sun tokens' }),
    water: Type.Enum([...WATER_TRACK], { description: 'Value of the field on which the water carrier stands' }),
    hand: Type.Union([Type.Array(WorkerTileSchema, { maxItems: HAND }), Type.Null()], {
      description: 'null: hidden from you',
    }),
    handSize: Type.Integer({ minimum: 0, maximum: HAND }),
    pileSize: CountSchema,
    unlaid: Type.Array(Type.Object({ tile: WorkerTileSchema, count: CountSchema }, strict), {
      description: 'Hand and pile together',
    }),
    edges: Type.Array(EdgeSchema, { description: 'Activated workers that wait for a decision of this seat' }),
    score: ScoreSchema,
    rank: Type.Union([Type.Integer({ minimum: 1, maximum: 4 }), Type.Null()], { description: 'null: not over yet' }),
  },
  strict,
);

const JungleSchema = Type.Object({ row: RowSchema, col: ColSchema, tile: JungleTileSchema }, strict);

const WorkersSchema = Type.Object(
  {
    row: RowSchema,
    col: ColSchema,
    seat: SeatSchema,
    tile: WorkerTileSchema,
    turn: TurnSchema,
    sides: Type.Object({ N: CountSchema, E: CountSchema, S: CountSchema, W: CountSchema }, strict),
    covers: Type.Union([WorkerTileSchema, Type.Null()], { description: 'The worker tile below it' }),
  },
  strict,
);

const TempleSchema = Type.Object(
  {
    row: RowSchema,
    col: ColSchema,
    workers: Type.Array(CountSchema, { description: 'By seat' }),
    gold: Type.Array(CountSchema, { description: 'By seat, as if the match ended now' }),
  },
  strict,
);

export const ViewSchema = Type.Object(
  {
    you: Type.Union([SeatSchema, Type.Null()], { description: 'null: a spectator' }),
    step: Type.Enum(['place', 'fill', 'work', 'over']),
    active: SeatSchema,
    acting: Type.Array(SeatSchema, { description: 'The seats that may act now' }),
    round: Type.Integer({ minimum: 1, maximum: 11 }),
    rounds: Type.Integer({ minimum: 9, maximum: 11 }),
    seats: Type.Array(SeatViewSchema, { minItems: 2, maxItems: 4 }),
    display: Type.Array(JungleTileSchema, { maxItems: 2 }),
    pileSize: CountSchema,
    pile: Type.Array(Type.Object({ tile: JungleTileSchema, count: CountSchema }, strict), {
      description: 'Jungle tiles not yet drawn; their order is decided when they are drawn',
    }),
    jungle: Type.Array(JungleSchema, { description: 'Jungle tiles on the table, in the order laid' }),
    workers: Type.Array(WorkersSchema, {
      description: 'Worker tiles on the table, in the order their cells were taken',
    }),
    open: Type.Array(CellSchema, { description: 'Cells where a worker tile may be placed' }),
    empty: Type.Array(CellSchema, { description: 'Cells that wait to be filled in this turn' }),
    last: Type.Union([CellSchema, Type.Null()], { description: 'The worker tile laid last' }),
    filled: Type.Array(CellSchema, { description: 'Jungle cells filled because of it' }),
    temples: Type.Array(TempleSchema),
  },
  strict,
);

export type View = Static<typeof ViewSchema>;
export type SeatView = View['seats'][number];

export const PARTS: Parts<State, View> = {
  you: (_state, you) => you,
  step: ({ step }) => step,
  active: ({ active }) => active,
  acting: actingIn,
  round: roundIn,
  rounds: roundsOf,
  seats: seatViews,
  display: ({ display }) => display.map((kind) => JUNGLE_TILE_NAMES[kind]!),
  pileSize: ({ pile }) => sizeOf(pile),
  pile: ({ pile }) => JUNGLE_TILE_NAMES.map((tile, kind) => ({ tile, count: pile[kind]! })),
  jungle: ({ table: { jungle } }) =>
    jungle.cells.map((cell, i) => ({
      row: rowOf(cell),
      col: colOf(cell),
      tile: JUNGLE_TILE_NAMES[jungle.kinds[i]!]!,
    })),
  workers: (state) => state.table.workers.cells.map((cell, i) => workersView(state, cell, i)),
  open: ({ table }) => table.open.map(at),
  empty: ({ empty }) => empty.map(at),
  last: ({ last }) => (last === NONE ? null : at(last)),
  filled: ({ filled }) => filled.map(at),
  temples: (state) => templesOf(state).map(({ cell, workers, gold }) => ({ ...at(cell), workers, gold })),
};

export const viewOf = (state: State, you: Seat | null): View => wholeView(PARTS, state, you);

/** Worker tiles on the table, those covered by others included. */
const laidIn = ({ table: { workers } }: State): number =>
  workers.cells.length + workers.covered.filter((face) => face !== NONE).length;

function roundsOf(state: State): number {
  const unlaid = state.villages.reduce((sum, { hand, pile }) => sum + sizeOf(hand) + sizeOf(pile), 0);
  return (laidIn(state) + unlaid) / state.villages.length;
}

function roundIn(state: State): number {
  const isUnderWay = state.step === 'fill' || state.step === 'work';
  const turns = isUnderWay ? laidIn(state) - 1 : laidIn(state); // turns that are over
  return Math.min(Math.floor(turns / state.villages.length) + 1, roundsOf(state));
}

const at = (cell: Cell) => ({ row: rowOf(cell), col: colOf(cell) });
const tileName = (face: Face) => WORKER_TILE_NAMES[tileOf(face)]!;

function actingIn({ step, active, villages }: State): Seat[] {
  if (step === 'over') return [];
  return step === 'work' ? [...villages.keys()].filter((seat) => villages[seat]!.edges.length > 0) : [active];
}

function seatViews(state: State, you: Seat | null): SeatView[] {
  const scores = scoresOf(state);
  const ranks = state.step === 'over' ? resultOf(state).ranks : null;
  return state.villages.map((village, seat) => {
    const { hand, pile, cacao, gold, sun, water } = village;
    return {
      cacao,
      gold,
      sun,
      water: WATER_TRACK[water]!,
      hand: seat === you ? namesIn(hand) : null,
      handSize: sizeOf(hand),
      pileSize: sizeOf(pile),
      unlaid: WORKER_TILES.map(({ name: tile }, i) => ({ tile, count: hand[i]! + pile[i]! })),
      edges: edgeViews(village),
      score: scores[seat]!,
      rank: ranks?.[seat] ?? null,
    };
  });
}

const namesIn = (hand: Bag) => WORKER_TILE_NAMES.flatMap((name, i) => Array.from({ length: hand[i]! }, () => name));

const edgeViews = ({ edges }: Village) =>
  edges.map(({ cell, side, workers, kind }) => ({
    ...at(cell),
    side: SIDES[side]!,
    workers,
    tile: JUNGLE_TILE_NAMES[kind]!,
  }));

function workersView({ table: { workers } }: State, cell: Cell, i: number): View['workers'][number] {
  const face = workers.faces[i]!;
  const below = workers.covered[i]!;
  const sides = sidesOf(face);
  return {
    row: rowOf(cell),
    col: colOf(cell),
    seat: workers.seats[i]!,
    tile: tileName(face),
    turn: turnOf(face),
    sides: { N: sides[0]!, E: sides[1]!, S: sides[2]!, W: sides[3]! },
    covers: below === NONE ? null : tileName(below),
  };
}
