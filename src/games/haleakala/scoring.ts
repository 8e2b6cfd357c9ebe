import type { Result, Seat, Tell } from '../game.ts';
import { BUILDABLE, BUTTERFLIES, KEPT, POINTS, SEGMENTS } from './data.ts';
import type { Effect } from './effects.ts';
import type { Parts } from './parts.ts';
import { isOver, opponent, type State } from './state.ts';

/**
 * Returns statues under lava to their owners and all lava to the supply. The result is how many statues each seat lost
 * (R8).
 */
export function erupt(state: State, tell?: Tell<Effect>): number[] {
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
      tell?.({ type: 'destroyed', seat: owner, terrain: BUILDABLE[BUILDABLE.length - 1 - reached]!, segment });
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

/** What a seat scores now. Nautilus and shells count only in the second scoring. */
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
export function score(state: State, tell?: Tell<Effect>): void {
  const lost = erupt(state, tell);
  const parts = [partsOf(state, 0), partsOf(state, 1)];
  for (const seat of [0, 1]) {
    state.scores[seat]! += parts[seat]!.total;
    tell?.({ type: 'scored', seat, scoring: state.round, points: parts[seat]!.total });
  }
  state.scorings.push(state.repetition === undefined ? { lost, parts } : { round: state.round, lost, parts });
}

/** More points win, then more statues on the board, then the seat that did not start, so nobody shares a rank. */
export function result(state: State): Result | null {
  if (!isOver(state)) return null;
  const [a, b] = state.scores as [number, number];
  const statues = (seat: Seat) => statuesByTerrain(state, seat).reduce((sum, n) => sum + n, 0);
  const lead = a - b || statues(0) - statues(1) || (state.startSeat === 0 ? -1 : 1);
  return { scores: [a, b], ranks: lead > 0 ? [1, 2] : [2, 1] };
}
