/** An obligation that does not hold. */
export class Broken extends Error {}

export function must(condition: boolean, obligation: string): asserts condition {
  if (!condition) throw new Broken(obligation);
}

/** Signs that a value was put into a text by mistake. */
const SLIPS = /undefined|NaN|\[object/;

/** A text that a person reads: not empty, and made of words. */
export const saysSomething = (text: string): boolean => text.trim().length > 0 && !SLIPS.test(text);
