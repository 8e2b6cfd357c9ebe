/** An obligation that does not hold. */
export class Broken extends Error {}

export function must(condition: boolean, obligation: string): asserts condition {
  if (!condition) throw new Broken(obligation);
}

/** What shows that something was put into a text without being looked at. */
const SLIPS = /undefined|NaN|\[object/;

/** A text that a person reads: not empty, and made of words. */
export const saysSomething = (text: string): boolean => text.trim().length > 0 && !SLIPS.test(text);
