/** Bearer tokens: what a player's devices, bots and apps sign in with. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../database/pool.ts';
import { KeyUsed, once, requestKey, writeKeyIn } from '../database/request-keys.ts';
import { refusals } from '../errors.ts';
import { isId, newId } from '../id.ts';
import { cleanTitle } from './name.ts';
import type { Player, Viewer } from './player.ts';
import { playerOf, shownPlayer } from './rows.ts';
import { openTokenCache, type TokenCache } from './token-cache.ts';

export interface Token {
  id: string;
  name: string;
  createdAt: Date;
  revokedAt: Date | null;
}

/** A token that was just made: the only time it can be read. */
export interface NewToken {
  id: string;
  name: string;
  token: string;
}

export interface Tokens {
  /**
   * Null: there is no such token, or it was revoked. Answers may be as old as the cache lets them be.
   * `beforeLookUp` is called, and may throw, before a token is looked up that was not good a while ago.
   */
  authenticate: TokenCache['viewerOf'];
  /** To be called once the tokens of these viewers have been revoked in the database. */
  forget: TokenCache['forget'];
  /** The live ones and those revoked last, newest first. */
  list(player: Player): Promise<Token[]>;
  create(player: Player, name: string, key?: string | null): Promise<NewToken>;
  revoke(player: Player, id: string): Promise<Token>;
}

const MAX_TOKENS = 50;
/** Revoked ones are never deleted, so only the last of them are listed. */
const MAX_REVOKED = 50;
/** Whoever knows the key of a request that made a token can have the token: it must not be one that can be guessed. */
const MIN_SECRET_KEY = 16;

export const hashOf = (secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(secret).digest());

const tokenOf = (bytes: Uint8Array): string => `atoll_${Buffer.from(bytes).toString('base64url')}`;

/** The token that a request with this key made, under this id. */
export const tokenByKey = (id: string, key: string): string =>
  tokenOf(createHmac('sha256', key).update(`atoll/token/${id}`).digest());

export function secretKey(key: string | null | undefined): string | null {
  if (key === null || key === undefined || key.length >= MIN_SECRET_KEY) return key ?? null;
  throw refusals.shortIdempotencyKey(MIN_SECRET_KEY);
}

/** With a key the token follows from it, because it is not kept: whoever sends the request again gets the same. */
export function newToken(playerId: string, name: string, key: string | null) {
  const id = newId();
  const token = key === null ? tokenOf(randomBytes(32)) : tokenByKey(id, key);
  return { token, row: { id, playerId, name, hash: hashOf(token) } };
}

const shownToken = { id: true, name: true, createdAt: true, revokedAt: true } as const;

export function openTokens(database: Database, now: () => number): Tokens {
  const { prisma } = database;
  const cache = openTokenCache((token) => lookUp(database, token), now);
  return {
    authenticate: cache.viewerOf,
    forget: cache.forget,
    list: ({ id }) => list(database, id),
    create: (player, name, key) => create(database, player, name, key),
    async revoke(player, id) {
      const mine = isId(id) && (await prisma.token.findFirst({ where: { id, playerId: player.id } }));
      if (!mine) throw refusals.noSuchToken();
      const revoked = await prisma.token.update({
        where: { id },
        data: { revokedAt: mine.revokedAt ?? new Date(now()) },
        select: shownToken,
      });
      cache.forget(({ tokenId }) => tokenId === id);
      return revoked;
    },
  };
}

async function lookUp({ prisma }: Database, token: string): Promise<Viewer | null> {
  const found = await prisma.token.findUnique({
    where: { hash: hashOf(token), revokedAt: null },
    select: { id: true, player: { select: shownPlayer } },
  });
  return found && { ...playerOf(found.player), tokenId: found.id };
}

async function list({ prisma }: Database, playerId: string): Promise<Token[]> {
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
}

async function create(
  { prisma, pool }: Database,
  player: Player,
  name: string,
  given: string | null | undefined,
): Promise<NewToken> {
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
}
