import { type Static, Type } from 'typebox';
import { JUNGLE_TILE_NAMES, SIDES, WORKER_TILE_NAMES } from './data.ts';

export const RowSchema = Type.Integer({ description: 'Grows to the south; the start tiles lie at (0,0) and (1,1)' });
export const ColSchema = Type.Integer({ description: 'Grows to the east' });
export const WorkerTileSchema = Type.Enum(WORKER_TILE_NAMES, { description: 'Workers by side, read clockwise' });
export const TurnSchema = Type.Integer({
  minimum: 0,
  maximum: 3,
  description: 'The side that the first number of the tile faces: 0 north, 1 east, 2 south, 3 west',
});
export const JungleTileSchema = Type.Enum(JUNGLE_TILE_NAMES, {
  description: 'A number is what one worker gets: cacao, the price of one cacao, or gold',
});
export const SideSchema = Type.Enum([...SIDES], { description: 'A side of a worker tile' });

const strict = { additionalProperties: false };
const placement = { tile: WorkerTileSchema, row: RowSchema, col: ColSchema, turn: TurnSchema };
const edge = { row: RowSchema, col: ColSchema, side: SideSchema };

export const ActionSchema = Type.Union([
  Type.Object(
    { type: Type.Literal('place'), ...placement },
    { ...strict, description: 'Lay a worker tile of the hand on a free cell' },
  ),
  Type.Object(
    { type: Type.Literal('overbuild'), ...placement },
    { ...strict, description: 'Pay a sun token and lay a worker tile of the hand on one of your own on the table' },
  ),
  Type.Object(
    { type: Type.Literal('fill'), row: RowSchema, col: ColSchema, tile: JungleTileSchema },
    { ...strict, description: 'Lay a jungle tile of the display on a cell that has to be filled' },
  ),
  Type.Object(
    { type: Type.Literal('harvest'), ...edge },
    { ...strict, description: 'With the workers of this side of a worker tile, take as much cacao as fits' },
  ),
  Type.Object(
    { type: Type.Literal('sell'), ...edge, count: Type.Integer({ minimum: 0, maximum: 3 }) },
    { ...strict, description: 'Sell this many cacao with the workers of this side of a worker tile' },
  ),
]);

export type Action = Static<typeof ActionSchema>;
export type ActionOf<T extends Action['type']> = Extract<Action, { type: T }>;
