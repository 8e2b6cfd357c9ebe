import type { Work } from '../../src/api/http/limits/work.ts';

/** Counts no work and charges nothing. */
export const freeWork: Work = {
  who: 'test',
  pay: () => {},
  owe: () => 0,
  giveBack: () => {},
  answer: () => {},
  turn: () => undefined,
  debtMs: () => 0,
};
