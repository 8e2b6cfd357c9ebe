/** What the tests of Hawaii build their positions with. */
import type { Rng } from '../../../src/games/game.ts';
import type { Action } from '../../../src/games/hawaii/actions.ts';
import { TILES, type Tile, TOKENS } from '../../../src/games/hawaii/data.ts';
import { rules2 as hawaii, rules1 } from '../../../src/games/hawaii/index.ts';
import { BEACH } from '../../../src/games/hawaii/map.ts';
import { beginTurn } from '../../../src/games/hawaii/round.ts';
import { NONE, type SeatState, type State, tileCode } from '../../../src/games/hawaii/state.ts';
import { clone, lookUp } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';

/** The index of a token, written like '5' or '3s' (with spears). */
export const token = (name: string): number =>
  TOKENS.findIndex(({ value, spear }) => value === Number.parseInt(name, 10) && spear === name.endsWith('s'));

export const kind = (tile: Tile): number => TILES.indexOf(tile);

/** Tiles of a village, written like 'hula II' or 'taro'. */
export const village = (...tiles: string[]): number[] =>
  tiles.map((name) => {
    const [tile, side] = name.split(' ');
    return tileCode(kind(tile as Tile), side === 'II' ? 2 : 1);
  });

/** Seats in the order of the track, boards in the order of the list: seat 0 to act, slot A sells shell and foot huts. */
export function table(seats = 4, rules: 1 | 2 = 2): State {
  const state =
    rules === 1
      ? rules1.setup({ openResources: false }, seats, fastRng(7))
      : hawaii.setup({ openResources: false, begins: 'seat0' }, seats, fastRng(7));
  state.order = state.seats.map((_, i) => i);
  state.boards = state.boards.map((_, i) => i);
  for (const seat of state.seats) seat.stock = { shells: 13, feet: 7, fruit: 0 };
  state.bay = [];
  for (const circles of state.circles) circles.fill(NONE);
  state.circles = [2, 2, 1, 1, 3, 3, 2, 3, 2, 2].map((n) => new Array(n).fill(NONE));
  state.track = state.seats.map((_, i) => (i === 0 ? NONE : token('3')));
  beginTurn(state, 0);
  return state;
}

/** A seat of a fresh table. */
export function realm(changes: Partial<SeatState> = {}): SeatState {
  return { ...(table().seats[0] as SeatState), chief: BEACH, ...changes };
}

/** Plays an action through the kernel, so that it must be listed. */
export function act(state: State, seat: number, action: Action, rng: Rng = fastRng(1)): State {
  const next = clone(state);
  hawaii.apply(next, seat, lookUp(hawaii, state, seat, action) as Action, rng);
  return next;
}

export const types = (state: State, seat: number): string[] => hawaii.legal(state, seat).map(({ type }) => type);

/** The places that a seat may walk to. */
export const walks = (state: State, seat: number): string =>
  hawaii
    .legal(state, seat)
    .flatMap((action) => (action.type === 'walk' ? [action.place] : []))
    .join('');

/** An rng that draws these pieces, in this order, out of a bag of counts. */
export function drawing(bag: readonly number[], pieces: number[]): Rng {
  const left = [...pieces];
  const int = () => {
    const piece = left.shift() as number;
    return bag.slice(0, piece).reduce((sum, count) => sum + count, 0);
  };
  return { int, pick: (items) => items[int()] as never, shuffle: (items) => [...items] };
}
