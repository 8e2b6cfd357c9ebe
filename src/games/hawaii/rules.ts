import type { Rng, Seat } from '../game.ts';
import type { Action, ActionOf, Step, StepActions } from './actions.ts';
import { cheapest, cost, type Load, loads, useBoats } from './boats.ts';
import {
  BOARDS,
  BOAT,
  DOCKS,
  KAHUNA,
  KANE,
  KANE_COST,
  PELE,
  PELE_CAP,
  SLOT_NAMES,
  TIKI,
  TILES,
  TOKENS,
} from './data.ts';
import { giftKinds, receive } from './islands.ts';
import { BEACH, stepsTo } from './map.ts';
import {
  type Currency,
  canPay,
  canWalkAndPay,
  leavesPrice,
  payments,
  reach,
  take,
  turnedBy,
  useHuts,
} from './payments.ts';
import { build, fits, forSale, gainBoat, gainKahunas, gainTikis, kindsIn, villagesFor } from './realm.ts';
import { endIncome, endTurn } from './round.ts';
import { spearPoints } from './scoring.ts';
import { NONE, type SeatState, type State, sidesOf } from './state.ts';

/** What is possible in a step, next to what then happens. `apply` is given one of the listed actions. */
interface StepRules<A> {
  legal(state: State, me: SeatState): A[];
  apply(state: State, me: SeatState, action: A, rng: Rng): void;
}

const turn: StepRules<StepActions['turn']> = {
  legal(state, me) {
    const out: StepActions['turn'][] = [];
    const villages = kindsIn(me);
    for (let slot = 0; slot < SLOT_NAMES.length; slot++) {
      if (canBuyAt(state, me, villages, slot)) out.push({ type: 'walk', place: SLOT_NAMES[slot]! });
    }
    if (state.bay.length > 0 && canSail(state, me, 1)) out.push({ type: 'fish' });
    for (let dock = 0; dock < DOCKS.length; dock++) {
      if (state.docks[dock] !== NONE && canSail(state, me, DOCKS[dock]!.feet))
        out.push({ type: 'visit', dock: dock + 1 });
    }
    // Ruling 1: a chief who is on the beach already cannot idle there.
    if (me.chief !== BEACH) out.push({ type: 'rest' });
    for (let space = 0; space < state.seats.length; space++) {
      if (!state.seats.some((seat) => seat.space === space)) out.push({ type: 'pass', space: space + 1 });
    }
    return out;
  },
  apply(state, me, action, rng) {
    if (action.type === 'walk') return walk(state, me, SLOT_NAMES.indexOf(action.place));
    // The way to the beach, and along it, is free.
    me.chief = BEACH;
    if (action.type === 'fish') state.step = 'catch';
    else if (action.type === 'visit') visit(state, me, action.dock - 1);
    else {
      if (action.type === 'pass') pass(state, me, action.space - 1);
      endTurn(state, rng);
    }
  },
};

function walk(state: State, me: SeatState, slot: number): void {
  state.turn.cost = walkCost(me, slot);
  me.chief = slot;
  state.step = 'payWalk';
}

function visit(state: State, me: SeatState, dock: number): void {
  state.turn.dock = dock;
  me.score += DOCKS[dock]!.points;
  state.step = 'load';
}

function pass(state: State, me: SeatState, space: number): void {
  me.space = space;
  if (state.track[space] !== NONE) takeToken(me, state.track[space]!);
  state.track[space] = NONE;
}

/** Ruling 8: Pele caps the cost, whatever it is then paid with. */
export const walkCost = (me: SeatState, slot: number): number =>
  Math.min(stepsTo(me.chief, slot), PELE_CAP[sidesOf(me, PELE)]!);

/** The lowest price token at a slot; Infinity if there is none. */
function lowestPrice(state: State, slot: number): number {
  let token = TOKENS.length;
  for (const t of state.circles[slot]!) if (t !== NONE && t < token) token = t;
  return TOKENS[token]?.value ?? Number.POSITIVE_INFINITY;
}

