import {
  BANANA,
  BREADFRUIT,
  ISLAND_FRUIT,
  ISLAND_PAIR,
  ISLAND_POINTS,
  ISLAND_TILE,
  ISLANDS,
  KAHUNA,
  KAHUNA_POINTS,
  TIKI,
  TIKI_FEET,
} from './data.ts';
import { fits, gainKahunas, gainTikis, kindsIn } from './realm.ts';
import { NONE, type SeatState, type State } from './state.ts';

/** The island of the visit gives what it shows, as far as that can be placed. Returns whether a decision follows. */
export function receive(state: State, me: SeatState): boolean {
  const island = ISLANDS[leave(state)]!;
  const { supply } = state;
  if (island === 'points') me.score += ISLAND_POINTS;
  else if (island === 'fruit') me.stock.fruit += ISLAND_FRUIT;
  else if (island === 'kahunas') {
    gainKahunas(state, me, Math.min(ISLAND_PAIR, supply[KAHUNA]!, KAHUNA_POINTS.length - me.kahunas));
  } else if (island === 'tikis') {
    gainTikis(state, me, Math.min(ISLAND_PAIR, supply[TIKI]!, TIKI_FEET.length - me.tikis));
  } else if (island === 'anyFruit') {
    state.turn.side = 2;
    state.step = 'gift';
    return giftKinds(state, me).length > 0;
  } else {
    const tile = ISLAND_TILE[island]!;
    state.turn.tile = tile;
    state.turn.side = 2;
    state.step = 'build';
    return supply[tile]! > 0 && fits(me, kindsIn(me), tile, 1);
  }
  return false;
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
