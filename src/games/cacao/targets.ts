import type { Action } from './actions.ts';
import { COMPASS, facedBy, type JungleTileName, SIDES, type WorkerTileName, workerTileOf } from './data.ts';

export const handTarget = (tile: WorkerTileName): string => `hand:${tile}`;
export const displayTarget = (tile: JungleTileName): string => `display:${tile}`;
export const cellTarget = ({ row, col }: { row: number; col: number }): string => `cell:${row},${col}`;
export const turnTarget = (turn: number): string => `turn:${COMPASS[SIDES[turn]!]}`;
export const countTarget = (count: number): string => `count:${count}`;

/** To use workers, a player points at the jungle tile that they face, and at their own tile if that leaves a choice. */
export function targets(action: Action): string[] {
  switch (action.type) {
    case 'place':
    case 'overbuild': {
      const { tile, turn } = action;
      const turns = workerTileOf(tile).turns > 1 ? [turnTarget(turn)] : [];
      return [handTarget(tile), cellTarget(action), ...turns];
    }
    case 'fill':
      return [displayTarget(action.tile), cellTarget(action)];
    case 'harvest':
      return [cellTarget(facedBy(action, action.side)), cellTarget(action)];
    case 'sell':
      return [cellTarget(facedBy(action, action.side)), cellTarget(action), countTarget(action.count)];
  }
}
