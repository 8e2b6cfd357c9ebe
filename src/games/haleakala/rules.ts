import { mayBe, type Rng, type Seat, type Tell, type Wanted } from '../game.ts';
import type { Action } from './actions.ts';
import { BUILDABLE, DISCS, type Kind, NOTCHES, SEGMENTS, TERRAINS } from './data.ts';
import { affordable, ask, buy, distributeChosen, endTurn, moveBoat, proceed } from './distribution.ts';
import type { Effect } from './effects.ts';
import { isOver, opponent, POOL, type State, segmentOf, spaceOf, sumOn, terrainOf } from './state.ts';

/** A step of the match: what the acting seat may do, next to what then happens. */
interface Step {
  legal(state: State, wanted?: Wanted): Action[];
  apply(state: State, action: Action, rng: Rng, tell?: Tell<Effect>): void;
}

export function legal(state: State, seat: Seat, wanted?: Wanted): Action[] {
  return seat === state.actor ? steps[state.step].legal(state, wanted) : [];
}

export const mayAct = (state: State, seat: Seat): boolean => seat === state.actor && !isOver(state);

export function apply(state: State, _seat: Seat, action: Action, rng: Rng, tell?: Tell<Effect>): void {
  steps[state.step].apply(state, action, rng, tell);
}

const turn: Step = {
  legal(state, wanted) {
    const list: Action[] = [];
    const discs = state.discs[state.turn]!;
    for (let disc = 1; disc <= DISCS; disc++) {
      if (!mayBe(wanted, 'disc', disc)) continue;
      const beach = discs[disc - 1]!;
      if (beach === POOL) listPlaces(state, disc, list, wanted);
      else if (mayTakeBack(state, disc, beach)) list.push({ type: 'takeBack', disc, beach });
    }
    if (!discs.includes(POOL)) list.push({ type: 'sail' });
    return list;
  },
  apply(state, action, rng, tell) {
    const discs = state.discs[state.turn]!;
    if (action.type === 'place') {
      discs[action.disc - 1] = action.beach;
      if (action.summon) state.summons[state.turn] = action.beach;
      if (action.beach === state.boat) return moveBoat(state, action.disc, action.summon === true, rng, tell);
    } else if (action.type === 'takeBack') {
      discs[action.disc - 1] = POOL;
    } else {
      return moveBoat(state, 1, false, rng, tell);
    }
    ask(state, 'walk', state.turn);
  },
};

/** The sums rule: afterwards the sums of both seats on that beach must differ. */
function listPlaces(state: State, disc: number, list: Action[], wanted?: Wanted): void {
  // Ruling R11: no summons without lava in the supply.
  const summons = state.summons[state.turn] === POOL && state.lavaLeft > 0;
  for (let beach = 0; beach < SEGMENTS; beach++) {
    if (!mayBe(wanted, 'beach', beach)) continue;
    if (sumOn(state, state.turn, beach) + disc === sumOn(state, opponent(state.turn), beach)) continue;
    list.push({ type: 'place', disc, beach });
    if (summons && beach === state.boat) list.push({ type: 'place', disc, beach, summon: true });
  }
}

/** The sums rule also applies to taking back (R2), but both sums may be zero. */
function mayTakeBack(state: State, disc: number, beach: number): boolean {
  const theirs = sumOn(state, opponent(state.turn), beach);
  return theirs === 0 || sumOn(state, state.turn, beach) - disc !== theirs;
}

const walk: Step = {
  legal(state) {
    const list: Action[] = [{ type: 'stay' }];
    const occupied = state.shamans[opponent(state.turn)];
    // Statues never block (R21); the other shaman may be passed, but its space is taken.
    for (const { space, segment, terrain } of REACH[state.shamans[state.turn]!]!) {
      if (space !== occupied) list.push({ type: 'walk', segment, terrain });
    }
    return list;
  },
  apply(state, action, rng, tell) {
    if (action.type === 'walk') state.shamans[state.turn] = spaceOf(action.terrain, action.segment);
    endTurn(state, rng, tell);
  },
};

const choose: Step = {
  legal(state) {
    const notch = NOTCHES * state.boat;
    return state.notches.slice(notch, notch + NOTCHES).map((card) => ({ type: 'take', card: card as Kind }));
  },
  apply(state, action, rng, tell) {
    if (action.type === 'take') distributeChosen(state, action.card, rng, tell);
  },
};

const priestess: Step = {
  legal(state) {
    const list: Action[] = [];
    for (let from = 0; from < SEGMENTS; from++) {
      if (state.lava[from] === 0) continue;
      for (const by of [1, SEGMENTS - 1]) list.push({ type: 'moveLava', from, to: (from + by) % SEGMENTS });
    }
    return list;
  },
  apply(state, action, rng, tell) {
    if (action.type === 'moveLava') {
      state.lava[action.from]!--;
      state.lava[action.to]!++;
    }
    proceed(state, rng, tell);
  },
};

/** At most one card for each shell received (R5), and one more before a scoring (R17). */
const purchase: Step = {
  legal(state) {
    const list = affordable(state, state.actor).map((card): Action => ({ type: 'buy', card }));
    list.push({ type: 'decline' });
    return list;
  },
  apply(state, action, rng, tell) {
    if (action.type === 'buy') buy(state, state.actor, action.card, rng, tell);
    else proceed(state, rng, tell);
  },
};

const over: Step = { legal: () => [], apply: () => {} };

const steps: Record<State['step'], Step> = {
  turn,
  walk,
  choose,
  priestess,
  buy: purchase,
  lastBuy: purchase,
  over,
  end: over,
};

/** One step of a shaman: sideways, downhill or one up; never along or onto a beach, never into the crater. */
function stepsFrom(space: number): { space: number; uphill: number }[] {
  const segment = segmentOf(space);
  const terrain = terrainOf(space);
  if (terrain === 'beach') return [{ space: spaceOf('land', segment), uphill: 1 }];
  const height = BUILDABLE.indexOf(terrain);
  const out = [1, SEGMENTS - 1].map((by) => ({ space: spaceOf(terrain, (segment + by) % SEGMENTS), uphill: 0 }));
  if (height > 0) out.push({ space: space - SEGMENTS, uphill: 0 });
  if (height < BUILDABLE.length - 1) out.push({ space: space + SEGMENTS, uphill: 1 });
  return out;
}

/** The spaces that a shaman reaches from each space in up to two steps, at most one of them uphill. */
const REACH = TERRAINS.flatMap((terrain) =>
  Array.from({ length: SEGMENTS }, (_, segment) => {
    const from = spaceOf(terrain, segment);
    const found = new Set<number>();
    for (const first of stepsFrom(from)) {
      found.add(first.space);
      for (const second of stepsFrom(first.space)) if (first.uphill + second.uphill < 2) found.add(second.space);
    }
    found.delete(from);
    return [...found]
      .sort((a, b) => a - b)
      .map((space) => ({ space, segment: segmentOf(space), terrain: terrainOf(space) as (typeof BUILDABLE)[number] }));
  }),
);
