import type { Work } from '../../src/api/http/limits/work.ts';

/** Work that nobody pays for. */
export const freeWork: Work = {
  who: 'test',
  pay: () => {},
  owe: () => {},
  giveBack: () => {},
  answer: () => {},
  turn: () => undefined,
  debtMs: () => 0,
};
