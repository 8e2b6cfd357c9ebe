/** The names of players, and how they are shown to others. */
import { refusals } from '../errors.ts';
import type { PlayerKind } from '../generated/prisma/enums.ts';
import { BASE32 } from '../id.ts';
import { BOT_NAMES } from './bot-accounts.ts';
import { skeleton } from './skeleton.ts';

const MAX_NAME = 40;
/** Characters that are invisible or that reverse the direction of the text after them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Joins several emoji into one, such as a family. */
const JOINER = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu;

/** The name that is shown for every deleted account. */
export const FORGOTTEN = 'Deleted player';

/** Whether `cleanTitle` would leave this text unchanged. */
const isTitle = (name: string): boolean =>
  name === name.normalize('NFC').trim() &&
  name.length >= 1 &&
  name.length <= MAX_NAME &&
  !INVISIBLE.test(name.replace(JOINER, ''));

/** Cleans a title that a person typed: trimmed, visible, and on one line. */
export function cleanTitle(what: string, name: string): string {
  const clean = name.normalize('NFC').trim();
  if (isTitle(clean)) return clean;
  throw refusals.badName(what, MAX_NAME);
}

/**
 * Whether mail programs and chats would turn the text into a link: a scheme, or words joined by a dot. Full stops of
 * other scripts count too, because browsers treat them as dots, and so do letters that only look different.
 */
export function hasLink(name: string): boolean {
  const plain = name.normalize('NFKC').replace(/[。｡．․]/gu, '.');
  return (
    /[\p{L}\p{N}_-]\.[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-]*\p{L}/u.test(plain) ||
    /:\/\/|\bhttps?:|\bmailto:|\d\.\d+\.\d+\.\d/iu.test(plain)
  );
}

/** Whether a player may have this name, for example one imported from another server. */
export const isName = (name: string): boolean => isTitle(name) && !hasLink(name);

const RESERVED = new Set([...BOT_NAMES, FORGOTTEN].map(skeleton));

/** A name that a new player may take. */
export function cleanName(name: string): string {
  const clean = cleanTitle('A player name', name);
  if (hasLink(clean)) throw refusals.nameHasLink();
  if (RESERVED.has(skeleton(clean))) throw refusals.nameReserved();
  if (/#\s*[0-9A-Z]{4}$/i.test(clean)) throw refusals.nameHasTag();
  return clean;
}

/** The columns of a player's row that decide how the player is shown. */
export interface NamedRow {
  id: string;
  name: string;
  kind: PlayerKind;
  /** Set for a kept account, which has its name to itself. */
  skeleton: string | null;
}

/**
 * Distinguishes a guest from others of the same name; null if nobody else can have the name. It follows from the id.
 */
export function tagOf({ id, kind, skeleton: own }: NamedRow): string | null {
  if (kind === 'BOT' || own !== null) return null;
  const bits = Number.parseInt(id.slice(-5), 16);
  return [15, 10, 5, 0].map((shift) => BASE32[(bits >> shift) & 31]).join('');
}

/** The last characters of the id of a guest with this tag; null if the text is not a tag. The inverse of `tagOf`. */
export function idEndOf(tag: string): string | null {
  const digits = [...tag.toUpperCase()].map((letter) => BASE32.indexOf(letter));
  if (digits.length !== 4 || digits.includes(-1)) return null;
  return digits
    .reduce((bits, digit) => bits * 32 + digit, 0)
    .toString(16)
    .padStart(5, '0');
}

/** The name of a player as people read it, with the tag that distinguishes it from others. */
export const shownName = ({ name, tag }: { name: string; tag: string | null }): string =>
  tag === null ? name : `${name} #${tag}`;

type Shown = { id: string; name: string; tag: string | null };

/** For pictures, which have little room: shows tags only where two names look alike. */
export function toldApart(players: readonly (Shown | null)[]): (string | null)[] {
  const looks = players.map((player) => player && skeleton(player.name));
  const isShared = ({ id }: Shown, look: string | null) =>
    players.some((other, i) => other && other.id !== id && looks[i] === look);
  return players.map((player, i) => player && (isShared(player, looks[i] ?? null) ? shownName(player) : player.name));
}

/** Accounts that were made before links were refused may have one in their name, which is not shown. */
export const namePart = (name: string): string => (hasLink(name) ? 'Player' : name);
