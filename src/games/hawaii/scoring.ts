import type { Result } from '../game.ts';
import {
  HULA,
  INDICATORS,
  IRRIGATION,
  IRRIGATION_POINTS,
  isFruit,
  KAHUNA_POINTS,
  KANALOA,
  KU,
  LAKA,
  LAST_FIRST_SPACE_POINTS,
  LONG_HUT,
  LONG_HUT_II_POINTS,
  LONO,
  ROUNDS,
  SPEAR_HUT,
  SURFER,
  TIKI_COLUMNS,
  TOKENS,
} from './data.ts';
import type { Tell } from './effects.ts';
import { kindOf, lengthOf, type SeatRound, type SeatState, type State, sideOf, sidesOf, total } from './state.ts';

/** Points for taking a token with spears. What was bought in the same turn is not in the realm yet. */
export const spearPoints = (seat: SeatState): number => sidesOf(seat, SPEAR_HUT) + sidesOf(seat, KU);

/** The sum of a seat's tokens: numbers of the price tokens, fish of the fish tokens. */
export function tokenSum(seat: SeatState): number {
  let sum = 0;
  for (const token of seat.tokens) sum += TOKENS[token]!.value;
  for (const token of seat.fish) sum += TOKENS[token]!.fish;
  return sum;
}

/** The sum this seat needs in this round: its surfers lower it. */
export const thresholdOf = (seat: SeatState, round: number): number =>
  INDICATORS[round - 1]!.threshold - 2 * sidesOf(seat, SURFER);

/**
 * The points of each seat for its sum. R2: only those who reach their own threshold are ranked. When the best sum
 * is shared it is the second of the ranking as well, so that nobody is second.
 */
export function roundPoints(round: number, sums: readonly number[], thresholds: readonly number[]): number[] {
  const { first, second, check } = INDICATORS[round - 1]!;
  const ranked = sums.filter((sum, i) => sum >= thresholds[i]!).sort((a, b) => b - a);
  return sums.map((sum, i) => {
    if (sum < thresholds[i]!) return 0;
    if (sum === ranked[0]) return first;
    return sum === ranked[1] ? second : check;
  });
}

/** How the round under way would be scored now: sums, Lono, and after the last one space 1 of the order track. */
export function roundScores({ round, seats }: State): SeatRound[] {
  const sums = seats.map(tokenSum);
  const needs = seats.map((seat) => thresholdOf(seat, round));
  const points = roundPoints(round, sums, needs);
  return seats.map((seat, i) => ({
    sum: sums[i]!,
    needed: needs[i]!,
    points: points[i]!,
    lono: sums[i]! >= needs[i]! ? 2 * sidesOf(seat, LONO) : 0,
    space: round === ROUNDS && seat.space === 0 ? LAST_FIRST_SPACE_POINTS : 0,
  }));
}

export function scoreRound(state: State, tell?: Tell): void {
  const scores = roundScores(state);
  state.scored?.push(scores);
  scores.forEach((score, seat) => {
    state.seats[seat]!.score += score.points + score.lono + score.space;
    tell?.({ type: 'counted', seat, round: state.round, ...score });
  });
}

/** The length that a village needs in order to have a tiki above it; without tikis, no village has one. */
export const neededLength = (seat: SeatState): number => TIKI_COLUMNS[seat.tikis - 1] ?? Number.POSITIVE_INFINITY;

export const FINAL_PARTS = ['kahunas', 'longHuts', 'hula', 'irrigation', 'laka', 'kanaloa'] as const;
export type Final = Record<(typeof FINAL_PARTS)[number], number>;

/** What a realm is worth in the final scoring. Villages without a tiki above them count for nothing, nor do their tiles. */
export function finalScoring(seat: SeatState): Final {
  const final = { kahunas: 0, longHuts: 0, hula: 0, irrigation: 0, laka: 0, kanaloa: 0 };
  const needed = neededLength(seat);
  let fruit = 0;
  // R18: Kanaloa counts the fishing boat as well, and boats always count.
  let fleet = total(seat.boats);
  let laka = 0;
  let kanaloa = 0;
  seat.villages.forEach((village, i) => {
    const length = lengthOf(seat, i);
    if (length < needed) return;
    if (i < seat.kahunas) final.kahunas += KAHUNA_POINTS[i]!;
    let fruitTiles = 0;
    let irrigated = false;
    for (const tile of village) {
      const kind = kindOf(tile);
      const side = sideOf(tile);
      if (isFruit(kind)) {
        fruit += side;
        fruitTiles++;
      } else if (kind === LONG_HUT && side === 2) final.longHuts += LONG_HUT_II_POINTS;
      else if (kind === HULA) final.hula += side * length;
      else if (kind === IRRIGATION) irrigated = true;
      else if (kind === SURFER) fleet++;
      else if (kind === LAKA) laka = side;
      else if (kind === KANALOA) kanaloa = side;
    }
    if (irrigated) final.irrigation += IRRIGATION_POINTS[fruitTiles]!;
  });
  final.laka = laka * fruit;
  final.kanaloa = 2 * kanaloa * fleet;
  return final;
}

export const finalTotal = (final: Final): number => FINAL_PARTS.reduce((sum, part) => sum + final[part], 0);

/** Ties go to the most resources left; after that the rank is shared. */
export function resultOf(state: State): Result | null {
  if (state.step !== 'over') return null;
  const left = state.seats.map(({ stock }) => stock.shells + stock.feet + stock.fruit);
  const scores = state.seats.map((seat) => seat.score);
  const beats = (a: number, b: number) => scores[a]! > scores[b]! || (scores[a]! === scores[b]! && left[a]! > left[b]!);
  const ranks = scores.map((_, seat) => 1 + scores.filter((_, other) => beats(other, seat)).length);
  return { scores, ranks };
}
