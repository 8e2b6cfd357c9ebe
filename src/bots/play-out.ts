import type { Game, Result, Rng, Seat } from '../games/game.ts';

/** A seat that may act now, and what it may do. */
export interface Turn {
  seat: Seat;
  list: object[];
}

/**
 * The first seat from `from` on that may act. Where several seats act at the same time, their choices are hidden from
 * each other, so the order in which they are made reveals nothing.
 */
export function nextTurn(game: Game, state: object, seats: number, from: Seat): Turn | null {
  for (let i = 0; i < seats; i++) {
    const seat = (from + i) % seats;
    const list = game.legal(state, seat);
    if (list.length > 0) return { seat, list };
  }
  return null;
}

/** How the seats choose in a play-out. */
export type Policy = (turn: Turn, rng: Rng) => object;

export const uniform: Policy = ({ list }, rng) => rng.pick(list);

/** Plays a state of its own to the end. */
export function playOut(game: Game, state: object, seats: number, from: Seat, rng: Rng, policy: Policy): Result {
  let seat = from;
  for (;;) {
    const turn = nextTurn(game, state, seats, seat);
    if (!turn) break;
    seat = turn.seat;
    game.apply(state, seat, policy(turn, rng), rng);
  }
  const result = game.result(state);
  if (!result) throw new Error(`${game.id}: no seat may act and there is no result`);
  return result;
}
