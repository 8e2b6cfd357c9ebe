import type { Game, Rng } from '../../../src/games/game.ts';
import type { Action } from '../../../src/games/hashi/actions.ts';
import { BOARDS, CARDS, type Side } from '../../../src/games/hashi/data.ts';
import { hashi } from '../../../src/games/hashi/index.ts';
import { startWriting } from '../../../src/games/hashi/rules.ts';
import { finishedOn } from '../../../src/games/hashi/sheet.ts';
import { blankSheet, copySheet, type Sheet, type State } from '../../../src/games/hashi/state.ts';
import { lookUp } from '../../../src/games/play.ts';

/** [number, bridges] */
export type CardName = readonly number[];

export const cardIndex = ([number, bridges]: CardName): number =>
  CARDS.findIndex((card) => card.number === number && card.bridges === bridges);

/** The chance of a match in which these cards come up next. */
export function stacked(state: State, cards: readonly CardName[]): Rng {
  const queue = [...cards];
  const int = () => state.bag.indexOf(cardIndex(queue.shift() ?? [0, 0]));
  return {
    int() {
      const found = int();
      if (found < 0) throw new Error('the stacked cards ran out');
      return found;
    },
    pick: (items) => items[0]!,
    shuffle: (items) => [...items],
  };
}

/** Chance that must not be asked. */
export const noRng: Rng = {
  int: () => {
    throw new Error('chance was asked');
  },
  pick: () => {
    throw new Error('chance was asked');
  },
  shuffle: () => {
    throw new Error('chance was asked');
  },
};

/** Looks the action up like the kernel does, then applies it in place. */
export function act(state: State, seat: number, action: Action, rng: Rng = noRng): void {
  const listed = lookUp(hashi as unknown as Game, state, seat, action);
  hashi.apply(state, seat, listed as Action, rng);
}

export const offers = (state: State, seat: number, action: Action): boolean =>
  hashi.legal(state, seat).some((legal) => JSON.stringify(legal) === JSON.stringify(action));

export interface Drawing {
  /** By island id. */
  numbers?: Record<number, number>;
  /** By link id. */
  bridges?: Record<number, number>;
}

export function sheetOf(side: Side, { numbers = {}, bridges = {} }: Drawing): Sheet {
  const sheet = blankSheet(BOARDS[side]);
  for (const [island, number] of Object.entries(numbers)) sheet.numbers[Number(island)] = number;
  for (const [link, count] of Object.entries(bridges)) sheet.bridges[Number(link)] = count;
  return sheet;
}

/** A match in this round, with this card up and every seat about to write. */
export function position(setting: { side?: Side; round?: number; card: CardName; sheets: Drawing[] }): State {
  const { side = 'A', round = 1, card, sheets } = setting;
  const state = hashi.setup({ side }, sheets.length, noRng);
  const last = cardIndex(card);
  const others = CARDS.map((_, i) => i).filter((i) => i !== last);
  // The cards with 6 and 5 go first, so that a test may ask for small numbers in later rounds.
  const gone = others.reverse().slice(0, round - 1);
  state.step = 'round';
  state.drawn = [...gone, last];
  state.bag = others.filter((i) => !gone.includes(i)).sort((a, b) => a - b);
  sheets.forEach((drawing, i) => {
    const seat = state.seats[i]!;
    seat.start = sheetOf(side, drawing);
    seat.sheet = copySheet(seat.start);
    startWriting(state, seat);
  });
  return state;
}

/** What a seat does in one round; the engine may have drawn what was no decision. */
export function playRound(
  state: State,
  seat: number,
  { write, bridges }: { write: number | null; bridges: readonly number[] },
  rng: Rng = noRng,
): void {
  const round = state.drawn.length;
  act(state, seat, write === null ? { type: 'skip' } : { type: 'write', island: write }, rng);
  const { start } = state.seats[seat]!;
  while (state.drawn.length === round && state.seats[seat]!.step === 'build') {
    const drawn = state.seats[seat]!.sheet.bridges;
    const link = bridges.find((id) => bridges.filter((x) => x === id).length > drawn[id]! - start.bridges[id]!);
    act(state, seat, link === undefined ? { type: 'skip' } : { type: 'bridge', link }, rng);
  }
}

/** The finished islands of a seat. */
export const finished = (state: State, seat = 0): number[] =>
  finishedOn(BOARDS[state.side], state.seats[seat]!.sheet).flatMap((done, island) => (done ? [island] : []));
