/** Bearer tokens, with which a player's devices, bots and apps sign in. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../../database/pool.ts';
import { KeyUsed, once, requestKey, writeKeyIn } from '../../database/request-keys.ts';
import { refusals } from '../../errors.ts';
import type { AddressFamily } from '../../generated/prisma/enums.ts';
import { isId, newId } from '../../id.ts';
import { withPlayerLocked } from '../locked.ts';
import { cleanTitle } from '../name.ts';
import { type Player, SCOPES, type Scope, type Viewer } from '../player.ts';
import { playerOf, shownPlayer } from '../rows.ts';
import { openTokenCache, type TokenCache } from './cache.ts';
import type { TokenUses } from './uses.ts';

export interface Token {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedFrom: AddressFamily | null;
}

/** A token that was just made. Its text cannot be read again. */
export interface NewToken {
  id: string;
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
  token: string;
}

export interface TokenWish {
  name: string;
  /** If left out, those of the token it is made with. */
  scopes?: readonly Scope[] | null | undefined;
  /** If left out, that of the token it is made with. */
  expiresAt?: Date | null | undefined;
}

/** The viewer who makes a token, which limits what the token may allow. */
export type Maker = Pick<Viewer, 'id' | 'scopes' | 'expiresAt'>;

export interface Tokens {
  /**
   * Resolves to null if there is no such token, or it was revoked or has expired. Answers may come from the cache.
   * `beforeLookUp` is called before a token is looked up that was not known to be valid, and may throw.
   */
  authenticate: TokenCache['viewerOf'];
  known: TokenCache['known'];
  /** To be called after the tokens of these viewers have been revoked in the database. */
  forget: TokenCache['forget'];
  /** The active tokens and the most recently ended ones, newest first, without those of apps. */
  list(player: Player): Promise<Token[]>;
  create(maker: Maker, wish: TokenWish, key?: string | null): Promise<NewToken>;
  revoke(player: Player, id: string): Promise<Token>;
}

const MAX_TOKENS = 50;
/** Ended tokens are never deleted, so only the most recent are listed. */
const MAX_ENDED = 50;
/** Anyone who knows the key of a request that made a token can get the token, so the key must be hard to guess. */
const MIN_SECRET_KEY = 16;

export const hashOf = (secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(secret).digest());

const tokenOf = (bytes: Uint8Array): string => `atoll_${Buffer.from(bytes).toString('base64url')}`;

/** The token that a request with this key made under this id. */
export const tokenByKey = (id: string, key: string): string =>
  tokenOf(createHmac('sha256', key).update(`atoll/token/${id}`).digest());

export function secretKey(key: string | null | undefined): string | null {
  if (key === null || key === undefined || key.length >= MIN_SECRET_KEY) return key ?? null;
  throw refusals.shortIdempotencyKey(MIN_SECRET_KEY);
}

/** With a key, the token is derived from it: tokens are not stored, but a repeated request must return the same one. */
export function newToken(playerId: string, name: string, key: string | null) {
  const id = newId();
  const token = key === null ? tokenOf(randomBytes(32)) : tokenByKey(id, key);
  return { token, row: { id, playerId, name, hash: hashOf(token) } };
}

const shownToken = {
  id: true,
  name: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
  lastUsedFrom: true,
} as const;

export function openTokens(database: Database, now: () => number, uses?: TokenUses): Tokens {
  const { prisma } = database;
  const cache = openTokenCache((token) => lookUp(database, token, now()), now);
  /** Adds the latest use, which may not be in the database yet. */
  const asUsed = (token: Token): Token => ({ ...token, ...uses?.pending(token.id) });
  return {
    authenticate: cache.viewerOf,
    known: cache.known,
    forget: cache.forget,
    list: async ({ id }) => (await list(database, id, new Date(now()))).map(asUsed),
    create: (maker, wish, key) => create(database, maker, wish, key, now()),
    async revoke(player, id) {
      const mine = isId(id) && (await prisma.token.findFirst({ where: { id, playerId: player.id, grantId: null } }));
      if (!mine) throw refusals.noSuchToken();
      const revoked = await prisma.token.update({
        where: { id },
        data: { revokedAt: mine.revokedAt ?? new Date(now()) },
        select: shownToken,
      });
      cache.forget(({ tokenId }) => tokenId === id);
      return asUsed(revoked);
    },
  };
}

