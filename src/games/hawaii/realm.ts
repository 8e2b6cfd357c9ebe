import type { Rng } from '../game.ts';
import {
  BOAT,
  type God,
  isGod,
  isHut,
  KAHUNA,
  KAHUNA_POINTS,
  KAHUNA_SHELLS,
  KU,
  liesInVillage,
  TIKI,
  TIKI_FEET,
  TILES,
  VILLAGES,
} from './data.ts';
import type { Tell } from './effects.ts';
import { kindOf, NONE, type SeatState, type State, tileCode, total } from './state.ts';

const GOD_BITS = (1 << TILES.length) - (1 << KU);

/** The kinds in each open village, as bits. */
export function kindsIn(seat: SeatState): number[] {
  const out: number[] = [];
  for (const village of seat.villages) {
    let bits = 0;
    for (const tile of village) bits |= 1 << kindOf(tile);
    out.push(bits);
  }
  return out;
}

/** A village has no second tile of a kind, and only one god. */
const hasRoom = (bits: number, kind: number): boolean => (bits & (isGod(kind) ? GOD_BITS : 1 << kind)) === 0;

/** Each god is allowed once in a realm. */
const isPresent = (villages: readonly number[], god: number): boolean => villages.some((bits) => (bits >> god) & 1);

/** Whether `count` tiles of a kind can be placed; `villages` as from `kindsIn`. */
export function fits(seat: SeatState, villages: readonly number[], kind: number, count: number): boolean {
  if (kind === KAHUNA) return seat.kahunas + count <= KAHUNA_POINTS.length;
  if (kind === TIKI) return seat.tikis + count <= TIKI_FEET.length;
  if (kind === BOAT) return true;
  if (isHut(kind) && villages.length < VILLAGES) return true;
  if (isGod(kind) && isPresent(villages, kind)) return false;
  for (const bits of villages) if (hasRoom(bits, kind)) return true;
  return false;
}

/** The villages, 0-based, that take a tile; a hut may open the next one. */
export function villagesFor(seat: SeatState, kind: number): number[] {
  const villages = kindsIn(seat);
  if (!liesInVillage(kind) || (isGod(kind) && isPresent(villages, kind))) return [];
  const out = villages.flatMap((bits, i) => (hasRoom(bits, kind) ? [i] : []));
  if (isHut(kind) && villages.length < VILLAGES) out.push(villages.length);
  return out;
}

/** How many tiles of a kind are for sale: of a god, only one on top of a stack. */
export const forSale = (state: State, kind: number): number =>
  isGod(kind) ? (state.godTops.includes(kind) ? 1 : 0) : state.supply[kind]!;

/** Puts a tile into a village. */
export function build(
  state: State,
  seat: SeatState,
  kind: number,
  side: number,
  village: number,
  rng: Rng,
  tell?: Tell,
): void {
  if (village === seat.villages.length) seat.villages.push([]);
  seat.villages[village]!.push(tileCode(kind, side));
  state.supply[kind]!--;
  if (isGod(kind)) uncover(state, kind, rng, tell);
}

/** Places kahunas, with the shells of their spaces. */
export function gainKahunas(state: State, seat: SeatState, count: number, tell?: Tell): void {
  let shells = 0;
  for (let i = 0; i < count; i++) shells += KAHUNA_SHELLS[seat.kahunas++]!;
  seat.stock.shells += shells;
  state.supply[KAHUNA]! -= count;
  if (count > 0) tell?.({ type: 'kahunas', seat: state.active, count, shells });
}

/** Places tikis, with the feet of their spaces. */
export function gainTikis(state: State, seat: SeatState, count: number, tell?: Tell): void {
  let feet = 0;
  for (let i = 0; i < count; i++) feet += TIKI_FEET[seat.tikis++]!;
  seat.stock.feet += feet;
  state.supply[TIKI]! -= count;
  if (count > 0) tell?.({ type: 'tikis', seat: state.active, count, feet });
}

export function gainBoat(state: State, seat: SeatState, side: number, tell?: Tell): void {
  seat.boats[side]!++;
  state.supply[BOAT]!--;
  tell?.({ type: 'boat', seat: state.active, side });
}

/** Takes a god from the top of a stack (of the higher one if both show it, R23) and draws the god that shows next. */
function uncover(state: State, god: number, rng: Rng, tell?: Tell): void {
  const { godTops, godsBelow } = state;
  const both = godTops[0] === god && godTops[1] === god;
  const stack = both ? (godsBelow[1]! > godsBelow[0]! ? 1 : 0) : godTops.indexOf(god);
  godTops[stack] = NONE;
  if (godsBelow[stack] === 0) return;
  godsBelow[stack]!--;
  godTops[stack] = drawGod(state, rng);
  tell?.({ type: 'god', god: TILES[godTops[stack]!] as God });
}

/** Draws a god from those below the top tiles, which are the rest of the supply. */
export function drawGod(state: State, rng: Rng): number {
  const hidden = state.supply.slice(KU);
  for (const top of state.godTops) if (top !== NONE) hidden[top - KU]!--;
  return KU + draw(hidden, rng);
}

/** Takes one at random out of counted pieces. */
export function draw(counts: number[], rng: Rng): number {
  let left = rng.int(total(counts));
  let kind = 0;
  while (left >= counts[kind]!) left -= counts[kind++]!;
  counts[kind]!--;
  return kind;
}
