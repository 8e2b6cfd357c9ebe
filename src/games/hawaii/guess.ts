import type { Rng, Seat } from '../game.ts';
import { DOCKS } from './data.ts';
import { givesFirst } from './islands.ts';
import { legal } from './rules.ts';
import { copyOf, NONE, type SeatState, type State, type Stock } from './state.ts';
import { canSail } from './voyage.ts';

/** A guess gives a seat between 0 and this many of each resource: enough to pay for a side II at the highest price. */
const MOST = 20;
const TRIES = 200;
/** Enough to pay for anything. More in stock never leaves fewer actions. */
const PLENTY = { shells: 99, feet: 99, fruit: 99 };

/**
 * What is secret, and why (R14). Chosen payments, supplies and tiles are open; a screen hides what remains behind it.
 * An observer is assumed not to keep accounts of others: their stocks are redrawn freely, except that the seat to act
 * must still have a decision to make, because everybody sees that it has. Choices of income are secret until all are
 * made, because they are made at the same time. Gods, islands and price tokens to come are not in the state at all.
 */
export function guess(state: State, seat: Seat | null, rng: Rng): State {
  const out = copyOf(state);
  out.seats.forEach((other, i) => {
    if (i === seat) return;
    other.chosen = redrawChosen(other.chosen, rng);
    if (!state.openResources && state.step !== 'over') redrawStock(out, i, rng);
  });
  return out;
}

function redrawStock(state: State, seat: Seat, rng: Rng): void {
  const me = state.seats[seat]!;
  for (let i = 0; i < TRIES; i++) {
    me.stock = { shells: rng.int(MOST + 1), feet: rng.int(MOST + 1), fruit: rng.int(MOST + 1) };
    if (state.active !== seat || (legal(state, seat).length > 1 && paysForVoyage(state, me))) return;
  }
  me.stock = { ...PLENTY };
}

/** With an island that gives first, a seat can visit only if it can pay after it has received. */
const paysForVoyage = (state: State, me: SeatState): boolean =>
  !givesFirst(state) ||
  state.turn.dock === NONE ||
  state.step === 'load' ||
  state.step === 'payBoats' ||
  canSail(state, me, DOCKS[state.turn.dock]!.feet);

function redrawChosen({ shells, feet, fruit }: Stock, rng: Rng): Stock {
  const out = { shells: 0, feet: 0, fruit: 0 };
  for (let i = shells + feet + fruit; i > 0; i--) out[rng.pick(['shells', 'feet', 'fruit'] as const)]++;
  return out;
}
