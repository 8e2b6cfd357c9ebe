/** Accounts and their tokens. */
import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/pool.ts';
import { AtollError } from '../errors.ts';
import type { PlayerKind } from '../generated/prisma/enums.ts';
import { isId, newId } from '../id.ts';
import { cleanName } from './name.ts';

export interface Player {
  id: string;
  name: string;
  kind: PlayerKind;
}

/** Who makes a request: the player and the token it was made with. */
export interface Viewer extends Player {
  tokenId: string;
}

export interface Token {
  id: string;
  name: string;
  createdAt: Date;
  revokedAt: Date | null;
}

export interface Players {
  register(name: string): Promise<{ player: Player; token: string }>;
  /**
   * Null: there is no such token, or it was revoked. Answers may be as old as TOKEN_CACHE_MS.
   * `beforeLookUp` is called, and may throw, before a token is looked up that was not good a while ago.
   */
  authenticate(token: string, beforeLookUp?: () => void): Promise<Viewer | null>;
  /** By id, in the order asked for; null where there is none. */
  byIds(ids: readonly string[]): Promise<(Player | null)[]>;
  /** The live ones and those revoked last, newest first. */
  tokens(player: Player): Promise<Token[]>;
  createToken(player: Player, name: string): Promise<{ id: string; name: string; token: string }>;
  revokeToken(player: Player, id: string): Promise<Token>;
  /** Forgets the name, the webhooks and the e-mail address, and ends every token; what the player did stays. */
  remove(player: Player): Promise<Player>;
}

/** How long another server may go on trusting a revoked token: well within the promised 30 seconds. */
const TOKEN_CACHE_MS = 10_000;
const MAX_CACHED_TOKENS = 10_000;
const MAX_TOKENS = 50;
/** Revoked ones are never deleted, so only the last of them are listed. */
const MAX_REVOKED = 50;
const FORGOTTEN = 'Deleted player';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const shownToken = { id: true, name: true, createdAt: true, revokedAt: true } as const;

interface Cached {
  viewer: Viewer;
  until: number;
}

export function openPlayers({ prisma }: Database, now: () => number = Date.now): Players {
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

  async function newToken(playerId: string, name: string) {
    const token = `atoll_${randomBytes(32).toString('base64url')}`;
    const id = newId();
    return { token, row: { id, playerId, name, hash: new Uint8Array(hashOf(token)) } };
  }

  async function lookUp(token: string): Promise<Viewer | null> {
    const found = await prisma.token.findUnique({
      where: { hash: new Uint8Array(hashOf(token)), revokedAt: null },
      select: { id: true, player: { select: { id: true, name: true, kind: true } } },
    });
    return found && { ...found.player, tokenId: found.id };
  }

  return {
    async register(name) {
      const player = { id: newId(), name: cleanName('A player name', name), kind: 'HUMAN' as const };
      const { token, row } = await newToken(player.id, 'first');
      await prisma.$transaction([prisma.player.create({ data: player }), prisma.token.create({ data: row })]);
      return { player, token };
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

    async byIds(ids) {
      const rows = await prisma.player.findMany({
        where: { id: { in: [...new Set(ids)] } },
        select: { id: true, name: true, kind: true },
      });
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id) ?? null);
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

    async createToken(player, name) {
      const clean = cleanName('A token name', name);
      const live = await prisma.token.count({ where: { playerId: player.id, revokedAt: null } });
      if (live >= MAX_TOKENS)
        throw new AtollError('BAD_INPUT', `A player has at most ${MAX_TOKENS} tokens: revoke one first`);
      const { token, row } = await newToken(player.id, clean);
      await prisma.token.create({ data: row });
      return { id: row.id, name: clean, token };
    },

    async revokeToken(player, id) {
      const mine = isId(id) && (await prisma.token.findFirst({ where: { id, playerId: player.id } }));
      if (!mine) throw new AtollError('NOT_FOUND', 'You have no such token');
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
          data: { name: FORGOTTEN },
          select: { id: true, name: true, kind: true },
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
      return player;
    },
  };
}
