/** Converts database rows to players. */
import { type NamedRow, namePart, tagOf } from './name.ts';
import type { Player } from './player.ts';

/** The columns that `playerOf` needs. */
export const shownPlayer = { id: true, name: true, kind: true, skeleton: true } as const;

export const playerOf = (row: NamedRow): Player => {
  const { id, name, kind } = row;
  return { id, name: namePart(name), kind, tag: tagOf(row) };
};
