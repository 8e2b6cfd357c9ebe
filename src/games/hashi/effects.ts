import { type Static, type TProperties, Type } from 'typebox';
import type { Seat, Tell as TellOf } from '../game.ts';
import { SEATS } from '../svg.ts';
import { BONUSES, ISLANDS, ROUNDS } from './data.ts';
import { counted } from './words.ts';

const effect = <T extends string, P extends TProperties>(type: T, description: string, fields: P) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { additionalProperties: false, description });

const seat = Type.Integer({ minimum: 0, maximum: 3, description: 'the seat it happened to' });
const island = Type.Integer({ minimum: 1, maximum: ISLANDS, description: 'island id' });
const number = Type.Integer({ minimum: 1, maximum: 6 });
const bridges = Type.Integer({ minimum: 1, maximum: 3 });
const points = Type.Integer({ minimum: 0 });

/**
 * What follows from an action without a decision. Others are told of an action, and of its effects, only when its round
 * is over. What a new card means for a sheet that everybody sees may be told at once.
 */
export const EffectSchema = Type.Union([
  effect('passed', 'every sheet was passed to the left', {}),
  effect('card', 'a card was turned up', {
    round: Type.Integer({ minimum: 1, maximum: ROUNDS }),
    number,
    bridges,
  }),
  effect('cannotWrite', 'no island of the sheet can take the number, so it was skipped', { seat, number }),
  effect('cannotBuild', 'the bridges do not all fit on the sheet, so they were skipped', { seat, bridges }),
  effect('bridge', 'a bridge was drawn, because those begun must be completed and no other one fits', {
    seat,
    link: Type.Integer({ minimum: 1, description: 'link id' }),
    a: island,
    b: island,
  }),
  effect('finished', 'an island has as many bridges as its number says', { seat, island, number }),
  effect('bonus', 'a bonus was earned', { seat, bonus: Type.Enum([...BONUSES]), points }),
  effect('score', 'a sheet was counted after the last round', {
    seat,
    islands: Type.Integer({ minimum: 0, maximum: ISLANDS, description: 'finished ones, 2 points each' }),
    bonuses: points,
    total: points,
  }),
]);
export type Effect = Static<typeof EffectSchema>;
export type Tell = TellOf<Effect>;

type WithoutSeat<E> = E extends { seat: Seat } ? Omit<E, 'seat'> : never;

/** Takes what happens on one sheet. */
export type TellSheet = (effect: WithoutSeat<Effect>) => void;

export const tellSheet = (tell: Tell | undefined, seat: Seat): TellSheet | undefined =>
  tell && ((effect) => tell({ ...effect, seat } as Effect));

const letterOf = (seat: Seat): string => SEATS[seat]!.letter;

const BONUS_NAMES = { red: 'red flags', blue: 'blue flags', chain: 'a chain of 6 islands' };

/** One sentence for an effect. */
export function explain(effect: Effect): string {
  switch (effect.type) {
    case 'passed':
      return 'Every sheet was passed to the left.';
    case 'card':
      return `The card of round ${effect.round} is ${effect.number} with ${counted(effect.bridges, 'bridge')}.`;
    case 'cannotWrite':
      return `${letterOf(effect.seat)} can write the ${effect.number} on no island.`;
    case 'cannotBuild':
      return `${letterOf(effect.seat)} has no room for ${counted(effect.bridges, 'bridge')}.`;
    case 'bridge':
      return `${letterOf(effect.seat)} had to draw the bridge ${effect.a}–${effect.b}.`;
    case 'finished':
      return `${letterOf(effect.seat)} finished island ${effect.island} with ${counted(effect.number, 'bridge')}.`;
    case 'bonus':
      return `${letterOf(effect.seat)} got ${counted(effect.points, 'point')} for ${BONUS_NAMES[effect.bonus]}.`;
    case 'score':
      return `${letterOf(effect.seat)} has ${counted(effect.islands, 'finished island')} and ${counted(effect.bonuses, 'bonus point')}: ${counted(effect.total, 'point')}.`;
  }
}
