/** Accounts and their tokens. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../database/pool.ts';
import { KeyUsed, once, requestKey, writeKeyIn } from '../database/request-keys.ts';
import { refusals } from '../errors.ts';
import { isId, newId } from '../id.ts';
import { cleanName, cleanTitle, FORGOTTEN, type NamedRow, namePart, tagOf, toldApart } from './name.ts';
import type { Player, Viewer } from './player.ts';
import { skeleton } from './skeleton.ts';

export interface Token {
  id: string;
  name: string;
  createdAt: Date;
  revokedAt: Date | null;
}

export interface Players {
  /** A guest: others may have the same name, unless it belongs to a kept account. */
  register(name: string, key?: string | null): Promise<{ player: Player; token: string }>;
  /**
   * Null: there is no such token, or it was revoked. Answers may be as old as TOKEN_CACHE_MS.
   * `beforeLookUp` is called, and may throw, before a token is looked up that was not good a while ago.
   */
  authenticate(token: string, beforeLookUp?: () => void): Promise<Viewer | null>;
  /** By id, in the order asked for; null where there is none. */
  byIds(ids: readonly string[]): Promise<(Player | null)[]>;
  /** The names of those who sit at a table, by seat, told apart where two look alike; null where nobody does. */
  namesOf(seats: readonly (string | null)[]): Promise<(string | null)[]>;
  /** The live ones and those revoked last, newest first. */
  tokens(player: Player): Promise<Token[]>;
  createToken(player: Player, name: string, key?: string | null): Promise<{ id: string; name: string; token: string }>;
  revokeToken(player: Player, id: string): Promise<Token>;
  /** Forgets the name, the webhooks and the e-mail address, and ends every token; what the player did stays. */
  remove(player: Player): Promise<Player>;
}

/** How long another server may go on trusting a revoked token: well within the promised 30 seconds. */
const TOKEN_CACHE_MS = 10_000;
/** In whose place registrations keep their keys. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const MAX_CACHED_TOKENS = 10_000;
const MAX_TOKENS = 50;
/** Revoked ones are never deleted, so only the last of them are listed. */
const MAX_REVOKED = 50;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Whoever knows the key of a request that made a token can have the token: it must not be one that can be guessed. */
const MIN_SECRET_KEY = 16;

const tokenOf = (bytes: Uint8Array): string => `atoll_${Buffer.from(bytes).toString('base64url')}`;
const tokenByKey = (id: string, key: string): string =>
  tokenOf(createHmac('sha256', key).update(`atoll/token/${id}`).digest());

function secretKey(key: string | null | undefined): string | null {
  if (key === null || key === undefined || key.length >= MIN_SECRET_KEY) return key ?? null;
  throw refusals.shortIdempotencyKey(MIN_SECRET_KEY);
}

const shownPlayer = { id: true, name: true, kind: true, skeleton: true } as const;

const playerOf = (row: NamedRow): Player => {
  const { id, name, kind } = row;
  return { id, name: namePart(name), kind, tag: tagOf(row) };
};

const shownToken = { id: true, name: true, createdAt: true, revokedAt: true } as const;

interface Cached {
  viewer: Viewer;
  until: number;
}

