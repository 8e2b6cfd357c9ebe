/** What can be included with an event or a state: what the caller could see of the table at that version. */
import { Type } from 'typebox';
import type { Caller } from '../../../matches/commands/access.ts';
import type { Drawing } from '../../present.ts';
import * as states from '../../states.ts';

/** Prices in units of work. A state is rebuilt from the one before it. */
const PRICES = { view: 20, board: 100, description: 50, legalActions: 50 };
export const PARTS = Object.keys(PRICES) as Part[];
export type Part = keyof typeof PRICES;
const REBUILDING = 10;

export const Include = Type.Optional(
  Type.String({
    pattern: `^(${PARTS.join('|')})(,(${PARTS.join('|')})){0,3}$`,
    description: `What to include with each, separated by commas: ${PARTS.join(', ')}. It is as of that version, not as of now.`,
  }),
);

export const partsOf = (include: string | undefined): Part[] => (include?.split(',') ?? []) as Part[];

/** Whether it shows names of players. */
export const isNamed = (parts: readonly Part[]): boolean => parts.includes('board') || parts.includes('description');

export const priceOfParts = (parts: readonly Part[]): number =>
  parts.length === 0 ? 0 : parts.reduce((sum, part) => sum + PRICES[part], REBUILDING);

/** What is shown of a state. */
export interface Shown {
  parts: readonly Part[];
  /** The seat whose eyes to use; only after the end. */
  seat?: number | undefined;
  width?: 'wide' | 'narrow' | undefined;
}

/** The table at a version, as this caller could know it then. */
export async function stateJson(
  state: states.StateThen,
  caller: Caller,
  { parts, seat, width }: Shown,
  drawing: Drawing,
) {
  const { work } = drawing;
  const look = { seat, width: width === 'narrow' ? 'NARROW' : 'WIDE' } as const;
  const has = (part: Part) => parts.includes(part);
  return {
    version: state.version,
    acting: await states.acting(state, work),
    ...(has('view') && { view: await states.view(state, caller, seat, work) }),
    ...(has('board') && { board: await states.board(state, caller, look, drawing) }),
    ...(has('description') && { description: await states.description(state, caller, seat, drawing) }),
    ...(has('legalActions') && { legalActions: await states.legalActions(state, caller, work) }),
  };
}
