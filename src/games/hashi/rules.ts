import type { Rng, Seat } from '../game.ts';
import type { Action, Bridge, Preset, Skip, Write } from './actions.ts';
import { BOARDS, CARDS, PRESETS, ROUNDS, type Side } from './data.ts';
import { awardBonuses } from './scoring.ts';
import { drawable, writable } from './sheet.ts';
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
  apply(state: State, seat: SeatState, action: A): void;
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
  apply(state, seat, action) {
    if (action.type === 'write') seat.sheet.numbers[action.island] = cardOf(state).number;
    else seat.sheet.unwritten++;
    startBuilding(state, seat);
  },
};

const build: Step<Bridge | Skip> = {
  legal(state, seat) {
    const links = drawable(boardOf(state), seat.sheet, seat.left);
    const list: (Bridge | Skip)[] = links.map((link) => ({ type: 'bridge', link }));
    // All or nothing: only who has not begun may let it be.
    if (seat.left === cardOf(state).bridges) list.push({ type: 'skip' });
    return list;
  },
  apply(state, seat, action) {
    if (action.type === 'skip') return skipBuilding(seat);
    drawBridge(seat, action.link);
    drawForced(state, seat);
  },
};

const ready: Step = { legal: () => [], apply: () => {} };

const STEPS: Record<SeatStep, Step> = { preset, write, build, ready };

export const legalFor = (state: State, seat: SeatState): Action[] => STEPS[seat.step].legal(state, seat);

/** The action on the seat's own sheet, without what follows when it was the last one of the round. */
export const act = (state: State, seat: SeatState, action: Action): void => STEPS[seat.step].apply(state, seat, action);

export function apply(state: State, seat: Seat, action: Action, rng: Rng): void {
  act(state, state.seats[seat]!, action);
  while (state.step !== 'end' && state.seats.every(({ step }) => step === 'ready')) nextRound(state, rng);
}

function nextRound(state: State, rng: Rng): void {
  if (state.step === 'preset') passLeft(state);
  else awardBonuses(state);
  if (state.drawn.length === ROUNDS) {
    state.step = 'end';
    return;
  }
  state.step = 'round';
  state.drawn.push(...state.bag.splice(rng.int(state.bag.length), 1));
  for (const seat of state.seats) {
    seat.start = copySheet(seat.sheet);
    startWriting(state, seat);
  }
}

/** The left neighbour is the next seat; alone, the sheet stays (ruling 7). */
function passLeft(state: State): void {
  const sheets = state.seats.map(({ sheet }) => sheet);
  state.seats.forEach((seat, i) => {
    seat.sheet = sheets.at(i - 1)!;
  });
}

export function startWriting(state: State, seat: SeatState): void {
  seat.step = 'write';
  seat.left = cardOf(state).bridges;
  if (writable(boardOf(state), seat.sheet, cardOf(state).number).length > 0) return;
  seat.sheet.unwritten++;
  startBuilding(state, seat);
}

function startBuilding(state: State, seat: SeatState): void {
  seat.step = 'build';
  // Too few bridges fit: the step must be skipped (ruling 5).
  if (drawable(boardOf(state), seat.sheet, seat.left).length === 0) skipBuilding(seat);
}

function skipBuilding(seat: SeatState): void {
  seat.sheet.undrawn += seat.left;
  seat.left = 0;
  seat.step = 'ready';
}

function drawBridge(seat: SeatState, link: number): void {
  seat.sheet.bridges[link]!++;
  seat.left--;
}

/** Bridges that were begun must be completed: where only one link is left for the next one, it is no decision. */
function drawForced(state: State, seat: SeatState): void {
  while (seat.left > 0) {
    const links = drawable(boardOf(state), seat.sheet, seat.left);
    if (links.length > 1) return;
    drawBridge(seat, links[0]!);
  }
  seat.step = 'ready';
}
