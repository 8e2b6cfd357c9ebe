import { type Static, Type } from 'typebox';
import type { Effect as AnyEffect } from '../../src/games/game.ts';

const closed = { additionalProperties: false };
const Pebble = Type.Integer({ description: 'The number on the pebble.' });

/** What happens without a decision of its own, as far as everybody may know it. */
export const EffectSchema = Type.Union([
  Type.Object({ type: Type.Literal('drawn'), pebble: Pebble }, closed),
  Type.Object({ type: Type.Literal('last'), seat: Type.Integer(), pebble: Pebble }, closed),
]);
export type Effect = Static<typeof EffectSchema>;

export function explain(told: AnyEffect): string {
  const effect = told as Effect;
  return effect.type === 'drawn'
    ? `Pebble ${effect.pebble} is drawn from the bag.`
    : `Pebble ${effect.pebble} is the last one and goes to the next seat.`;
}
