import { type Static, type TProperties, Type } from 'typebox';
import type { Seat } from '../game.ts';
import { SEATS } from '../svg.ts';
import { DiscSchema, segmentSchema } from './actions.ts';
import { BUILDABLE, KINDS, NAMES } from './data.ts';

const effect = <T extends string, P extends TProperties>(type: T, description: string, fields: P) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { additionalProperties: false, description });
const seat = Type.Integer({ minimum: 0, maximum: 1, description: 'the seat it happened to' });
const segment = segmentSchema('where it happened');
const card = Type.Enum(KINDS);
const terrain = Type.Enum(BUILDABLE);

/** What follows from an action without a decision. Nothing is hidden in this game, so everything may be told. */
export const EffectSchema = Type.Union([
  effect('sailed', 'the boat arrived at a segment', { segment }),
  effect('lava', 'a lava disc was put on the crater, summoned or by a lava card', { segment }),
  effect('noLava', 'a lava card was turned up, but the supply is empty', { segment }),
  effect('summonReturned', 'a summon disc went back to its pool', { seat }),
  effect('unclaimed', 'nobody has discs where the boat arrived, so the cards stay', { segment }),
  effect('got', 'a seat got a card without a choice', { seat, card }),
  effect('built', 'a statue was built', { seat, terrain, segment }),
  effect('useless', 'a card could not be used and was discarded', { seat, card }),
  effect('notAsked', 'a seat was not asked to buy, as it can afford nothing', { seat }),
  effect('discsReturned', 'numbered discs went back to their pool', {
    seat,
    segment,
    discs: Type.Array(DiscSchema),
  }),
  effect('revealed', 'a palm card was turned up for an empty notch', {
    segment,
    card,
    palms: Type.Integer({ minimum: 1, maximum: 3, description: 'the deck it came from' }),
  }),
  effect('noCards', 'the boat arrived at a segment without cards, so the last scoring begins', { segment }),
  effect('repeated', 'the same position stood for the third time, so the last scoring begins', {}),
  effect('destroyed', 'lava reached a statue, which went back to its owner', { seat, terrain, segment }),
  effect('scored', 'a seat was given the points of a scoring', {
    seat,
    scoring: Type.Integer({ minimum: 1, maximum: 2 }),
    points: Type.Integer({ minimum: 0 }),
  }),
  effect('roundBegan', 'scoring cards are for sale again, lava is back in the supply', {
    round: Type.Integer({ minimum: 2, maximum: 2 }),
  }),
]);
export type Effect = Static<typeof EffectSchema>;

const letterOf = (seat: Seat): string => SEATS[seat]!.letter;

/** One sentence for an effect. */
export function explain(effect: Effect): string {
  switch (effect.type) {
    case 'sailed':
      return `The boat sailed to segment ${effect.segment}.`;
    case 'lava':
      return `A lava disc was put on crater ${effect.segment}.`;
    case 'noLava':
      return 'The lava card did nothing, because no lava disc is left in the supply.';
    case 'summonReturned':
      return `${letterOf(effect.seat)} took the summon disc back.`;
    case 'unclaimed':
      return `Nobody has discs on beach ${effect.segment}, so its cards stay.`;
    case 'got':
      return `${letterOf(effect.seat)} got the ${NAMES[effect.card]} card.`;
    case 'built':
      return `${letterOf(effect.seat)} built a statue on ${effect.terrain} ${effect.segment}.`;
    case 'useless':
      return `${letterOf(effect.seat)} could not use the ${NAMES[effect.card]} card and discarded it.`;
    case 'notAsked':
      return `${letterOf(effect.seat)} was not asked to buy a card, having too few shells for any.`;
    case 'discsReturned':
      return `${letterOf(effect.seat)} took back ${effect.discs.join(', ')} from beach ${effect.segment}.`;
    case 'revealed':
      return `A ${NAMES[effect.card]} card of ${effect.palms} palm${effect.palms === 1 ? '' : 's'} was turned up at segment ${effect.segment}.`;
    case 'noCards':
      return `Segment ${effect.segment} has no cards left, so the last scoring begins.`;
    case 'repeated':
      return 'The same position stood for the third time, so the last scoring begins.';
    case 'destroyed':
      return `Lava destroyed the statue of ${letterOf(effect.seat)} on ${effect.terrain} ${effect.segment}.`;
    case 'scored':
      return `${letterOf(effect.seat)} got ${effect.points} point${effect.points === 1 ? '' : 's'} in scoring ${effect.scoring}.`;
    case 'roundBegan':
      return 'Round 2 began: all scoring cards are for sale again.';
  }
}
