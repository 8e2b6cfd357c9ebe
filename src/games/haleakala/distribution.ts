/**
 * What follows from a decision until the next one: boat, distribution, cards in the order taken, discs back, refill,
 * next turn. The first scoring interrupts a refill, which is then started again and fills what is still empty.
 */
import type { Rng, Seat, Tell } from '../game.ts';
import { BOARD_CARDS, type BoardCard, type BUILDABLE, type Kind, NOTCHES, PRICES, SEGMENTS } from './data.ts';
import type { Effect } from './effects.ts';
import { forgetPositions, notePosition, REPEATS, timesStood } from './repetition.ts';
import { score } from './scoring.ts';
import { bagSize, draw, lastStep, opponent, POOL, type State, segmentOf, spaceOf, sumOn, terrainOf } from './state.ts';

const FIRST_BEACH = spaceOf('beach', 0);
/** The deck whose last card triggers the first scoring. */
const TWO_PALMS = 1;

/** The boat sails clockwise. A summons puts lava on the crater where it arrives, before anything else happens (R13). */
export function moveBoat(state: State, steps: number, summon: boolean, rng: Rng, tell?: Tell<Effect>): void {
  state.boat = (state.boat + steps) % SEGMENTS;
  tell?.({ type: 'sailed', segment: state.boat });
  if (summon) addLava(state, tell);
  for (let seat = 0; seat < 2; seat++) if (state.summons[seat] === state.boat) returnSummon(state, seat, tell);
  const [left, right] = cardsAtBoat(state);
  // Notches stay empty only when the last deck is used up, so this is the end whatever discs lie here (R19).
  if (!left && !right) {
    tell?.({ type: 'noCards', segment: state.boat });
    startScoring(state, rng, tell);
  } else {
    distribute(state, left, right, rng, tell);
  }
}

function returnSummon(state: State, seat: Seat, tell?: Tell<Effect>): void {
  state.summons[seat] = POOL;
  tell?.({ type: 'summonReturned', seat });
}

function cardsAtBoat(state: State): [Kind | null, Kind | null] {
  return [state.notches[NOTCHES * state.boat]!, state.notches[NOTCHES * state.boat + 1]!];
}

function distribute(state: State, left: Kind | null, right: Kind | null, rng: Rng, tell?: Tell<Effect>): void {
  const sum = sumOn(state, 0, state.boat);
  const other = sumOn(state, 1, state.boat);
  // The sums rule excludes a tie.
  const higher = sum > other ? 0 : 1;
  if (sum === 0 && other === 0) {
    tell?.({ type: 'unclaimed', segment: state.boat });
    endTurn(state, rng, tell);
  } else if (left && right && left !== right) {
    ask(state, 'choose', higher);
  } else {
    // Identical cards or a single one: only the higher sum takes one (R3).
    give(state, higher, (left ?? right)!, tell);
    proceed(state, rng, tell);
  }
}

/** Of two different cards the higher sum has chosen one; the other seat gets the rest if it has discs here. */
export function distributeChosen(state: State, card: Kind, rng: Rng, tell?: Tell<Effect>): void {
  const lower = opponent(state.actor);
  const [left, right] = cardsAtBoat(state);
  take(state, state.actor, card);
  if (sumOn(state, lower, state.boat) > 0) give(state, lower, (left === card ? right : left)!, tell);
  proceed(state, rng, tell);
}

/** Gives a seat a card that nobody had to choose. */
function give(state: State, seat: Seat, card: Kind, tell?: Tell<Effect>): void {
  take(state, seat, card);
  tell?.({ type: 'got', seat, card });
}

function take(state: State, seat: Seat, card: Kind): void {
  const notch = NOTCHES * state.boat;
  state.notches[state.notches[notch] === card ? notch : notch + 1] = null;
  state.pending.push({ seat, card });
  forgetPositions(state);
}

/** Continues until a seat has to decide something or the turn is over. */
export function proceed(state: State, rng: Rng, tell?: Tell<Effect>): void {
  while (state.pending.length > 0) {
    const { seat, card } = state.pending.shift()!;
    if (receive(state, seat, card, tell)) return;
  }
  if (state.scoring) {
    continueScoring(state, rng, tell);
  } else {
    clearBeach(state, tell);
    refill(state, rng, tell);
  }
}

/** Both seats take back all numbered discs at the boat, card or not. */
function clearBeach(state: State, tell?: Tell<Effect>): void {
  const { boat } = state;
  state.discs.forEach((discs, seat) => {
    const returned = tell ? discs.flatMap((place, i) => (place === boat ? [i + 1] : [])) : [];
    if (returned.length > 0) tell?.({ type: 'discsReturned', seat, segment: boat, discs: returned });
    for (let i = 0; i < discs.length; i++) if (discs[i] === boat) discs[i] = POOL;
  });
}

/** Uses a palm card. Returns whether its seat now has to decide something. */
function receive(state: State, seat: Seat, card: Kind, tell?: Tell<Effect>): boolean {
  if (card === 'statue' || card === 'priestess') {
    state.discarded[card]++;
    if (card === 'priestess') return callPriestess(state, seat, tell);
    build(state, seat, tell);
  } else if (card !== 'lava') {
    state.kept[seat]![card]++;
    if (card === 'shell') return offer(state, 'buy', seat, tell);
  }
  return false;
}

