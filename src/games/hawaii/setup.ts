import type { Rng } from '../game.ts';
import type { Options, Options1 } from './actions.ts';
import { BOARDS, GOD_STACK_SIZE, GOD_STACKS, ISLAND_COUNTS, START, TILE_COUNTS } from './data.ts';
import { BEACH } from './map.ts';
import { drawGod } from './realm.ts';
import { beginTurn, layOutPrices, restockDocks } from './round.ts';
import { NONE, type SeatState, type State } from './state.ts';

/** Rules 1: the order of the first round is always drawn by lot. */
export function setupRules1({ openResources }: Options1, seats: number, rng: Rng): State {
  return layOut(openResources, rng.shuffle(inOrder(seats)), rng);
}

export function setup({ openResources, begins }: Options, seats: number, rng: Rng): State {
  const order = begins === 'lot' ? rng.shuffle(inOrder(seats)) : inOrder(seats);
  const state = layOut(openResources, order, rng);
  state.rules = 2;
  state.scored = [];
  for (const seat of state.seats) seat.earned = { spears: 0, docks: 0, islands: 0 };
  return state;
}

const inOrder = (seats: number): number[] => Array.from({ length: seats }, (_, i) => i);

/** The table before the first turn. */
function layOut(openResources: boolean, order: number[], rng: Rng): State {
  const state: State = {
    openResources,
    step: 'turn',
    round: 1,
    active: NONE,
    order,
    turn: { huts: [0, 0], cost: 0, tile: NONE, side: 0, dock: NONE },
    boards: rng.shuffle(BOARDS.map((_, i) => i)),
    circles: [],
    bay: [],
    track: [],
    bag: [],
    supply: [...TILE_COUNTS],
    godTops: new Array(GOD_STACKS).fill(NONE),
    godsBelow: new Array(GOD_STACKS).fill(GOD_STACK_SIZE - 1),
    docks: [],
    stack: [...ISLAND_COUNTS],
    visited: ISLAND_COUNTS.map(() => 0),
    seats: order.map((_, seat) => newSeat(order.indexOf(seat))),
  };
  for (let stack = 0; stack < GOD_STACKS; stack++) state.godTops[stack] = drawGod(state, rng);
  restockDocks(state, rng);
  layOutPrices(state, rng);
  beginTurn(state, order[0]!);
  return state;
}

const newSeat = (space: number): SeatState => ({
  score: 0,
  stock: { shells: START.shells, feet: START.feet, fruit: START.fruit[space]! },
  chief: BEACH,
  space: NONE,
  villages: [[]],
  kahunas: 0,
  tikis: 0,
  boats: [1, 0, 0],
  used: [0, 0, 0],
  tokens: [],
  fish: [],
  due: 0,
  chosen: { shells: 0, feet: 0, fruit: 0 },
});
