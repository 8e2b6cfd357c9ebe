import type { Rng, Seat } from '../game.ts';
import { act, legalFor, startWriting } from './rules.ts';
import { copySeat, copySheet, copyState, type SeatState, type State } from './state.ts';

/**
 * Redraws what the others did in this round. The bag stays as it is: it has no order, so it hides nothing but chance.
 */
export function guess(state: State, seat: Seat | null, rng: Rng): State {
  const out = copyState(state);
  if (state.step !== 'round') return out;
  for (let i = 0; i < out.seats.length; i++) if (i !== seat) out.seats[i] = redraw(state, out.seats[i]!, rng);
  return out;
}

/** A random round of this seat: to its end if the seat is ready, otherwise to some point before it. */
function redraw(state: State, seat: SeatState, rng: Rng): SeatState {
  let current: SeatState = { ...seat, sheet: copySheet(seat.start) };
  startWriting(state, current);
  if (seat.step === 'ready') {
    while (current.step !== 'ready') act(state, current, rng.pick(legalFor(state, current)));
    return current;
  }
  for (let actions = rng.int(4); actions > 0; actions--) {
    const next = copySeat(current);
    act(state, next, rng.pick(legalFor(state, next)));
    if (next.step === 'ready') return current;
    current = next;
  }
  return current;
}
