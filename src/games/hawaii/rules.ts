import { mayBe, type Rng, type Seat, type Wanted } from '../game.ts';
import type { Action, Step, StepActions } from './actions.ts';
import { DOCKS, SLOT_NAMES } from './data.ts';
import type { Effect, Tell } from './effects.ts';
import { BEACH } from './map.ts';
import { building, buy, canBuyAt, kane, payTile, payWalk, takeToken, walk } from './purchase.ts';
import { kindsIn } from './realm.ts';
import { endIncome, endTurn } from './round.ts';
import { NONE, type SeatState, type State } from './state.ts';
import type { StepRules } from './steps.ts';
import { canSail, canVisit, catching, gift, loading, payBoats, visit } from './voyage.ts';

const turn: StepRules<StepActions['turn']> = {
  legal(state, me, wanted) {
    const out: StepActions['turn'][] = [];
    const villages = kindsIn(me);
    for (let slot = 0; slot < SLOT_NAMES.length; slot++) {
      const place = SLOT_NAMES[slot]!;
      if (mayBe(wanted, 'place', place) && canBuyAt(state, me, villages, slot)) out.push({ type: 'walk', place });
    }
    if (state.bay.length > 0 && canSail(state, me, 1)) out.push({ type: 'fish' });
    for (let dock = 0; dock < DOCKS.length; dock++) {
      if (mayBe(wanted, 'dock', dock + 1) && canVisit(state, me, dock)) out.push({ type: 'visit', dock: dock + 1 });
    }
    // R1: a chief who is already on the beach cannot rest there again.
    if (me.chief !== BEACH) out.push({ type: 'rest' });
    for (let space = 0; space < state.seats.length; space++) {
      if (!state.seats.some((seat) => seat.space === space)) out.push({ type: 'pass', space: space + 1 });
    }
    return out;
  },
  apply(state, me, action, rng, tell) {
    if (action.type === 'walk') return walk(state, me, SLOT_NAMES.indexOf(action.place));
    // The way to the beach, and along it, is free.
    me.chief = BEACH;
    if (action.type === 'fish') state.step = 'catch';
    else if (action.type === 'visit') visit(state, me, action.dock - 1, tell);
    else {
      if (action.type === 'pass') pass(state, me, action.space - 1, tell);
      endTurn(state, rng, tell);
    }
  },
};

function pass(state: State, me: SeatState, space: number, tell?: Tell): void {
  me.space = space;
  if (state.track[space] !== NONE) takeToken(state, me, state.track[space]!, tell);
  state.track[space] = NONE;
}

const RESOURCES = ['shells', 'feet', 'fruit'] as const;

/**
 * All owners of an irrigation II choose at the same time, so their choices are kept separately until all have chosen.
 */
const income: StepRules<StepActions['income']> = {
  legal: (_state, me) => (me.due === 0 ? [] : RESOURCES.map((resource) => ({ type: 'income', resource }))),
  apply(state, me, action, rng, tell) {
    me.due--;
    me.chosen[action.resource]++;
    if (state.seats.every((seat) => seat.due === 0)) endIncome(state, rng, tell);
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

export function legal(state: State, seat: Seat, wanted?: Wanted): Action[] {
  if (state.step !== 'income' && seat !== state.active) return [];
  return STEPS[state.step].legal(state, state.seats[seat]!, wanted);
}

export const mayAct = ({ step, active, seats }: State, seat: Seat): boolean =>
  step === 'income' ? seats[seat]!.due > 0 : seat === active;

/** What is told of a decision that the engine makes. */
function decided({ openResources, active, step, turn }: State, action: Action): Effect {
  if (action.type !== 'pay' || openResources) return { type: 'decided', seat: active, action };
  return { type: 'paid', seat: active, amount: turn.cost, currency: step === 'payTile' ? 'shells' : 'feet' };
}

/** Whether there are at least two answers anyway: two spaces to pass on, or one and the way back to the beach. */
function isFree({ step, active, seats }: State): boolean {
  if (step !== 'turn') return false;
  if (seats[active]!.chief !== BEACH) return true;
  let spaces = 0;
  for (const { space } of seats) if (space === NONE) spaces++;
  return spaces > 1;
}

export function apply(state: State, seat: Seat, action: Action, rng: Rng, tell?: Tell): void {
  STEPS[state.step].apply(state, state.seats[seat]!, action as never, rng, tell);
  // A decision with only one possible answer is made by the engine.
  while (state.active !== NONE && !isFree(state)) {
    const list = legal(state, state.active);
    if (list.length > 1) return;
    const only = list[0]!;
    tell?.(decided(state, only));
    STEPS[state.step].apply(state, state.seats[state.active]!, only as never, rng, tell);
  }
}
