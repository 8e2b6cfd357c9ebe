/** What a sheet can still achieve and what it has achieved, read from a view: for the picture and the description. */
import { type Bonus, CHAIN_SIZE, type FLAGS, MAX_BRIDGES_PER_ISLAND, MAX_BRIDGES_PER_LINK } from './data.ts';
import { longestChain } from './sheet.ts';
import type { SeatView, View } from './view.ts';

export type LinkView = View['board']['links'][number];

export const bridgesOn = (seat: SeatView, link: number): number => seat.links[link - 1]!.bridges;

/** How many more bridges may reach an island. */
export function roomAt(seat: SeatView, island: number): number {
  const { number, bridges } = seat.islands[island - 1]!;
  return (number ?? MAX_BRIDGES_PER_ISLAND) - bridges;
}

export const isCrossed = (seat: SeatView, { crosses }: LinkView): boolean =>
  crosses.some((other) => bridgesOn(seat, other) > 0);

/** Whether one more bridge can still be drawn on this link, in this round or in a later one. */
export const isOpen = (view: View, seat: SeatView, link: LinkView): boolean =>
  view.step !== 'end' &&
  bridgesOn(seat, link.id) < MAX_BRIDGES_PER_LINK &&
  roomAt(seat, link.a) > 0 &&
  roomAt(seat, link.b) > 0 &&
  !isCrossed(seat, link);

export interface Progress {
  done: number;
  of: number;
}

/** How near a sheet is to each bonus. */
export function progressOf({ board }: View, seat: SeatView): Record<Bonus, Progress> {
  const flagged = (flag: (typeof FLAGS)[number]): Progress => {
    const islands = board.islands.filter((island) => island.flag === flag);
    return { done: islands.filter(({ id }) => seat.islands[id - 1]!.finished).length, of: islands.length };
  };
  const bridges = [0, ...seat.links.map((link) => link.bridges)];
  const finished = [false, ...seat.islands.map((island) => island.finished)];
  const chain = Math.min(CHAIN_SIZE, longestChain(board, { bridges }, finished));
  return { red: flagged('red'), blue: flagged('blue'), chain: { done: chain, of: CHAIN_SIZE } };
}

export const finishedCount = (seat: SeatView): number => seat.islands.filter(({ finished }) => finished).length;
