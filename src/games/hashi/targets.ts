import type { Action } from './actions.ts';
import type { View } from './view.ts';

export const islandTarget = (island: number): string => `island:${island}`;

/** Named by its islands, as in labels. */
export const linkTarget = ({ a, b }: { a: number; b: number }): string => `link:${a}-${b}`;

export const numberTarget = (number: number): string => `number:${number}`;

/** The same word for both steps: which of them was skipped stays hidden until the round is over. */
export const SKIP = 'skip';

/** Things on the sheet of the seat that acts: each seat has the same ones on its own sheet. */
export function targets(action: Action, { board }: View): string[] {
  if (action.type === 'preset') return [islandTarget(action.island), numberTarget(action.number)];
  if (action.type === 'write') return [islandTarget(action.island)];
  if (action.type === 'bridge') return [linkTarget(board.links[action.link - 1]!)];
  return [SKIP];
}
