import type { Rng, Seat } from '../game.ts';
import type { Action, Bridge, Preset, Skip, Write } from './actions.ts';
import { BOARDS, CARDS, PRESETS, ROUNDS, type Side } from './data.ts';
import { type Tell, type TellSheet, tellSheet } from './effects.ts';
import { awardBonuses, tellScores } from './scoring.ts';
import { drawable, finishedOn, writable } from './sheet.ts';
import { blankSheet, boardOf, cardOf, copySheet, type SeatState, type SeatStep, type State } from './state.ts';

export function setup(side: Side, seats: number): State {
  const board = BOARDS[side];
  const seat = (): SeatState => ({
    step: 'preset',
    left: 0,
    start: blankSheet(board),
    sheet: blankSheet(board),
    bonuses: { red: null, blue: null, chain: null },
  });
  return { side, step: 'preset', bag: CARDS.map((_, i) => i), drawn: [], seats: Array.from({ length: seats }, seat) };
}

/** What a seat can do in a step, and what then happens on its sheet. */
interface Step<A extends Action = Action> {
  legal(state: State, seat: SeatState): A[];
  apply(state: State, seat: SeatState, action: A, tell?: TellSheet): void;
}

const preset: Step<Preset> = {
  legal(state) {
    const unflagged = boardOf(state).islands.filter(({ flag }) => flag === null);
    return unflagged.flatMap(({ id: island }) => PRESETS.map((number): Preset => ({ type: 'preset', island, number })));
  },
  apply(_state, seat, { island, number }) {
    seat.sheet.numbers[island] = number;
    seat.step = 'ready';
  },
};

const write: Step<Write | Skip> = {
  legal(state, seat) {
    const islands = writable(boardOf(state), seat.sheet, cardOf(state).number);
    const list: (Write | Skip)[] = islands.map((island) => ({ type: 'write', island }));
    list.push({ type: 'skip' });
    return list;
  },
  apply(state, seat, action, tell) {
    if (action.type === 'skip') seat.sheet.unwritten++;
    else writeNumber(state, seat, action.island, tell);
    startBuilding(state, seat, tell);
  },
};

const build: Step<Bridge | Skip> = {
  legal(state, seat) {
    const links = drawable(boardOf(state), seat.sheet, seat.left);
    const list: (Bridge | Skip)[] = links.map((link) => ({ type: 'bridge', link }));
    // All or nothing: bridges can be skipped only before the first one is drawn.
    if (seat.left === cardOf(state).bridges) list.push({ type: 'skip' });
    return list;
  },
  apply(state, seat, action, tell) {
    if (action.type === 'skip') return skipBuilding(seat);
    drawBridge(state, seat, action.link, tell);
    drawForced(state, seat, tell);
  },
};

const ready: Step = { legal: () => [], apply: () => {} };

const STEPS: Record<SeatStep, Step> = { preset, write, build, ready };

export const legalFor = (state: State, seat: SeatState): Action[] => STEPS[seat.step].legal(state, seat);

/** The action on the seat's own sheet, without what follows when it was the last one of the round. */
export const act = (state: State, seat: SeatState, action: Action, tell?: TellSheet): void =>
  STEPS[seat.step].apply(state, seat, action, tell);

export function apply(state: State, seat: Seat, action: Action, rng: Rng, tell?: Tell): void {
  act(state, state.seats[seat]!, action, tellSheet(tell, seat));
  while (state.step !== 'end' && state.seats.every(({ step }) => step === 'ready')) nextRound(state, rng, tell);
}

function nextRound(state: State, rng: Rng, tell?: Tell): void {
  if (state.step === 'preset') passLeft(state, tell);
  else awardBonuses(state, tell);
  if (state.drawn.length === ROUNDS) {
    state.step = 'end';
    if (tell) tellScores(state, tell);
    return;
  }
  state.step = 'round';
  state.drawn.push(...state.bag.splice(rng.int(state.bag.length), 1));
  tell?.({ type: 'card', round: state.drawn.length, ...cardOf(state) });
  state.seats.forEach((seat, i) => {
    seat.start = copySheet(seat.sheet);
    startWriting(state, seat, tellSheet(tell, i));
  });
}

/** The left neighbour is the next seat; alone, the sheet stays (ruling R7). */
function passLeft(state: State, tell?: Tell): void {
  if (state.seats.length > 1) tell?.({ type: 'passed' });
  const sheets = state.seats.map(({ sheet }) => sheet);
  state.seats.forEach((seat, i) => {
    seat.sheet = sheets.at(i - 1)!;
  });
}

export function startWriting(state: State, seat: SeatState, tell?: TellSheet): void {
  const { number, bridges } = cardOf(state);
  seat.step = 'write';
  seat.left = bridges;
  if (writable(boardOf(state), seat.sheet, number).length > 0) return;
  seat.sheet.unwritten++;
  tell?.({ type: 'cannotWrite', number });
  startBuilding(state, seat, tell);
}

function startBuilding(state: State, seat: SeatState, tell?: TellSheet): void {
  seat.step = 'build';
  if (drawable(boardOf(state), seat.sheet, seat.left).length > 0) return;
  // Too few bridges fit: the step must be skipped (ruling R5).
  tell?.({ type: 'cannotBuild', bridges: seat.left });
  skipBuilding(seat);
}

function skipBuilding(seat: SeatState): void {
  seat.sheet.undrawn += seat.left;
  seat.left = 0;
  seat.step = 'ready';
}

function writeNumber(state: State, seat: SeatState, island: number, tell?: TellSheet): void {
  const before = tell && finishedOn(boardOf(state), seat.sheet);
  seat.sheet.numbers[island] = cardOf(state).number;
  if (before) tellFinished(state, seat, before, tell);
}

function drawBridge(state: State, seat: SeatState, link: number, tell?: TellSheet): void {
  const before = tell && finishedOn(boardOf(state), seat.sheet);
  seat.sheet.bridges[link]!++;
  seat.left--;
  if (before) tellFinished(state, seat, before, tell);
}

function tellFinished(state: State, { sheet }: SeatState, before: readonly boolean[], tell: TellSheet): void {
  finishedOn(boardOf(state), sheet).forEach((done, island) => {
    if (done && !before[island]) tell({ type: 'finished', island, number: sheet.numbers[island]! });
  });
}

/** Bridges that were begun must be completed: if the next one fits on one link only, there is nothing to decide. */
function drawForced(state: State, seat: SeatState, tell?: TellSheet): void {
  while (seat.left > 0) {
    const links = drawable(boardOf(state), seat.sheet, seat.left);
    if (links.length > 1) return;
    const { id, a, b } = boardOf(state).links[links[0]! - 1]!;
    tell?.({ type: 'bridge', link: id, a, b });
    drawBridge(state, seat, id, tell);
  }
  seat.step = 'ready';
}
