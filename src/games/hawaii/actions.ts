import { type Static, Type } from 'typebox';
import { BOATS, SLOT_NAMES, TILES } from './data.ts';

const closed = { additionalProperties: false };
const amount = Type.Integer({ minimum: 0 });
const side = Type.Union([Type.Literal(1), Type.Literal(2)]);

const openResources = Type.Boolean({
  default: false,
  description: 'Whether the shells, feet and fruit of every seat are open instead of behind its screen.',
});

/** The options of rules 1. They are part of stored matches, so nothing is ever added to them. */
export const OptionsSchema1 = Type.Object({ openResources }, closed);
export type Options1 = Static<typeof OptionsSchema1>;

export const OptionsSchema = Type.Object(
  {
    openResources,
    begins: Type.Union(
      [Type.Literal('seat0', { title: 'In the order of the seats' }), Type.Literal('lot', { title: 'Drawn by lot' })],
      {
        default: 'lot',
        title: 'First round',
        description: 'The order of the first round: that of the seats, or drawn by lot as in the rulebook.',
      },
    ),
  },
  closed,
);
export type Options = Static<typeof OptionsSchema>;

const walk = Type.Object({ type: Type.Literal('walk'), place: Type.Enum([...SLOT_NAMES]) }, closed);
const fish = Type.Object({ type: Type.Literal('fish') }, closed);
const visit = Type.Object({ type: Type.Literal('visit'), dock: Type.Integer({ minimum: 1, maximum: 4 }) }, closed);
const rest = Type.Object({ type: Type.Literal('rest') }, closed);
const pass = Type.Object({ type: Type.Literal('pass'), space: Type.Integer({ minimum: 1, maximum: 5 }) }, closed);
const pay = Type.Object({ type: Type.Literal('pay'), feet: amount, shells: amount, fruit: amount }, closed);
const buy = Type.Object(
  {
    type: Type.Literal('buy'),
    tile: Type.Enum([...TILES]),
    value: Type.Integer({ minimum: 2, maximum: 6 }),
    spear: Type.Boolean(),
    side,
  },
  { ...closed, description: 'Side II costs the double value; of kahunas and tikis it means two tiles.' },
);
const build = Type.Object({ type: Type.Literal('build'), village: Type.Integer({ minimum: 1, maximum: 5 }) }, closed);
const kane = Type.Object({ type: Type.Literal('kane'), feet: amount, shells: amount, fruit: amount }, closed);
const decline = Type.Object({ type: Type.Literal('decline') }, closed);
const boats = Type.Array(Type.Enum([...BOATS]), { minItems: 1 });
const caught = Type.Array(Type.Integer({ minimum: 1, maximum: 3 }), { minItems: 1 });
const catching = Type.Object({ type: Type.Literal('catch'), fish: caught, boats }, closed);
const load = Type.Object({ type: Type.Literal('load'), boats }, closed);
const gift = Type.Object(
  { type: Type.Literal('gift'), tile: Type.Enum(['breadfruit', 'taro', 'coconut', 'banana']) },
  closed,
);
const income = Type.Object({ type: Type.Literal('income'), resource: Type.Enum(['shells', 'feet', 'fruit']) }, closed);

export const ActionSchema = Type.Union([
  walk,
  fish,
  visit,
  rest,
  pass,
  pay,
  buy,
  build,
  kane,
  decline,
  catching,
  load,
  gift,
  income,
]);
export type Action = Static<typeof ActionSchema>;
export type ActionOf<T extends Action['type']> = Extract<Action, { type: T }>;

/** The steps of a match and the actions that are possible in each. */
export interface StepActions {
  turn: ActionOf<'walk' | 'fish' | 'visit' | 'rest' | 'pass'>;
  payWalk: ActionOf<'pay'>;
  buy: ActionOf<'buy'>;
  payTile: ActionOf<'pay'>;
  build: ActionOf<'build'>;
  kane: ActionOf<'kane' | 'decline'>;
  catch: ActionOf<'catch'>;
  load: ActionOf<'load'>;
  payBoats: ActionOf<'pay'>;
  gift: ActionOf<'gift'>;
  income: ActionOf<'income'>;
  over: never;
}
export type Step = keyof StepActions;
