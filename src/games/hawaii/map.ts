import { SLOTS } from './data.ts';

/** Two boards touch if they lie side by side or in neighbouring rows with at least a corner in common. */
const touch = (a: { row: number; x: number }, b: { row: number; x: number }): boolean =>
  a !== b && Math.abs(a.row - b.row) <= 1 && Math.abs(a.x - b.x) <= 1;

/** The neighbours of each slot, by index. */
export const NEIGHBOURS: readonly (readonly number[])[] = SLOTS.map((a) =>
  SLOTS.flatMap((b, j) => (touch(a, b) ? [j] : [])),
);

/** The chief is on the beach rather than at a slot. */
export const BEACH = -1;

/** Steps between slots over other boards, never across the beach. Staying in place costs a step too. */
const BETWEEN: readonly (readonly number[])[] = SLOTS.map((_, from) => {
  const steps = SLOTS.map((_, to) => (to === from ? 0 : Number.POSITIVE_INFINITY));
  const queue = [from];
  for (const slot of queue) {
    for (const next of NEIGHBOURS[slot]!) {
      if (steps[next]! <= steps[slot]! + 1) continue;
      steps[next] = steps[slot]! + 1;
      queue.push(next);
    }
  }
  steps[from] = 1;
  return steps;
});

/** Only the lowest row touches the beach, so the way from there is as long as the row is high. */
export const stepsTo = (from: number, to: number): number => (from === BEACH ? SLOTS[to]!.row : BETWEEN[from]![to]!);