/** Whether the walk to a slot can end in a purchase: the cheapest token on side I is the test. */
function canBuyAt(state: State, me: SeatState, villages: readonly number[], slot: number): boolean {
  const price = lowestPrice(state, slot);
  if (price === Number.POSITIVE_INFINITY) return false;
  const { sells } = BOARDS[state.boards[slot]!]!;
  for (const kind of sells) {
    if (forSale(state, kind) === 0 || !fits(me, villages, kind, 1)) continue;
    return canWalkAndPay(me.stock, state.turn.huts, walkCost(me, slot), price);
  }
  return false;
}

const hutReach = (state: State): number => reach(state.turn.huts[0]!, state.turn.huts[1]!);

const canPayFeet = (state: State, { stock }: SeatState, feet: number): boolean =>
  canPay(feet, stock.feet, stock.shells, stock.fruit, hutReach(state));

const canPayShells = (state: State, { stock }: SeatState, shells: number): boolean =>
  canPay(shells, stock.shells, stock.feet, stock.fruit, hutReach(state));

/** Whether the unused boats carry this price and it can be paid. */
const canSail = (state: State, me: SeatState, price: number): boolean => canPayFeet(state, me, cheapest(me, price));

function takeToken(me: SeatState, token: number): void {
  me.tokens.push(token);
  if (TOKENS[token]!.spear) me.score += spearPoints(me);
}

function pay(state: State, me: SeatState, paid: ActionOf<'pay'>, currency: Currency): void {
  take(me.stock, paid);
  useHuts(state.turn.huts, turnedBy(state.turn.cost, currency, paid));
}

