import type { Action, ActionOf } from './actions.ts';
import { CACAO_SPACES, COMPASS, facedBy, jungleTileOf, SIDES, type WorkerTileName } from './data.ts';
import type { View } from './view.ts';

const LARGE_SIDES: Record<string, string> = { 2: 'double', 3: 'triple' };

export function label(action: Action, view: View): string {
  switch (action.type) {
    case 'place':
      return `place ${action.tile} at (${action.row},${action.col})${facing(action)}`;
    case 'overbuild':
      return `overbuild (${action.row},${action.col}) with ${action.tile}${facing(action)}`;
    case 'fill':
      return `fill (${action.row},${action.col}) with ${jungleTileOf(action.tile).label}`;
    case 'harvest':
      return harvestLabel(action, view);
    case 'sell':
      return sellLabel(action, view);
  }
}

/** What the side with the most workers is called; undefined where all sides are alike. */
export const largeSide = (tile: WorkerTileName): string | undefined => LARGE_SIDES[tile.charAt(0)];

function facing({ tile, turn }: ActionOf<'place' | 'overbuild'>): string {
  const large = largeSide(tile);
  return large ? `, ${large} side ${COMPASS[SIDES[turn]!]}` : '';
}

function harvestLabel(action: ActionOf<'harvest'>, view: View): string {
  const { tile, where } = faced(action, view);
  const { seat, sides } = view.workers.find(({ row, col }) => row === action.row && col === action.col)!;
  const crop = sides[action.side] * tile.value;
  const room = CACAO_SPACES - view.seats[seat]!.cacao;
  return `harvest ${crop > room ? `${room} of ${crop}` : crop} cacao at ${where}`;
}

function sellLabel(action: ActionOf<'sell'>, view: View): string {
  const { tile, where } = faced(action, view);
  return action.count === 0
    ? `sell nothing at ${where}`
    : `sell ${action.count} cacao for ${action.count * tile.value} gold at ${where}`;
}

/** The jungle tile that a side faces. */
function faced({ row, col, side }: ActionOf<'harvest' | 'sell'>, view: View) {
  const cell = facedBy({ row, col }, side);
  const tile = jungleTileOf(view.jungle.find((found) => found.row === cell.row && found.col === cell.col)!.tile);
  return { tile, where: `the ${tile.label} ${COMPASS[side]} of (${row},${col})` };
}
