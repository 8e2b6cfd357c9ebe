import { type Static, type TProperties, Type } from 'typebox';
import { BOARD_CARDS, BUILDABLE, DISCS, KINDS, NAMES, PRICES, SEGMENTS } from './data.ts';
import type { View } from './view.ts';

export const segmentSchema = (description: string) =>
  Type.Integer({ minimum: 0, maximum: SEGMENTS - 1, description: `${description}, segments count clockwise` });
export const discSchema = Type.Integer({ minimum: 1, maximum: DISCS, description: 'the number on a disc' });

const action = <T extends string, P extends TProperties>(type: T, description: string, fields: P) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { additionalProperties: false, description });

export const actionSchema = Type.Union([
  action('place', "put a disc on a beach; at the boat's beach the boat then sails by its number", {
    disc: discSchema,
    beach: segmentSchema('where to'),
    summon: Type.Optional(
      Type.Literal(true, { description: 'put the summon disc there, too: lava where the boat arrives' }),
    ),
  }),
  action('takeBack', 'take an own disc back into the pool', { disc: discSchema, beach: segmentSchema('where from') }),
  action('sail', 'move the boat by one segment', {}),
  action('walk', 'move the shaman', {
    segment: segmentSchema('where to'),
    terrain: Type.Enum(BUILDABLE),
  }),
  action('stay', 'leave the shaman where it is', {}),
  action('take', 'choose one of the two cards at the boat', { card: Type.Enum(KINDS) }),
  action('moveLava', 'move a lava disc to a crater part beside it', {
    from: segmentSchema('where from'),
    to: segmentSchema('where to'),
  }),
  action('buy', 'buy a card of the scoring board', { card: Type.Enum(BOARD_CARDS) }),
  action('decline', 'buy nothing', {}),
]);
export type Action = Static<typeof actionSchema>;
type Of<T extends Action['type']> = Extract<Action, { type: T }>;

export function label(action: Action, view: View): string {
  switch (action.type) {
    case 'place':
      return placeLabel(action, view);
    case 'takeBack':
      return `take ${action.disc} back from beach ${action.beach}`;
    case 'sail':
      return `sail to segment ${(view.boat + 1) % SEGMENTS}`;
    case 'walk':
      return `walk to ${action.terrain} ${action.segment}`;
    case 'stay':
      return stayLabel(view);
    case 'take':
      return takeLabel(action, view);
    case 'moveLava':
      return `move lava from crater ${action.from} to crater ${action.to}`;
    case 'buy':
      return `buy ${NAMES[action.card]} for ${PRICES[action.card]} shell${PRICES[action.card] === 1 ? '' : 's'}`;
    case 'decline':
      return 'buy nothing';
  }
}

function placeLabel({ disc, beach, summon }: Of<'place'>, view: View): string {
  if (beach !== view.boat) return `place ${disc} on beach ${beach}`;
  const arrival = (beach + disc) % SEGMENTS;
  return `place ${disc} at the boat on beach ${beach}, sail to segment ${arrival}${summon ? ', summon lava there' : ''}`;
}

function stayLabel(view: View): string {
  const { terrain, segment } = view.seats[view.turn]!.shaman;
  return `stay on ${terrain} ${segment}`;
}

function takeLabel({ card }: Of<'take'>, view: View): string {
  const { cards, sums } = view.segments[view.boat]!;
  const rest = cards.find((other) => other !== null && other !== card);
  const shared = sums.every((sum) => sum > 0);
  return rest && shared ? `take ${NAMES[card]}, ${NAMES[rest]} goes to the other seat` : `take ${NAMES[card]}`;
}
