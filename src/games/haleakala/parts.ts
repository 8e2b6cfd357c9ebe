/** What a scoring gives a seat, part by part. */
import { type Static, Type } from 'typebox';

const part = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

export const PartsSchema = Type.Object(
  {
    mountain: part('3 for each statue on a mountain'),
    forest: part('2 for each statue in a forest'),
    land: part('1 for each statue on land'),
    baskets: part('3 for more fish baskets than the other seat'),
    pearls: part('1 for a white, 2 for a black pearl, 1 more for each pair'),
    nautilus: part('3 each; null in the first scoring'),
    butterflies: part('scoring card: 1 for each butterfly on own cards'),
    superiority: part('scoring card: 2 for each terrain with more statues than the other seat'),
    finishedSegment: part('scoring card: 4 for each segment with three own statues'),
    forestStatues: part('scoring card: 2 more for each statue in a forest'),
    mountainStatues: part('scoring card: 3 more for each statue on a mountain'),
    shells: part('1 for each shell left; null in the first scoring'),
    total: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false, description: 'points of one seat in one scoring; null: this part was not scored' },
);
export type Parts = Static<typeof PartsSchema>;
