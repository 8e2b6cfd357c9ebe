import { BOARDS, type Board, type Bonus, CARDS, type Card, ISLANDS, type Side } from './data.ts';

/** Lists are indexed by island or link id; slot 0 is unused, so that an id is its own index. */
export interface Sheet {
  /** By island; 0 = blank. */
  numbers: number[];
  /** By link: 0, 1 or 2. */
  bridges: number[];
  /** How many numbers and bridges of cards were skipped. */
  unwritten: number;
  undrawn: number;
}

export type SeatStep = 'preset' | 'write' | 'build' | 'ready';

export interface SeatState {
  step: SeatStep;
  /** Bridges of the card that this seat still has to draw. */
  left: number;
  /** The sheet when the round began, which is what all others see until the round is over. */
  start: Sheet;
  sheet: Sheet;
  bonuses: Record<Bonus, { round: number; points: number } | null>;
}

export interface State {
  side: Side;
  /** Other games call their last step 'over'; matches of rules 1 are stored and hashed with 'end'. */
  step: 'preset' | 'round' | 'end';
  /** Indexes into CARDS. The card that is left after the 17th draw is the one that was put back unseen. */
  bag: number[];
  drawn: number[];
  seats: SeatState[];
}

export const boardOf = (state: State): Board => BOARDS[state.side];

/** 0 before the first card. */
export const roundOf = (state: State): number => state.drawn.length;

export const cardOf = (state: State): Card => CARDS[state.drawn[state.drawn.length - 1]!]!;

export const blankSheet = (board: Board): Sheet => ({
  numbers: new Array(ISLANDS + 1).fill(0),
  bridges: new Array(board.links.length + 1).fill(0),
  unwritten: 0,
  undrawn: 0,
});

export const copySheet = (sheet: Sheet): Sheet => ({
  numbers: sheet.numbers.slice(),
  bridges: sheet.bridges.slice(),
  unwritten: sheet.unwritten,
  undrawn: sheet.undrawn,
});

export const copySeat = ({ step, left, start, sheet, bonuses }: SeatState): SeatState => ({
  step,
  left,
  start: copySheet(start),
  sheet: copySheet(sheet),
  bonuses: {
    red: bonuses.red && { ...bonuses.red },
    blue: bonuses.blue && { ...bonuses.blue },
    chain: bonuses.chain && { ...bonuses.chain },
  },
});

export const copyState = (state: State): State => ({
  side: state.side,
  step: state.step,
  bag: state.bag.slice(),
  drawn: state.drawn.slice(),
  seats: state.seats.map(copySeat),
});
