/** Short texts from callers that are stored exactly as they came. */
import { refusals } from '../../errors.ts';

const MAX_TEXT = 100;

/**
 * PostgreSQL cannot store NUL, and half a surrogate pair would be read back as a different text than the one that was
 * hashed.
 */
export const isText = (value: string): boolean => !/[\0\p{Cs}]/u.test(value);

export function shortText(what: string, value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (value.length >= 1 && value.length <= MAX_TEXT && isText(value)) return value;
  throw refusals.badText(what, MAX_TEXT);
}