async function lookUp({ prisma }: Database, token: string, time: number): Promise<Viewer | null> {
  const found = await prisma.token.findUnique({
    where: { hash: hashOf(token), revokedAt: null },
    select: { id: true, scopes: true, expiresAt: true, player: { select: shownPlayer } },
  });
  if (!found || (found.expiresAt !== null && found.expiresAt.getTime() <= time)) return null;
  const { id: tokenId, scopes, expiresAt, player } = found;
  return { ...playerOf(player), tokenId, scopes, expiresAt };
}

const LIST = `
SELECT id, name, scopes::text[], created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
       last_used_at AS "lastUsedAt", last_used_from AS "lastUsedFrom"
  FROM tokens
 WHERE player_id = $1 AND grant_id IS NULL AND (
       (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2))
    OR id IN (SELECT id FROM tokens
               WHERE player_id = $1 AND grant_id IS NULL AND (revoked_at IS NOT NULL OR expires_at <= $2)
               ORDER BY least(revoked_at, expires_at) DESC, id DESC
               LIMIT $3))
 ORDER BY id DESC`;

async function list({ pool }: Database, playerId: string, at: Date): Promise<Token[]> {
  return (await pool.query<Token>(LIST, [playerId, at, MAX_ENDED])).rows;
}

/** What the new token allows and when it expires: never more, and never later, than the token it is made with. */
function granted(maker: Maker, { scopes, expiresAt }: TokenWish, time: number) {
  const wanted = scopes ? SCOPES.filter((scope) => scopes.includes(scope)) : [...maker.scopes];
  if (wanted.length === 0) throw refusals.noScopes();
  const missing = wanted.find((scope) => !maker.scopes.includes(scope));
  if (missing) throw refusals.missingScope(missing);
  if (expiresAt && expiresAt.getTime() <= time) throw refusals.expiryInPast();
  const latest = maker.expiresAt;
  return { scopes: wanted, expiresAt: latest && (!expiresAt || expiresAt > latest) ? latest : (expiresAt ?? null) };
}

async function create(
  database: Database,
  maker: Maker,
  wish: TokenWish,
  given: string | null | undefined,
  time: number,
): Promise<NewToken> {
  const { prisma, pool } = database;
  const name = cleanTitle('A token name', wish.name);
  const grant = granted(maker, wish, time);
  const key = secretKey(given);
  const input = { name, scopes: wish.scopes, expiresAt: wish.expiresAt?.toISOString() };
  const request = requestKey(maker.id, key, 'token', input);
  const again = async (id: string) => {
    const { scopes, expiresAt } = await prisma.token.findUniqueOrThrow({ where: { id } });
    granted(maker, { name, scopes }, time);
    return { id, name, scopes, expiresAt, token: tokenByKey(id, key as string) };
  };
  return once(pool, request, again, async () => {
    const alive = [{ expiresAt: null }, { expiresAt: { gt: new Date(time) } }];
    const { token, row } = newToken(maker.id, name, key);
    await withPlayerLocked(database, maker.id, async (tx) => {
      if (request && !(await writeKeyIn(tx, request, row.id))) throw new KeyUsed();
      const live = await tx.token.count({ where: { playerId: maker.id, grantId: null, revokedAt: null, OR: alive } });
      if (live >= MAX_TOKENS) throw refusals.tooManyTokens(MAX_TOKENS);
      await tx.token.create({ data: { ...row, ...grant } });
    });
    return { id: row.id, name, ...grant, token };
  });
}
