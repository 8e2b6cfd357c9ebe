import type { Result, Seat } from '../games/game.ts';

/** What a result is worth to each seat, from 0 to 1. */
export type Reward = (result: Result, seat: Seat) => number;

/** The weight of the place, compared with the points by which it was won or missed. */
const PLACE = 0.5;

/** Points ahead of the best other seat; with a single seat, the points themselves. */
export function margin({ scores }: Result, seat: Seat): number {
  const others = scores.filter((_, other) => other !== seat);
  return (scores[seat] as number) - (others.length > 0 ? Math.max(...others) : 0);
}

/** 1 for the first place, 0 for the last one, and ties in between. With a single seat there is nothing to compare. */
function place({ ranks }: Result, seat: Seat): number {
  const mine = ranks[seat] as number;
  let beaten = 0;
  for (const rank of ranks) beaten += rank > mine ? 1 : rank === mine ? 0.5 : 0;
  return ranks.length > 1 ? (beaten - 0.5) / (ranks.length - 1) : 0.5;
}

/**
 * Combines place and points, where points are measured against what is usual in this position. This way, actions still
 * differ when a match is nearly won or lost, and no game has to declare how large its scores are.
 */
export function rewardFrom(samples: readonly Result[], seats: number): Reward {
  const usual = Array.from({ length: seats }, (_, seat) => spread(samples.map((result) => margin(result, seat))));
  return (result, seat) => {
    const { mean, deviation } = usual[seat] as Spread;
    const points = 0.5 + 0.5 * Math.tanh((margin(result, seat) - mean) / (2 * deviation));
    return PLACE * place(result, seat) + (1 - PLACE) * points;
  };
}

interface Spread {
  mean: number;
  deviation: number;
}

function spread(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.max(Math.sqrt(variance), 0.5) };
}
