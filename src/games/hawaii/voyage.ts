import type { ActionOf, StepActions } from './actions.ts';
import { cheapest, cost, type Load, loads, useBoats } from './boats.ts';
import { DOCKS, ISLANDS, TILES, TOKENS } from './data.ts';
import type { Tell } from './effects.ts';
import { giftKinds, givesFirst, receive, resourcesOf } from './islands.ts';
import { canPayFeet, hutReach, pay, payments } from './payments.ts';
import { endTurn } from './round.ts';
import { NONE, type SeatState, type State, type Stock } from './state.ts';
import type { StepRules } from './steps.ts';

/** Whether the unused boats carry this price and it can be paid out of a stock. */
export function canSail(state: State, me: SeatState, price: number, stock: Stock = me.stock): boolean {
  if (!canPayFeet(state, stock, cheapest(me, price))) return false;
  // If an exchange hut can turn what is paid, the cheapest boats may be ones that cannot be paid for (R16).
  const isCertain = state.rules !== 2 || me.boats[2] === me.used[2] || hutReach(state) === 0;
  return isCertain || affordable(state, stock, loads(me, price)).length > 0;
}

/** Whether the island at a dock can be visited: since rules 2 also with what it gives. */
export function canVisit(state: State, me: SeatState, dock: number): boolean {
  const island = state.docks[dock]!;
  if (island === NONE) return false;
  const { feet } = DOCKS[dock]!;
  if (!givesFirst(state)) return canSail(state, me, feet);
  const given = resourcesOf(state, me, ISLANDS[island]!);
  const { stock } = me;
  return canSail(state, me, feet, {
    shells: stock.shells + given.shells,
    feet: stock.feet + given.feet,
    fruit: stock.fruit + given.fruit,
  });
}

export function visit(state: State, me: SeatState, dock: number, tell?: Tell): void {
  const { points } = DOCKS[dock]!;
  state.turn.dock = dock;
  me.score += points;
  if (me.earned) me.earned.docks += points;
  tell?.({ type: 'docked', seat: state.active, dock: dock + 1, points });
  if (!givesFirst(state) || !receive(state, me, tell)) state.step = 'load';
}

export const catching: StepRules<StepActions['catch']> = {
  legal(state, me) {
    const out: StepActions['catch'][] = [];
    const lying = [0, 0, 0];
    for (const token of state.bay) lying[TOKENS[token]!.fish - 1]!++;
    const byCount = state.bay.map((_, i) => affordable(state, me.stock, loads(me, i + 1)));
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

const affordable = (state: State, stock: Stock, all: Load[]): Load[] =>
  all.filter((load) =>
    state.rules === 2
      ? canPayFeet(state, stock, load.cost) && paymentsOf(state, stock, load.cost, boatsII(load.boats)).length > 0
      : canPayFeet(state, stock, load.cost),
  );

/** The ways to pay for boats. R16: since rules 2 each boat II takes a foot or fruit, which no hut can turn into a shell. */
const paymentsOf = (state: State, stock: Stock, cost: number, boatsII: number): ActionOf<'pay'>[] =>
  payments(cost, 'feet', stock, hutReach(state)).filter(({ feet, fruit }) => feet + fruit >= boatsII);

const boatsII = (boats: ActionOf<'load'>['boats']): number => boats.filter((boat) => boat === 'II').length;

function sail(state: State, me: SeatState, price: number, boats: ActionOf<'load'>['boats']): void {
  useBoats(me, boats);
  state.turn.cost = cost(price, boats);
  if (state.rules === 2) state.turn.boatsII = boatsII(boats);
  state.step = 'payBoats';
}

export const loading: StepRules<StepActions['load']> = {
  legal: (state, me) =>
    affordable(state, me.stock, loads(me, DOCKS[state.turn.dock]!.feet)).map(({ boats }) => ({ type: 'load', boats })),
  apply: (state, me, action) => sail(state, me, DOCKS[state.turn.dock]!.feet, action.boats),
};

export const payBoats: StepRules<StepActions['payBoats']> = {
  legal: (state, me) => paymentsOf(state, me.stock, state.turn.cost, state.turn.boatsII ?? 0),
  apply(state, me, action, rng, tell) {
    pay(state, me, action, 'feet');
    const isOwed = state.turn.dock !== NONE && !givesFirst(state);
    if (!isOwed || !receive(state, me, tell)) endTurn(state, rng, tell);
  },
};

export const gift: StepRules<StepActions['gift']> = {
  legal: (state, me) =>
    giftKinds(state, me).map((kind) => ({ type: 'gift', tile: TILES[kind] as ActionOf<'gift'>['tile'] })),
  apply(state, _me, action) {
    state.turn.tile = TILES.indexOf(action.tile);
    state.step = 'build';
  },
};
