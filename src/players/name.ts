import { AtollError } from '../errors.ts';

const MAX_NAME = 40;
/** What cannot be seen, or turns what follows around. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Joins several pictures to one, as in a family. */
const JOINER = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu;

/** Whether this is a name as `cleanName` leaves it. */
export const isName = (name: string): boolean =>
  name === name.normalize('NFC').trim() &&
  name.length >= 1 &&
  name.length <= MAX_NAME &&
  !INVISIBLE.test(name.replace(JOINER, ''));

/** A name or title as people type it: trimmed, visible, on one line. */
export function cleanName(what: string, name: string): string {
  const clean = name.normalize('NFC').trim();
  if (isName(clean)) return clean;
  throw new AtollError('BAD_INPUT', `${what} has 1 to ${MAX_NAME} characters, all of them visible`);
}
