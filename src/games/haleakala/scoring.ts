import { type Static, Type } from 'typebox';
import type { Result, Seat } from '../game.ts';
import { BUILDABLE, BUTTERFLIES, KEPT, POINTS, SEGMENTS } from './data.ts';
import { opponent, type State } from './state.ts';

const part = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

export const partsSchema = Type.Object(
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
  { additionalProperties: false, description: 'points of one seat in one scoring; null: was not scored' },
);
export type Parts = Static<typeof partsSchema>;

/** Statues under lava go back to their owners and all lava to the supply; how many each seat lost. Shamans are safe (R8). */
export function erupt(state: State): number[] {
  const lost = [0, 0];
  for (let segment = 0; segment < SEGMENTS; segment++) {
    const discs = state.lava[segment]!;
    // One disc reaches the mountain, two the forest, three the land; a fourth does nothing.
    for (let reached = 0; reached < Math.min(discs, BUILDABLE.length); reached++) {
      const space = (BUILDABLE.length - 1 - reached) * SEGMENTS + segment;
      const owner = state.statues[space];
      if (owner === null || owner === undefined) continue;
      state.statues[space] = null;
      state.statuesLeft[owner]!++;
      lost[owner]!++;
    }
    state.lavaLeft += discs;
    state.lava[segment] = 0;
  }
  return lost;
}

/** A seat's statues on land, in forests, on mountains. */
export function statuesByTerrain(state: State, seat: Seat): number[] {
  return BUILDABLE.map((_, terrain) => {
    let count = 0;
    for (let segment = 0; segment < SEGMENTS; segment++) {
      if (state.statues[terrain * SEGMENTS + segment] === seat) count++;
    }
    return count;
  });
}

export function butterfliesOf(state: State, seat: Seat): number {
  return KEPT.reduce((sum, kind) => sum + state.kept[seat]![kind] * BUTTERFLIES[kind], 0);
}

function finishedSegments(state: State, seat: Seat): number {
  let finished = 0;
  for (let segment = 0; segment < SEGMENTS; segment++) {
    if (BUILDABLE.every((_, terrain) => state.statues[terrain * SEGMENTS + segment] === seat)) finished++;
  }
  return finished;
}

/** What a seat scores now; nautilus and shells count in the second scoring only. */
export function partsOf(state: State, seat: Seat): Parts {
  const { board, round } = state;
  const kept = state.kept[seat]!;
  const own = statuesByTerrain(state, seat);
  const theirs = statuesByTerrain(state, opponent(seat));
  const [land, forest, mountain] = own as [number, number, number];
  const pairs = Math.min(kept.whitePearl, kept.blackPearl);
  const parts: Omit<Parts, 'total'> = {
    mountain: POINTS.mountain * mountain,
    forest: POINTS.forest * forest,
    land: POINTS.land * land,
    baskets: kept.basket > state.kept[opponent(seat)]!.basket ? POINTS.baskets : 0,
    // Ruling R4: a bonus for every pair.
    pearls: POINTS.whitePearl * kept.whitePearl + POINTS.blackPearl * kept.blackPearl + POINTS.pearlPair * pairs,
    nautilus: round === 2 ? POINTS.nautilus * kept.nautilus : null,
    butterflies: board.butterflies === seat ? POINTS.butterfly * butterfliesOf(state, seat) : null,
    // Ruling R9: a tie in a terrain counts for nobody.
    superiority: board.superiority === seat ? POINTS.superiority * own.filter((n, i) => n > theirs[i]!).length : null,
    finishedSegment: board.finishedSegment === seat ? POINTS.finishedSegment * finishedSegments(state, seat) : null,
    forestStatues: board.forestStatues === seat ? POINTS.forestStatue * forest : null,
    mountainStatues: board.mountainStatues === seat ? POINTS.mountainStatue * mountain : null,
    shells: round === 2 ? POINTS.shell * kept.shell : null,
  };
  const total = Object.values(parts).reduce<number>((sum, points) => sum + (points ?? 0), 0);
  return { ...parts, total };
}

/** Eruption, then the points of both seats. */
export function score(state: State): void {
  const lost = erupt(state);
  const parts = [partsOf(state, 0), partsOf(state, 1)];
  for (const seat of [0, 1]) state.scores[seat]! += parts[seat]!.total;
  state.scorings.push({ lost, parts });
}

/** More points, then more statues on the board, then the seat that did not start: nobody shares a rank. */
export function result(state: State): Result | null {
  if (state.step !== 'end') return null;
  const [a, b] = state.scores as [number, number];
  const statues = (seat: Seat) => statuesByTerrain(state, seat).reduce((sum, n) => sum + n, 0);
  const lead = a - b || statues(0) - statues(1) || (state.startSeat === 0 ? -1 : 1);
  return { scores: [a, b], ranks: lead > 0 ? [1, 2] : [2, 1] };
}