const payWalk: StepRules<StepActions['payWalk']> = {
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

const buy: StepRules<StepActions['buy']> = {
  legal(state, me) {
    const out: StepActions['buy'][] = [];
    const villages = kindsIn(me);
    const tokens = [...new Set(state.circles[me.chief])].filter((token) => token !== NONE).sort((a, b) => a - b);
    for (const kind of BOARDS[state.boards[me.chief]!]!.sells) {
      const left = forSale(state, kind);
      if (left === 0 || !fits(me, villages, kind, 1)) continue;
      // Ruling 3: of kahunas and tikis side II is two tiles, and there must be two and room for both.
      const double = kind !== KAHUNA && kind !== TIKI ? true : left > 1 && fits(me, villages, kind, 2);
      for (const token of tokens) {
        const { value, spear } = TOKENS[token]!;
        if (!canPayShells(state, me, value)) continue;
        out.push({ type: 'buy', tile: TILES[kind]!, value, spear, side: 1 });
        if (!double || !canPayShells(state, me, 2 * value)) continue;
        out.push({ type: 'buy', tile: TILES[kind]!, value, spear, side: 2 });
      }
    }
    return out;
  },
  apply(state, me, { tile, value, spear, side }) {
    const token = TOKENS.findIndex((t) => t.value === value && t.spear === spear);
    const circles = state.circles[me.chief]!;
    circles[circles.indexOf(token)] = NONE;
    takeToken(me, token);
    state.turn.tile = TILES.indexOf(tile);
    state.turn.side = side;
    state.turn.cost = value * side;
    state.step = 'payTile';
  },
};

const payTile: StepRules<StepActions['payTile']> = {
  legal: (state, me) => payments(state.turn.cost, 'shells', me.stock, hutReach(state)),
  apply(state, me, action, rng) {
    const { tile, side } = state.turn;
    pay(state, me, action, 'shells');
    if (tile === KAHUNA) gainKahunas(state, me, side);
    else if (tile === TIKI) gainTikis(state, me, side);
    else if (tile === BOAT) gainBoat(state, me, side);
    else {
      state.step = 'build';
      return;
    }
    endTurn(state, rng);
  },
};

const building: StepRules<StepActions['build']> = {
  legal: (state, me) => villagesFor(me, state.turn.tile).map((village) => ({ type: 'build', village: village + 1 })),
  apply(state, me, action, rng) {
    const { tile, side } = state.turn;
    build(state, me, tile, side, action.village - 1, rng);
    if (tile === KANE) state.step = 'kane';
    else endTurn(state, rng);
  },
};

const kane: StepRules<StepActions['kane']> = {
  legal(state, me) {
    const out: StepActions['kane'][] = [];
    const { shells, feet, fruit } = me.stock;
    // Ruling 9: the offer lapses without a tiki or a space for it.
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
  apply(state, me, action, rng) {
    if (action.type === 'kane') {
      take(me.stock, action);
      gainTikis(state, me, 1);
    }
    endTurn(state, rng);
  },
};

const catching: StepRules<StepActions['catch']> = {
  legal(state, me) {
    const out: StepActions['catch'][] = [];
    const lying = [0, 0, 0];
    for (const token of state.bay) lying[TOKENS[token]!.fish - 1]!++;
    const byCount = state.bay.map((_, i) => affordable(state, me, loads(me, i + 1)));
    for (let three = lying[2]!; three >= 0; three--) {
      for (let two = lying[1]!; two >= 0; two--) {
        for (let one = lying[0]!; one >= 0; one--) {
          for (const { boats } of byCount[three + two + one - 1] ?? []) {
            const fish = [...new Array(three).fill(3), ...new Array(two).fill(2), ...new Array(one).fill(1)];
            out.push({ type: 'catch', fish, boats });
          }
        }
      }
    }
    return out;
  },
  apply(state, me, action) {
    for (const fish of action.fish) {
      const at = state.bay.findIndex((token) => TOKENS[token]!.fish === fish);
      me.fish.push(...state.bay.splice(at, 1));
    }
    sail(state, me, action.fish.length, action.boats);
  },
};

const affordable = (state: State, me: SeatState, all: Load[]): Load[] =>
  all.filter((load) => canPayFeet(state, me, load.cost));

function sail(state: State, me: SeatState, price: number, boats: ActionOf<'load'>['boats']): void {
  useBoats(me, boats);
  state.turn.cost = cost(price, boats);
  state.step = 'payBoats';
}

const loading: StepRules<StepActions['load']> = {
  legal: (state, me) =>
    affordable(state, me, loads(me, DOCKS[state.turn.dock]!.feet)).map(({ boats }) => ({ type: 'load', boats })),
  apply: (state, me, action) => sail(state, me, DOCKS[state.turn.dock]!.feet, action.boats),
};

const payBoats: StepRules<StepActions['payBoats']> = {
  legal: (state, me) => payments(state.turn.cost, 'feet', me.stock, hutReach(state)),
  apply(state, me, action, rng) {
    pay(state, me, action, 'feet');
    // Ruling 5: the island gives after it is paid for.
    if (state.turn.dock === NONE || !receive(state, me)) endTurn(state, rng);
  },
};

const gift: StepRules<StepActions['gift']> = {
  legal: (state, me) =>
    giftKinds(state, me).map((kind) => ({ type: 'gift', tile: TILES[kind] as ActionOf<'gift'>['tile'] })),
  apply(state, _me, action) {
    state.turn.tile = TILES.indexOf(action.tile);
    state.step = 'build';
  },
};

const RESOURCES = ['shells', 'feet', 'fruit'] as const;

/** All owners of an irrigation II choose at the same time, so what they chose is kept apart until all have. */
const income: StepRules<StepActions['income']> = {
  legal: (_state, me) => (me.due === 0 ? [] : RESOURCES.map((resource) => ({ type: 'income', resource }))),
  apply(state, me, action, rng) {
    me.due--;
    me.chosen[action.resource]++;
    if (state.seats.every((seat) => seat.due === 0)) endIncome(state, rng);
  },
};

const over: StepRules<StepActions['over']> = { legal: () => [], apply: () => {} };

const STEPS: { [S in Step]: StepRules<StepActions[S]> } = {
  turn,
  payWalk,
  buy,
  payTile,
  build: building,
  kane,
  catch: catching,
  load: loading,
  payBoats,
  gift,
  income,
  over,
};

export function legal(state: State, seat: Seat): Action[] {
  if (state.step !== 'income' && seat !== state.active) return [];
  return STEPS[state.step].legal(state, state.seats[seat]!);
}

export function apply(state: State, seat: Seat, action: Action, rng: Rng): void {
  STEPS[state.step].apply(state, state.seats[seat]!, action as never, rng);
  // A decision with one possible answer is no decision.
  while (state.active !== NONE) {
    const [only, ...more] = legal(state, state.active);
    if (more.length > 0) return;
    STEPS[state.step].apply(state, state.seats[state.active]!, only as never, rng);
  }
}
