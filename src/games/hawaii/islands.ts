import {
  BANANA,
  BREADFRUIT,
  ISLAND_FRUIT,
  ISLAND_PAIR,
  ISLAND_POINTS,
  ISLAND_TILE,
  ISLANDS,
  type Island,
  KAHUNA,
  KAHUNA_POINTS,
  KAHUNA_SHELLS,
  TIKI,
  TIKI_FEET,
} from './data.ts';
import type { Tell } from './effects.ts';
import { fits, gainKahunas, gainTikis, kindsIn } from './realm.ts';
import { NONE, type SeatState, type State, type Stock, total } from './state.ts';

/** R5: since rules 2 an island gives before it is paid for, in the printed order. */
export const givesFirst = (state: State): boolean => state.rules === 2;

/** The island of the visit gives what it shows, as far as that can be placed. Returns whether a decision follows. */
export function receive(state: State, me: SeatState, tell?: Tell): boolean {
  const island = ISLANDS[leave(state)]!;
  tell?.({ type: 'island', seat: state.active, island, given: canTake(state, me, island) });
  if (island === 'points') gainPoints(me);
  else if (island === 'fruit') me.stock.fruit += ISLAND_FRUIT;
  else if (island === 'kahunas') {
    gainKahunas(state, me, kahunasFor(state, me), tell);
  } else if (island === 'tikis') {
    gainTikis(state, me, tikisFor(state, me), tell);
  } else if (island === 'anyFruit') {
    state.turn.side = 2;
    state.step = 'gift';
    return canTake(state, me, island);
  } else {
    const tile = ISLAND_TILE[island]!;
    state.turn.tile = tile;
    state.turn.side = 2;
    state.step = 'build';
    return canTake(state, me, island);
  }
  return false;
}

function gainPoints(me: SeatState): void {
  me.score += ISLAND_POINTS;
  if (me.earned) me.earned.islands += ISLAND_POINTS;
}

/** What an island gives that can be used to pay: fruit, the shells of kahunas, the feet of tikis. */
export function resourcesOf(state: State, me: SeatState, island: Island): Stock {
  const bonus = (list: readonly number[], from: number, count: number) => total(list.slice(from, from + count));
  return {
    shells: island === 'kahunas' ? bonus(KAHUNA_SHELLS, me.kahunas, kahunasFor(state, me)) : 0,
    feet: island === 'tikis' ? bonus(TIKI_FEET, me.tikis, tikisFor(state, me)) : 0,
    fruit: island === 'fruit' ? ISLAND_FRUIT : 0,
  };
}

/** How many of two kahunas or tikis have room and are still in the supply. */
const kahunasFor = ({ supply }: State, me: SeatState): number =>
  Math.min(ISLAND_PAIR, supply[KAHUNA]!, KAHUNA_POINTS.length - me.kahunas);
const tikisFor = ({ supply }: State, me: SeatState): number =>
  Math.min(ISLAND_PAIR, supply[TIKI]!, TIKI_FEET.length - me.tikis);

/** Whether anything of what an island shows is left and has a place. */
function canTake(state: State, me: SeatState, island: Island): boolean {
  if (island === 'points' || island === 'fruit') return true;
  if (island === 'kahunas') return kahunasFor(state, me) > 0;
  if (island === 'tikis') return tikisFor(state, me) > 0;
  if (island === 'anyFruit') return giftKinds(state, me).length > 0;
  const tile = ISLAND_TILE[island]!;
  return state.supply[tile]! > 0 && fits(me, kindsIn(me), tile, 1);
}

/** The visited island goes face up under the stack; its dock stays empty until the round is over. */
function leave(state: State): number {
  const { dock } = state.turn;
  const island = state.docks[dock]!;
  state.docks[dock] = NONE;
  state.visited[island]!++;
  return island;
}

/** The kinds of fruit that are left and fit into the realm. */
export function giftKinds(state: State, me: SeatState): number[] {
  const villages = kindsIn(me);
  const out: number[] = [];
  for (let kind = BREADFRUIT; kind <= BANANA; kind++) {
    if (state.supply[kind]! > 0 && fits(me, villages, kind, 1)) out.push(kind);
  }
  return out;
}
