import type { Step } from './actions.ts';

/** The three resources, behind a seat's screen. The supply of wooden pieces is taken as unlimited (R21). */
export interface Stock {
  shells: number;
  feet: number;
  fruit: number;
}

/** How a seat's round was scored: its sum, the sum it needed, and the points it got. */
export interface SeatRound {
  sum: number;
  needed: number;
  /** Points for the rank of its sum among those that reach what they need. */
  points: number;
  lono: number;
  /** For space 1 of the order track after the last round. */
  space: number;
}

/** Points that are scored at once, by what they are for. */
export interface Earned {
  spears: number;
  docks: number;
  islands: number;
}

export interface SeatState {
  score: number;
  /** Only since rules 2: states of rules 1 are hashed without it. */
  earned?: Earned;
  stock: Stock;
  /** The slot of the chief, or BEACH. */
  chief: number;
  /** Its space under the order track, from 0, once it has passed; otherwise NONE. */
  space: number;
  /** The open villages from the top, tiles as `tileCode`; the printed hut of the first one is not listed. */
  villages: number[][];
  kahunas: number;
  tikis: number;
  /** Fishing boat, boats I, boats II: how many it has, and how many of them are used in this round. */
  boats: number[];
  used: number[];
  /** Tokens taken in this round: number up, and fish up. */
  tokens: number[];
  fish: number[];
  /** Choices of irrigations II still to make at this round's end, and what was chosen so far. */
  due: number;
  chosen: Stock;
}

/** The state of the turn under way. */
export interface Turn {
  /** Exchange huts I and II that this turn has not used. Those bought in it do not count. */
  huts: number[];
  /** What has to be paid now, in the currency of the step. */
  cost: number;
  /** The tile being bought or given, and its side (for kahunas and tikis, the number). */
  tile: number;
  side: number;
  /** The dock of the visit under way, 0-based. */
  dock: number;
  /** Since rules 2: how many boats II are to be paid for, each with at least one foot or fruit. */
  boatsII?: number;
}

export interface State {
  /** Which rules are played; left out by rules 1, whose states are hashed without it. */
  rules?: 2;
  openResources: boolean;
  step: Step;
  round: number;
  /** The seat whose turn it is; NONE while all choose their income and after the end. */
  active: number;
  /** Seats by their space of the order track. */
  order: number[];
  turn: Turn;
  /** By slot: the board lying there, and the tokens on its circles, the printed one last. */
  boards: number[];
  circles: number[][];
  bay: number[];
  /** Tokens by space of the order track. */
  track: number[];
  /** Price tokens in the bag, counted by token. */
  bag: number[];
  /** Tiles not in a realm, counted by kind; gods include those below the top ones. */
  supply: number[];
  /**
   * The two stacks of gods: the tile on top and how many lie below. The gods below are drawn when they are uncovered.
   */
  godTops: number[];
  godsBelow: number[];
  /** Islands at the docks; those face down in the stack and face up under it, counted by kind. */
  docks: number[];
  stack: number[];
  visited: number[];
  /** Since rules 2: how each round was scored, by seat. */
  scored?: SeatRound[][];
  seats: SeatState[];
}

/** No token, tile, island, seat or space. */
export const NONE = -1;

export const tileCode = (kind: number, side: number): number => kind * 2 + side - 1;
export const kindOf = (tile: number): number => tile >> 1;
export const sideOf = (tile: number): number => (tile & 1) + 1;

/** The sum of the sides of a seat's tiles of one kind, which is the value of effects that add up. */
export function sidesOf(seat: SeatState, kind: number): number {
  let sum = 0;
  for (const village of seat.villages) {
    for (const tile of village) if (kindOf(tile) === kind) sum += sideOf(tile);
  }
  return sum;
}

/** The row that starts with the printed hut is one longer than its tiles. */
export const lengthOf = (seat: SeatState, village: number): number =>
  (seat.villages[village]?.length ?? 0) + (village === 0 ? 1 : 0);

export const total = (counts: readonly number[]): number => {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
};

/** Every field is named, because states are copied with every action and a spread takes several times as long. */
export function copyOf(state: State): State {
  const copy: State = {
    openResources: state.openResources,
    step: state.step,
    round: state.round,
    active: state.active,
    order: state.order.slice(),
    turn: copyTurn(state.turn),
    boards: state.boards.slice(),
    circles: state.circles.map((tokens) => tokens.slice()),
    bay: state.bay.slice(),
    track: state.track.slice(),
    bag: state.bag.slice(),
    supply: state.supply.slice(),
    godTops: state.godTops.slice(),
    godsBelow: state.godsBelow.slice(),
    docks: state.docks.slice(),
    stack: state.stack.slice(),
    visited: state.visited.slice(),
    seats: state.seats.map(copySeat),
  };
  if (state.rules !== undefined) copy.rules = state.rules;
  if (state.scored) copy.scored = state.scored.map((round) => round.map(copyRound));
  return copy;
}

function copyTurn({ huts, cost, tile, side, dock, boatsII }: Turn): Turn {
  const copy: Turn = { huts: huts.slice(), cost, tile, side, dock };
  if (boatsII !== undefined) copy.boatsII = boatsII;
  return copy;
}

const copyRound = ({ sum, needed, points, lono, space }: SeatRound): SeatRound => ({
  sum,
  needed,
  points,
  lono,
  space,
});

function copySeat(seat: SeatState): SeatState {
  const copy: SeatState = {
    score: seat.score,
    stock: copyStock(seat.stock),
    chief: seat.chief,
    space: seat.space,
    villages: seat.villages.map((tiles) => tiles.slice()),
    kahunas: seat.kahunas,
    tikis: seat.tikis,
    boats: seat.boats.slice(),
    used: seat.used.slice(),
    tokens: seat.tokens.slice(),
    fish: seat.fish.slice(),
    due: seat.due,
    chosen: copyStock(seat.chosen),
  };
  if (seat.earned) copy.earned = { spears: seat.earned.spears, docks: seat.earned.docks, islands: seat.earned.islands };
  return copy;
}

const copyStock = ({ shells, feet, fruit }: Stock): Stock => ({ shells, feet, fruit });