export function openPlayers({ prisma, pool }: Database, now: () => number = Date.now): Players {
  /** Good tokens only, those looked up last at the end: whoever guesses can push none out. */
  const cache = new Map<string, Cached>();
  let revocations = 0;

  /** After the commit, or a request that comes in between would be remembered again. */
  function forget(isGone: (viewer: Viewer) => boolean): void {
    revocations++;
    for (const [token, { viewer }] of cache) if (isGone(viewer)) cache.delete(token);
  }

  function remember(token: string, viewer: Viewer): void {
    cache.delete(token);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED_TOKENS) cache.delete(oldest);
    cache.set(token, { viewer, until: now() + TOKEN_CACHE_MS });
  }

  /** With a key the token follows from it, because it is not kept: whoever sends the request again gets the same. */
  function newToken(playerId: string, name: string, key: string | null) {
    const id = newId();
    const token = key === null ? tokenOf(randomBytes(32)) : tokenByKey(id, key);
    return { token, row: { id, playerId, name, hash: new Uint8Array(hashOf(token)) } };
  }

  async function lookUp(token: string): Promise<Viewer | null> {
    const found = await prisma.token.findUnique({
      where: { hash: new Uint8Array(hashOf(token)), revokedAt: null },
      select: { id: true, player: { select: shownPlayer } },
    });
    return found && { ...playerOf(found.player), tokenId: found.id };
  }

  const byIds: Players['byIds'] = async (ids) => {
    const rows = await prisma.player.findMany({
      where: { id: { in: [...new Set(ids)] } },
      select: shownPlayer,
    });
    const found = new Map(rows.map((row) => [row.id, playerOf(row)]));
    return ids.map((id) => found.get(id) ?? null);
  };

  return {
    async register(name, given) {
      const clean = cleanName(name);
      const key = secretKey(given);
      const request = requestKey(NOBODY, key, 'register', { name: clean });
      const again = async (made: string) => {
        const { player } = await prisma.token.findUniqueOrThrow({
          where: { id: made },
          select: { player: { select: shownPlayer } },
        });
        return { player: playerOf(player), token: tokenByKey(made, key as string) };
      };
      return once(pool, request, again, async () => {
        if (await prisma.player.findUnique({ where: { skeleton: skeleton(clean) }, select: { id: true } }))
          throw refusals.nameTaken();
        const data = { id: newId(), name: clean, kind: 'HUMAN' as const };
        const { token, row } = newToken(data.id, 'first', key);
        await prisma.$transaction(async (tx) => {
          if (request && !(await writeKeyIn(tx, request, row.id))) throw new KeyUsed();
          await tx.player.create({ data });
          await tx.token.create({ data: row });
        });
        return { player: playerOf({ ...data, skeleton: null }), token };
      });
    },

    async authenticate(token, beforeLookUp) {
      const known = cache.get(token);
      if (known && known.until > now()) return known.viewer;
      if (!known) beforeLookUp?.();
      const before = revocations;
      const viewer = await lookUp(token);
      if (!viewer) cache.delete(token);
      else if (before === revocations) remember(token, viewer); // else it may have been revoked meanwhile
      return viewer;
    },

    byIds,

    async namesOf(seats) {
      const found = await byIds(seats.filter((id) => id !== null));
      const players = new Map(found.map((player) => [player?.id, player]));
      return toldApart(seats.map((id) => (id && players.get(id)) || null));
    },

    async tokens({ id: playerId }) {
      const [live, revoked] = await prisma.$transaction(
        [
          prisma.token.findMany({ where: { playerId, revokedAt: null }, select: shownToken }),
          prisma.token.findMany({
            where: { playerId, revokedAt: { not: null } },
            orderBy: [{ revokedAt: 'desc' }, { id: 'desc' }],
            take: MAX_REVOKED,
            select: shownToken,
          }),
        ],
        { isolationLevel: 'RepeatableRead' }, // or one that is revoked in between would come twice
      );
      return [...live, ...revoked].sort((a, b) => (a.id < b.id ? 1 : -1));
    },

    async createToken(player, name, given) {
      const clean = cleanTitle('A token name', name);
      const key = secretKey(given);
      const request = requestKey(player.id, key, 'token', { name: clean });
      const again = async (id: string) => ({ id, name: clean, token: tokenByKey(id, key as string) });
      return once(pool, request, again, async () => {
        const live = await prisma.token.count({ where: { playerId: player.id, revokedAt: null } });
        if (live >= MAX_TOKENS) throw refusals.tooManyTokens(MAX_TOKENS);
        const { token, row } = newToken(player.id, clean, key);
        await prisma.$transaction(async (tx) => {
          if (request && !(await writeKeyIn(tx, request, row.id))) throw new KeyUsed();
          await tx.token.create({ data: row });
        });
        return { id: row.id, name: clean, token };
      });
    },

    async revokeToken(player, id) {
      const mine = isId(id) && (await prisma.token.findFirst({ where: { id, playerId: player.id } }));
      if (!mine) throw refusals.noSuchToken();
      const revoked = await prisma.token.update({
        where: { id },
        data: { revokedAt: mine.revokedAt ?? new Date(now()) },
        select: shownToken,
      });
      forget(({ tokenId }) => tokenId === id);
      return revoked;
    },

    async remove({ id }) {
      const [player] = await prisma.$transaction([
        prisma.player.update({
          where: { id },
          data: { name: FORGOTTEN, skeleton: null },
          select: shownPlayer,
        }),
        prisma.token.updateMany({
          where: { playerId: id, revokedAt: null },
          data: { revokedAt: new Date(now()) },
        }),
        prisma.token.updateMany({ where: { playerId: id }, data: { name: FORGOTTEN } }),
        prisma.webhook.deleteMany({ where: { playerId: id } }),
        prisma.email.deleteMany({ where: { playerId: id } }),
      ]);
      forget((viewer) => viewer.id === id);
      return playerOf(player);
    },
  };
}
