import type { Action, ActionOf } from './actions.ts';
import { CACAO_SPACES, JUNGLE_TILES, type JungleTileName, SIDES } from './data.ts';
import type { View } from './view.ts';

const COMPASS = ['north', 'east', 'south', 'west'] as const;
const LARGE_SIDES: Record<string, string> = { 2: 'double', 3: 'triple' };

export function label(action: Action, view: View): string {
  switch (action.type) {
    case 'place':
      return `place ${action.tile} at (${action.row},${action.col})${facing(action)}`;
    case 'overbuild':
      return `overbuild (${action.row},${action.col}) with ${action.tile}${facing(action)}`;
    case 'fill':
      return `fill (${action.row},${action.col}) with ${jungleTile(action.tile).label}`;
    case 'harvest':
      return harvestLabel(action, view);
    case 'sell':
      return sellLabel(action, view);
  }
}

function facing({ tile, turn }: ActionOf<'place' | 'overbuild'>): string {
  const large = LARGE_SIDES[tile.charAt(0)];
  return large ? `, ${large} side ${COMPASS[turn]}` : '';
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
  const r = row + { N: -1, E: 0, S: 1, W: 0 }[side];
  const c = col + { N: 0, E: 1, S: 0, W: -1 }[side];
  const tile = jungleTile(view.jungle.find((found) => found.row === r && found.col === c)!.tile);
  return { tile, where: `the ${tile.label} ${COMPASS[SIDES.indexOf(side)]} of (${row},${col})` };
}

const jungleTile = (name: JungleTileName) => JUNGLE_TILES.find((tile) => tile.name === name)!;
