import { mayBe } from '../game.ts';
import type { StepActions } from './actions.ts';
import { BOARDS, BOAT, KAHUNA, KANE, KANE_COST, PELE, PELE_CAP, TIKI, TILES, TOKENS } from './data.ts';
import type { Tell } from './effects.ts';
import { givesFirst } from './islands.ts';
import { stepsTo } from './map.ts';
import { canPayShells, canWalkAndPay, hutReach, leavesPrice, pay, payments, take } from './payments.ts';
import { build, fits, forSale, gainBoat, gainKahunas, gainTikis, kindsIn, villagesFor } from './realm.ts';
import { endTurn } from './round.ts';
import { spearPoints } from './scoring.ts';
import { NONE, type SeatState, type State, sidesOf } from './state.ts';
import type { StepRules } from './steps.ts';

export function walk(state: State, me: SeatState, slot: number): void {
  state.turn.cost = walkCost(me, slot);
  me.chief = slot;
  state.step = 'payWalk';
}

/** R8: Pele caps the cost, whatever is used to pay it. */
export const walkCost = (me: SeatState, slot: number): number =>
  Math.min(stepsTo(me.chief, slot), PELE_CAP[sidesOf(me, PELE)]!);

/** The lowest price token at a slot; Infinity if there is none. */
function lowestPrice(state: State, slot: number): number {
  let token = TOKENS.length;
  for (const t of state.circles[slot]!) if (t !== NONE && t < token) token = t;
  return TOKENS[token]?.value ?? Number.POSITIVE_INFINITY;
}

/** Whether a walk to this slot can end in a purchase, tested with the cheapest token on side I. */
export function canBuyAt(state: State, me: SeatState, villages: readonly number[], slot: number): boolean {
  const price = lowestPrice(state, slot);
  if (price === Number.POSITIVE_INFINITY) return false;
  const { sells } = BOARDS[state.boards[slot]!]!;
  for (const kind of sells) {
    if (forSale(state, kind) === 0 || !fits(me, villages, kind, 1)) continue;
    return canWalkAndPay(me.stock, state.turn.huts, walkCost(me, slot), price);
  }
  return false;
}

/** Takes a price token, with the points for its spears. */
export function takeToken(state: State, me: SeatState, token: number, tell?: Tell): void {
  me.tokens.push(token);
  const points = TOKENS[token]!.spear ? spearPoints(me) : 0;
  if (points === 0) return;
  me.score += points;
  if (me.earned) me.earned.spears += points;
  tell?.({ type: 'spears', seat: state.active, points });
}

export const payWalk: StepRules<StepActions['payWalk']> = {
  legal(state, me) {
    const { cost, huts } = state.turn;
    const price = lowestPrice(state, me.chief);
    return payments(cost, 'feet', me.stock, hutReach(state)).filter((paid) =>
      leavesPrice(me.stock, huts, cost, paid, price),
    );
  },
  apply(state, me, action) {
    pay(state, me, action, 'feet');
    state.step = 'buy';
  },
};

export const buy: StepRules<StepActions['buy']> = {
  legal(state, me, wanted) {
    const out: StepActions['buy'][] = [];
    const villages = kindsIn(me);
    const circles = state.circles[me.chief]!;
    for (const kind of BOARDS[state.boards[me.chief]!]!.sells) {
      const tile = TILES[kind]!;
      const left = mayBe(wanted, 'tile', tile) ? forSale(state, kind) : 0;
      if (left === 0 || !fits(me, villages, kind, 1)) continue;
      // R3: of kahunas and tikis side II is two tiles, and there must be two and room for both.
      const double = kind !== KAHUNA && kind !== TIKI ? true : left > 1 && fits(me, villages, kind, 2);
      for (const [token, { value, spear }] of TOKENS.entries()) {
        if (!circles.includes(token) || !canPayShells(state, me, value)) continue;
        out.push({ type: 'buy', tile, value, spear, side: 1 });
        if (!double || !canPayShells(state, me, 2 * value)) continue;
        out.push({ type: 'buy', tile, value, spear, side: 2 });
      }
    }
    return out;
  },
  apply(state, me, { tile, value, spear, side }, _rng, tell) {
    const token = TOKENS.findIndex((t) => t.value === value && t.spear === spear);
    const circles = state.circles[me.chief]!;
    circles[circles.indexOf(token)] = NONE;
    takeToken(state, me, token, tell);
    state.turn.tile = TILES.indexOf(tile);
    state.turn.side = side;
    state.turn.cost = value * side;
    state.step = 'payTile';
  },
};

export const payTile: StepRules<StepActions['payTile']> = {
  legal: (state, me) => payments(state.turn.cost, 'shells', me.stock, hutReach(state)),
  apply(state, me, action, rng, tell) {
    const { tile, side } = state.turn;
    pay(state, me, action, 'shells');
    if (tile === KAHUNA) gainKahunas(state, me, side, tell);
    else if (tile === TIKI) gainTikis(state, me, side, tell);
    else if (tile === BOAT) gainBoat(state, me, side, tell);
    else {
      state.step = 'build';
      return;
    }
    endTurn(state, rng, tell);
  },
};

export const building: StepRules<StepActions['build']> = {
  legal: (state, me) => villagesFor(me, state.turn.tile).map((village) => ({ type: 'build', village: village + 1 })),
  apply(state, me, action, rng, tell) {
    const { tile, side } = state.turn;
    build(state, me, tile, side, action.village - 1, rng, tell);
    if (tile === KANE) state.step = 'kane';
    else if (givesFirst(state) && state.turn.dock !== NONE) state.step = 'load';
    else endTurn(state, rng, tell);
  },
};

export const kane: StepRules<StepActions['kane']> = {
  legal(state, me) {
    const out: StepActions['kane'][] = [];
    const { shells, feet, fruit } = me.stock;
    // R9: the offer lapses without a tiki or a space for it.
    if (state.supply[TIKI]! > 0 && fits(me, [], TIKI, 1)) {
      for (let x = Math.min(KANE_COST, feet); x >= 0; x--) {
        for (let y = Math.min(KANE_COST - x, shells); y >= 0; y--) {
          const z = KANE_COST - x - y;
          if (z <= fruit) out.push({ type: 'kane', feet: x, shells: y, fruit: z });
        }
      }
    }
    out.push({ type: 'decline' });
    return out;
  },
  apply(state, me, action, rng, tell) {
    if (action.type === 'kane') {
      take(me.stock, action);
      gainTikis(state, me, 1, tell);
    }
    endTurn(state, rng, tell);
  },
};
