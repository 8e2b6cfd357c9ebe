import { BOAT_ROOM, BOATS, type Boat } from './data.ts';
import type { SeatState } from './state.ts';

/** A choice of boats, counted by kind, and the feet to be paid onto them. */
export interface Load {
  boats: Boat[];
  cost: number;
}

const room = (counts: readonly number[]): number =>
  counts[0]! * BOAT_ROOM[0]! + counts[1]! * BOAT_ROOM[1]! + counts[2]! * BOAT_ROOM[2]!;

/** The foot printed on a boat II counts, but at least one unit must be paid onto each. */
const costOf = (price: number, boatsII: number): number => Math.max(price - boatsII, boatsII);

/** Whether one boat of this kind could stay at home, because the others carry the price and it would cost no more. */
function isIdle(counts: readonly number[], kind: number, price: number): boolean {
  const boatsII = counts[2]!;
  return room(counts) - BOAT_ROOM[kind]! >= price && (kind < 2 || costOf(price, boatsII - 1) <= costOf(price, boatsII));
}

/** R25: every set of unused boats that carries the price with no idle boat in it. Boats of a kind are interchangeable. */
export function loads(seat: SeatState, price: number): Load[] {
  const out: Load[] = [];
  const free = seat.boats.map((count, i) => count - seat.used[i]!);
  for (let fishing = 0; fishing <= free[0]!; fishing++) {
    for (let one = 0; one <= free[1]!; one++) {
      for (let two = 0; two <= free[2]!; two++) {
        const counts = [fishing, one, two];
        if (room(counts) < price || counts.some((n, kind) => n > 0 && isIdle(counts, kind, price))) continue;
        out.push({ boats: listed(counts), cost: costOf(price, two) });
      }
    }
  }
  return out;
}

function listed(counts: readonly number[]): Boat[] {
  const out: Boat[] = [];
  for (const [kind, boat] of BOATS.entries()) for (let n = counts[kind]!; n > 0; n--) out.push(boat);
  return out;
}

/** The least that a price costs with the unused boats; Infinity if they cannot carry it. */
export function cheapest(seat: SeatState, price: number): number {
  const two = seat.boats[2]! - seat.used[2]!;
  const free = [seat.boats[0]! - seat.used[0]!, seat.boats[1]! - seat.used[1]!, two];
  if (room(free) < price) return Number.POSITIVE_INFINITY;
  return price - Math.min(two, price >> 1);
}

export function cost(price: number, boats: readonly Boat[]): number {
  return costOf(price, boats.filter((boat) => boat === 'II').length);
}

export function useBoats(seat: SeatState, boats: readonly Boat[]): void {
  for (const boat of boats) seat.used[BOATS.indexOf(boat)]!++;
}
