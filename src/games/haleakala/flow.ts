/**
 * What follows from a decision until the next one: boat, distribution, cards in the order taken, discs back, refill,
 * next turn. The first scoring interrupts a refill, which is then begun again: it fills what is still empty.
 */
import type { Rng, Seat } from '../game.ts';
import { BOARD_CARDS, type BoardCard, type Kind, NOTCHES, PRICES, SEGMENTS } from './data.ts';
import { score } from './scoring.ts';
import { bagSize, draw, opponent, POOL, type State, spaceOf, sumOn } from './state.ts';

const FIRST_BEACH = spaceOf('beach', 0);
/** The deck whose last card brings the first scoring. */
const TWO_PALMS = 1;

/** The boat sails clockwise; a summons puts lava on the crater where it arrives before anything else happens (R13). */
export function moveBoat(state: State, steps: number, summon: boolean, rng: Rng): void {
  state.boat = (state.boat + steps) % SEGMENTS;
  if (summon) addLava(state);
  for (let seat = 0; seat < 2; seat++) if (state.summons[seat] === state.boat) state.summons[seat] = POOL;
  const [left, right] = cardsAtBoat(state);
  // Notches stay empty only when the last deck is used up, so this is the end whatever discs lie here (R19).
  if (!left && !right) startScoring(state, rng);
  else distribute(state, left, right, rng);
}

function cardsAtBoat(state: State): [Kind | null, Kind | null] {
  return [state.notches[NOTCHES * state.boat]!, state.notches[NOTCHES * state.boat + 1]!];
}

function distribute(state: State, left: Kind | null, right: Kind | null, rng: Rng): void {
  const sum = sumOn(state, 0, state.boat);
  const other = sumOn(state, 1, state.boat);
  // The sums rule excludes a tie.
  const higher = sum > other ? 0 : 1;
  if (sum === 0 && other === 0) {
    endTurn(state);
  } else if (left && right && left !== right) {
    ask(state, 'choose', higher);
  } else {
    // Identical cards or a single one: only the higher sum takes one (R3).
    take(state, higher, (left ?? right)!);
    proceed(state, rng);
  }
}

/** Of two different cards the higher sum has chosen one; the other seat gets the rest if it has discs here. */
export function distributeChosen(state: State, card: Kind, rng: Rng): void {
  const lower = opponent(state.actor);
  const [left, right] = cardsAtBoat(state);
  take(state, state.actor, card);
  if (sumOn(state, lower, state.boat) > 0) take(state, lower, (left === card ? right : left)!);
  proceed(state, rng);
}

function take(state: State, seat: Seat, card: Kind): void {
  const notch = NOTCHES * state.boat;
  state.notches[state.notches[notch] === card ? notch : notch + 1] = null;
  state.pending.push({ seat, card });
}

/** Goes on until a seat has to decide something or the turn is over. */
export function proceed(state: State, rng: Rng): void {
  while (state.pending.length > 0) {
    const { seat, card } = state.pending.shift()!;
    if (receive(state, seat, card)) return;
  }
  if (state.scoring) {
    continueScoring(state, rng);
  } else {
    clearBeach(state);
    refill(state, rng);
  }
}

/** Both seats take back all numbered discs at the boat, card or not. */
function clearBeach(state: State): void {
  for (const discs of state.discs) {
    for (let i = 0; i < discs.length; i++) if (discs[i] === state.boat) discs[i] = POOL;
  }
}

/** Uses a palm card; whether its seat now has to decide something. */
function receive(state: State, seat: Seat, card: Kind): boolean {
  if (card === 'statue' || card === 'priestess') {
    state.discarded[card]++;
    if (card === 'priestess') return callPriestess(state, seat);
    build(state, seat);
  } else if (card !== 'lava') {
    state.kept[seat]![card]++;
    if (card === 'shell') return offer(state, 'buy', seat);
  }
  return false;
}

/** Compulsory where possible (R6); without a free space or a statue in the supply the card was useless (R10). */
function build(state: State, seat: Seat): void {
  const space = state.shamans[seat]!;
  if (space >= FIRST_BEACH || state.statues[space] !== null || state.statuesLeft[seat] === 0) return;
  state.statues[space] = seat;
  state.statuesLeft[seat]!--;
}

/** Her summon icon brings the seat's summon disc back even if there is no lava to move (R12). */
function callPriestess(state: State, seat: Seat): boolean {
  if (state.summons[seat]! >= 0) state.summons[seat] = POOL;
  if (!state.lava.some((discs) => discs > 0)) return false;
  ask(state, 'priestess', seat);
  return true;
}

export const affordable = (state: State, seat: Seat): BoardCard[] =>
  BOARD_CARDS.filter((card) => state.board[card] === null && PRICES[card] <= state.kept[seat]!.shell);

function offer(state: State, step: 'buy' | 'lastBuy', seat: Seat): boolean {
  if (affordable(state, seat).length === 0) return false;
  ask(state, step, seat);
  return true;
}

/** The seat pays; the priestess is used at once (R7). */
export function buy(state: State, seat: Seat, card: BoardCard, rng: Rng): void {
  state.kept[seat]!.shell -= PRICES[card];
  state.discarded.shell += PRICES[card];
  state.board[card] = seat;
  if (card === 'priestess' && callPriestess(state, seat)) return;
  proceed(state, rng);
}

/** Without effect when the supply is empty. */
function addLava(state: State): void {
  if (state.lavaLeft === 0) return;
  state.lavaLeft--;
  state.lava[state.boat]!++;
}

/** The first scoring interrupts as soon as the last two-palm card is drawn, even if that is lava (R1). */
function refill(state: State, rng: Rng): void {
  if (fillNotches(state, rng)) startScoring(state, rng);
  else endTurn(state);
}

/** Fills the notches at the boat; stops with true at the last two-palm card. */
function fillNotches(state: State, rng: Rng): boolean {
  const first = NOTCHES * state.boat;
  for (let notch = first; notch < first + NOTCHES; notch++) {
    while (state.notches[notch] === null) {
      const deck = state.decks.findIndex((bag) => bagSize(bag) > 0);
      if (deck < 0) return false;
      reveal(state, notch, draw(state.decks[deck]!, rng));
      if (deck === TWO_PALMS && bagSize(state.decks[deck]!) === 0) return true;
    }
  }
  return false;
}

function reveal(state: State, notch: number, card: Kind): void {
  if (card !== 'lava') {
    state.notches[notch] = card;
    return;
  }
  addLava(state);
  state.discarded.lava++;
}

/** Only the base game sells before a scoring, first to the seat whose turn brought it about (R16). */
function startScoring(state: State, rng: Rng): void {
  state.scoring = true;
  state.buyers = state.variant === 'base' ? [state.turn, opponent(state.turn)] : [];
  continueScoring(state, rng);
}

function continueScoring(state: State, rng: Rng): void {
  while (state.buyers.length > 0) if (offer(state, 'lastBuy', state.buyers.shift()!)) return;
  score(state);
  state.scoring = false;
  if (state.round === 2) {
    state.step = 'end';
    return;
  }
  state.round = 2;
  // Summon discs and everything on the island stay (R14).
  for (const card of BOARD_CARDS) state.board[card] = null;
  refill(state, rng);
}

export function ask(state: State, step: State['step'], seat: Seat): void {
  state.step = step;
  state.actor = seat;
}

export function endTurn(state: State): void {
  state.turn = opponent(state.turn);
  ask(state, 'turn', state.turn);
}
