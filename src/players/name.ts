/** What people call themselves, and how they are shown to others. */
import { refusals } from '../errors.ts';
import type { PlayerKind } from '../generated/prisma/enums.ts';
import { BOT_NAMES } from './bot-accounts.ts';
import { skeleton } from './skeleton.ts';

const MAX_NAME = 40;
/** Characters that cannot be seen, or that reverse the direction of the text after them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Joins several emoji into one, as in a family. */
const JOINER = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu;

/** The name of all whose account was deleted. */
export const FORGOTTEN = 'Deleted player';

/** Whether this is a name or title as `cleanTitle` leaves it. */
const isTitle = (name: string): boolean =>
  name === name.normalize('NFC').trim() &&
  name.length >= 1 &&
  name.length <= MAX_NAME &&
  !INVISIBLE.test(name.replace(JOINER, ''));

/** A title as people type it: trimmed, visible, on one line. */
export function cleanTitle(what: string, name: string): string {
  const clean = name.normalize('NFC').trim();
  if (isTitle(clean)) return clean;
  throw refusals.badName(what, MAX_NAME);
}

/**
 * What mail programs and chats make a link of: a scheme, or words with a dot between them. Full stops of other scripts
 * count, because browsers take them for dots, and so do letters that only look different.
 */
export function hasLink(name: string): boolean {
  const plain = name.normalize('NFKC').replace(/[。｡．․]/gu, '.');
  return (
    /[\p{L}\p{N}_-]\.[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-]*\p{L}/u.test(plain) ||
    /:\/\/|\bhttps?:|\bmailto:|\d\.\d+\.\d+\.\d/iu.test(plain)
  );
}

/** Whether a player may have this name: one of another server, say. */
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

/** A row of the table of players, as far as it matters to how the player is shown. */
export interface NamedRow {
  id: string;
  name: string;
  kind: PlayerKind;
  /** Of an account that is kept: its name is its own. */
  skeleton: string | null;
}

/** Crockford's letters and digits: none looks like another. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** What tells a guest from others of the same name; null where no other can have the name. It follows from the id. */
export function tagOf({ id, kind, skeleton: own }: NamedRow): string | null {
  if (kind === 'BOT' || own !== null) return null;
  const bits = Number.parseInt(id.slice(-5), 16);
  return [15, 10, 5, 0].map((shift) => LETTERS[(bits >> shift) & 31]).join('');
}

/** How the id of a guest with this tag ends, the other way round; null: that is no tag. */
export function idEndOf(tag: string): string | null {
  const digits = [...tag.toUpperCase()].map((letter) => LETTERS.indexOf(letter));
  if (digits.length !== 4 || digits.includes(-1)) return null;
  return digits
    .reduce((bits, digit) => bits * 32 + digit, 0)
    .toString(16)
    .padStart(5, '0');
}

/** The name of a player, with what tells it from others, as people are to read it. */
export const shownName = ({ name, tag }: { name: string; tag: string | null }): string =>
  tag === null ? name : `${name} #${tag}`;

type Shown = { id: string; name: string; tag: string | null };

/** For a picture, which has little room: tags only where two names look alike. */
export function toldApart(players: readonly (Shown | null)[]): (string | null)[] {
  const looks = players.map((player) => player && skeleton(player.name));
  const isShared = ({ id }: Shown, look: string | null) =>
    players.some((other, i) => other && other.id !== id && looks[i] === look);
  return players.map((player, i) => player && (isShared(player, looks[i] ?? null) ? shownName(player) : player.name));
}

/** Accounts from before links were refused may have one in their name: it is not shown. */
export const namePart = (name: string): string => (hasLink(name) ? 'Player' : name);
