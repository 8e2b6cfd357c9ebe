/** How players find each other, and what each of them shows to others. */
import type { Database } from '../database/pool.ts';
import { refusals } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { isId } from '../id.ts';
import { FORGOTTEN, idEndOf, type NamedRow } from './name.ts';
import type { Player } from './player.ts';
import { playerOf, shownPlayer } from './rows.ts';
import { skeleton } from './skeleton.ts';

/** What other people may see of a player. */
export interface Privacy {
  listed: boolean;
  matches: boolean;
  online: boolean;
}

export type PrivacyInput = { [Key in keyof Privacy]?: boolean | null };

export interface SearchInput {
  search?: string | null;
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

export interface Profiles {
  /**
   * Finds a player by id, or by name with or without a tag; null if there is none, or if several guests have the name.
   */
  find(caller: Player | null, by: { id?: string | null; name?: string | null }): Promise<Player | null>;
  /**
   * Players whose names begin with the search text, newest first; all players if there is none. Bots are not listed.
   */
  search(input: SearchInput): Promise<{ players: Player[]; more: boolean }>;
  privacy(playerId: string): Promise<Privacy>;
  /** Changes only the settings that are given. */
  setPrivacy(player: Player, input: PrivacyInput): Promise<Privacy>;
  /** Whether this caller may see the matches of that player. */
  showsMatches(playerId: string, caller: Player | null): Promise<boolean>;
  /** Throws unless the text is the player's name, with or without its tag. */
  confirm(player: Player, text: string | null | undefined): void;
  /** Forgets the player's settings and presence. */
  forget(playerId: string): Promise<void>;
}

export const MAX_PLAYERS = 100;
const MAX_SEARCH = 60;
const EVERYTHING: Privacy = { listed: true, matches: true, online: true };
const shownPrivacy = { listed: true, matches: true, online: true } as const;

const COLUMNS = Prisma.sql`p.id, p.name, p.kind, p.skeleton`;
const LISTED = Prisma.sql`NOT EXISTS (SELECT FROM privacy v WHERE v.player_id = p.id AND NOT v.listed)
  AND p.name <> ${FORGOTTEN}`;

/** What players must fulfil to be on this page of those whose names begin with a text. */
function conditionsOf(begins: string, after: string | null | undefined, before: string | null | undefined) {
  const conditions = [Prisma.sql`p.kind = 'HUMAN'`, LISTED];
  // A range instead of LIKE: statements are planned before their values are known, and then only a range uses the
  // index.
  if (begins) {
    conditions.push(Prisma.sql`lower(p.name) ~>=~ lower(${begins})`);
    conditions.push(Prisma.sql`lower(p.name) ~<~ (lower(${begins}) || chr(1114111))`);
  }
  if (after) conditions.push(Prisma.sql`p.id < ${after}::uuid`);
  if (before) conditions.push(Prisma.sql`p.id > ${before}::uuid`);
  return conditions;
}

export function openProfiles({ prisma }: Database): Profiles {
  const rows = (where: Prisma.Sql, limit: number, fromOldest = false) => {
    const order = fromOldest ? Prisma.sql`p.id` : Prisma.sql`p.id DESC`;
    return prisma.$queryRaw<NamedRow[]>(
      Prisma.sql`SELECT ${COLUMNS} FROM players p WHERE ${where} ORDER BY ${order} LIMIT ${limit}`,
    );
  };

  /** The account that owns the name, or the only guest or bot that has it. */
  async function byName(name: string): Promise<NamedRow | null> {
    const [, plain = name, tag] = /^(.*?)\s*#\s*([0-9A-Za-z]{4})$/.exec(name.trim()) ?? [];
    const same = Prisma.sql`lower(p.name) = lower(${plain.normalize('NFC').trim()}) AND ${LISTED}`;
    if (tag !== undefined) {
      const end = idEndOf(tag);
      if (end === null) return null;
      const tagged = Prisma.sql`${same} AND p.skeleton IS NULL AND p.kind = 'HUMAN' AND right(p.id::text, 5) = ${end}`;
      return (await rows(tagged, 1))[0] ?? null;
    }
    const [own] = await rows(Prisma.sql`p.skeleton = ${skeleton(plain)} AND ${LISTED}`, 1);
    if (own) return own;
    const [one, another] = await rows(same, 2);
    return one && !another ? one : null;
  }

  const privacy = async (playerId: string): Promise<Privacy> =>
    (await prisma.privacy.findUnique({ where: { playerId }, select: shownPrivacy })) ?? EVERYTHING;

  return {
    async find(caller, { id, name }) {
      if ((id == null) === (name == null)) throw refusals.idOrName();
      if (id != null) {
        const row = isId(id) ? await prisma.player.findUnique({ where: { id }, select: shownPlayer }) : null;
        return row && playerOf(row);
      }
      if ((name as string).length > MAX_SEARCH || /\0/.test(name as string)) return null;
      const row = await byName(name as string);
      if (row) return playerOf(row);
      // A player who is not listed can still find their own profile.
      return caller && (name === caller.name || name === `${caller.name} #${caller.tag}`) ? caller : null;
    },

    async search({ search, first, after, last, before }) {
      const fromEnd = last != null;
      const limit = last ?? first ?? 20;
      if (limit < 1 || limit > MAX_PLAYERS)
        throw fromEnd ? refusals.badLast(MAX_PLAYERS) : refusals.badFirst(MAX_PLAYERS);
      if (after != null && !isId(after)) throw refusals.badCursor();
      if (before != null && !isId(before)) throw refusals.badCursor('before');
      const begins = search?.normalize('NFC').trim() ?? '';
      if (begins.length > MAX_SEARCH || /[\0\p{Cs}]/u.test(begins)) throw refusals.badText('search', MAX_SEARCH);
      const found = await rows(Prisma.join(conditionsOf(begins, after, before), ' AND '), limit + 1, fromEnd);
      const page = found.slice(0, limit).map(playerOf);
      return { players: fromEnd ? page.reverse() : page, more: found.length > limit };
    },

    privacy,

    async setPrivacy({ id: playerId }, input) {
      const given = Object.fromEntries(Object.entries(input).filter(([, value]) => typeof value === 'boolean'));
      return prisma.privacy.upsert({
        where: { playerId },
        create: { playerId, ...given },
        update: given,
        select: shownPrivacy,
      });
    },

    async showsMatches(playerId, caller) {
      return caller?.id === playerId || (await privacy(playerId)).matches;
    },

    confirm({ name, tag }, text) {
      const given = text?.normalize('NFC').trim();
      if (given === name || (tag !== null && given === `${name} #${tag}`)) return;
      throw refusals.notConfirmed(name);
    },

    async forget(playerId) {
      await prisma.$transaction([
        prisma.privacy.deleteMany({ where: { playerId } }),
        prisma.presence.deleteMany({ where: { playerId } }),
      ]);
    },
  };
}
