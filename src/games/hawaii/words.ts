/** Numbers and names in words, for labels, effects and pictures. */
import { BOAT_NAMES, type Boat, TILE_NAMES, type Tile } from './data.ts';
import type { Stock } from './state.ts';

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
export function listed(words: readonly string[]): string {
  const last = words.length - 1;
  return last < 1 ? (words[0] ?? '') : `${words.slice(0, last).join(', ')} and ${words[last]}`;
}
const sideName = (side: number): string => (side === 2 ? 'II' : 'I');
export const tokenName = (value: number, spear: boolean): string => `${value}${spear ? ' with spears' : ''}`;

export const amounts = ({ shells, feet, fruit }: Stock): string =>
  listed(
    [
      shells > 0 ? count(shells, 'shell') : '',
      feet > 0 ? count(feet, 'foot', 'feet') : '',
      fruit > 0 ? `${fruit} fruit` : '',
    ].filter((words) => words !== ''),
  );

export const boatNames = (boats: readonly Boat[]): string => listed(boats.map((boat) => BOAT_NAMES[boat]));

/** A tile with its side. Kahunas and tikis have none; their "side" is their number. */
export function tileName(tile: Tile, side: number): string {
  if (tile === 'kahuna' || tile === 'tiki') return side === 2 ? `2 ${TILE_NAMES[tile]}s` : `a ${TILE_NAMES[tile]}`;
  return `${TILE_NAMES[tile]} ${sideName(side)}`;
}
