import { type Static, type TProperties, Type } from 'typebox';
import { BOARD_CARDS, BUILDABLE, DISCS, KINDS, SEGMENTS } from './data.ts';

export const segmentSchema = (description: string) =>
  Type.Integer({ minimum: 0, maximum: SEGMENTS - 1, description: `${description}; segments are numbered clockwise` });
export const DiscSchema = Type.Integer({ minimum: 1, maximum: DISCS, description: 'the number on a disc' });

const action = <T extends string, P extends TProperties>(type: T, description: string, fields: P) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { additionalProperties: false, description });

export const ActionSchema = Type.Union([
  action('place', "put a disc on a beach; at the boat's beach the boat then sails by its number", {
    disc: DiscSchema,
    beach: segmentSchema('the beach'),
    summon: Type.Optional(
      Type.Literal(true, {
        description: 'also put the summon disc there: lava comes to the crater where the boat arrives',
      }),
    ),
  }),
  action('takeBack', 'take one of your discs back into your pool', {
    disc: DiscSchema,
    beach: segmentSchema('the beach'),
  }),
  action('sail', 'move the boat by one segment', {}),
  action('walk', 'move the shaman', {
    segment: segmentSchema('the segment to walk to'),
    terrain: Type.Enum(BUILDABLE),
  }),
  action('stay', 'leave the shaman where it is', {}),
  action('take', 'choose one of the two cards at the boat', { card: Type.Enum(KINDS) }),
  action('moveLava', 'move a lava disc to the next crater part on either side', {
    from: segmentSchema('the crater part that loses the disc'),
    to: segmentSchema('the crater part that gets it'),
  }),
  action('buy', 'buy a card of the scoring board', { card: Type.Enum(BOARD_CARDS) }),
  action('decline', 'buy nothing', {}),
]);
export type Action = Static<typeof ActionSchema>;
export type Of<T extends Action['type']> = Extract<Action, { type: T }>;