/**
 * Building is compulsory where possible (R6). Without a free space or a statue in the supply, the card has no effect
 * (R10).
 */
function build(state: State, seat: Seat, tell?: Tell<Effect>): void {
  const space = state.shamans[seat]!;
  if (space >= FIRST_BEACH || state.statues[space] !== null || state.statuesLeft[seat] === 0) {
    tell?.({ type: 'useless', seat, card: 'statue' });
    return;
  }
  state.statues[space] = seat;
  state.statuesLeft[seat]!--;
  const terrain = terrainOf(space) as (typeof BUILDABLE)[number];
  tell?.({ type: 'built', seat, terrain, segment: segmentOf(space) });
}

/** The summon icon of the priestess brings the seat's summon disc back even if there is no lava to move (R12). */
function callPriestess(state: State, seat: Seat, tell?: Tell<Effect>): boolean {
  if (state.summons[seat]! >= 0) returnSummon(state, seat, tell);
  if (state.lava.some((discs) => discs > 0)) {
    ask(state, 'priestess', seat);
    return true;
  }
  tell?.({ type: 'useless', seat, card: 'priestess' });
  return false;
}

export const affordable = (state: State, seat: Seat): BoardCard[] =>
  BOARD_CARDS.filter((card) => state.board[card] === null && PRICES[card] <= state.kept[seat]!.shell);

function offer(state: State, step: 'buy' | 'lastBuy', seat: Seat, tell?: Tell<Effect>): boolean {
  if (affordable(state, seat).length === 0) {
    tell?.({ type: 'notAsked', seat });
    return false;
  }
  ask(state, step, seat);
  return true;
}

/** The seat pays. The priestess is used at once (R7). */
export function buy(state: State, seat: Seat, card: BoardCard, rng: Rng, tell?: Tell<Effect>): void {
  state.kept[seat]!.shell -= PRICES[card];
  state.discarded.shell += PRICES[card];
  state.board[card] = seat;
  if (card === 'priestess' && callPriestess(state, seat, tell)) return;
  proceed(state, rng, tell);
}

/** Has no effect if the supply is empty. */
function addLava(state: State, tell?: Tell<Effect>): void {
  if (state.lavaLeft === 0) {
    tell?.({ type: 'noLava', segment: state.boat });
    return;
  }
  state.lavaLeft--;
  forgetPositions(state);
  state.lava[state.boat]!++;
  tell?.({ type: 'lava', segment: state.boat });
}

/** The first scoring interrupts as soon as the last two-palm card is drawn, even if that is lava (R1). */
function refill(state: State, rng: Rng, tell?: Tell<Effect>): void {
  if (fillNotches(state, rng, tell)) startScoring(state, rng, tell);
  else endTurn(state, rng, tell);
}

/** Fills the notches at the boat; stops with true at the last two-palm card. */
function fillNotches(state: State, rng: Rng, tell?: Tell<Effect>): boolean {
  const first = NOTCHES * state.boat;
  for (let notch = first; notch < first + NOTCHES; notch++) {
    while (state.notches[notch] === null) {
      const deck = state.decks.findIndex((bag) => bagSize(bag) > 0);
      if (deck < 0) return false;
      const card = draw(state.decks[deck]!, rng);
      tell?.({ type: 'revealed', segment: state.boat, card, palms: deck + 1 });
      turnUp(state, notch, card, tell);
      if (deck === TWO_PALMS && bagSize(state.decks[deck]!) === 0) return true;
    }
  }
  return false;
}

function turnUp(state: State, notch: number, card: Kind, tell?: Tell<Effect>): void {
  if (card !== 'lava') {
    state.notches[notch] = card;
    return;
  }
  addLava(state, tell);
  state.discarded.lava++;
}

/** Only the base game sells before a scoring, first to the seat whose turn triggered it (R16). */
function startScoring(state: State, rng: Rng, tell?: Tell<Effect>): void {
  state.scoring = true;
  state.buyers = state.variant === 'base' ? [state.turn, opponent(state.turn)] : [];
  continueScoring(state, rng, tell);
}

function continueScoring(state: State, rng: Rng, tell?: Tell<Effect>): void {
  while (state.buyers.length > 0) if (offer(state, 'lastBuy', state.buyers.shift()!, tell)) return;
  score(state, tell);
  state.scoring = false;
  if (state.round === 2) {
    state.step = lastStep(state);
    return;
  }
  state.round = 2;
  // Summon discs and everything on the island stay (R14).
  for (const card of BOARD_CARDS) state.board[card] = null;
  tell?.({ type: 'roundBegan', round: 2 });
  refill(state, rng, tell);
}

export function ask(state: State, step: State['step'], seat: Seat): void {
  state.step = step;
  state.actor = seat;
}

export function endTurn(state: State, rng: Rng, tell?: Tell<Effect>): void {
  state.turn = opponent(state.turn);
  ask(state, 'turn', state.turn);
  notePosition(state);
  if (timesStood(state) === REPEATS) endByRepetition(state, rng, tell);
}

/**
 * The last scoring takes place at once, whatever the round. The seat that brought the position about buys first (R22).
 */
function endByRepetition(state: State, rng: Rng, tell?: Tell<Effect>): void {
  tell?.({ type: 'repeated' });
  state.turn = opponent(state.turn);
  state.round = 2;
  startScoring(state, rng, tell);
}
