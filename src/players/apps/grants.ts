/** Grants, which record what players allow apps: the codes they begin with, and the tokens issued for them. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../id.ts';
import { lockPlayer, type Transaction, withPlayerLocked } from '../locked.ts';
import type { Scope } from '../player.ts';
import { hashOf, type Tokens } from '../tokens/tokens.ts';

/** The request of an app, after everything in it was checked. */
export interface AppRequest {
  client: string;
  scopes: readonly Scope[];
}

/** The lifetime of an access token. */
export const ACCESS_SECONDS = 3600;
/** A grant ends when it has not been used for this long. */
export const GRANT_SECONDS = 60 * 24 * 3600;
const CODE_MS = 60_000;
/** A player who has allowed this many apps must revoke one first. */
const MAX_GRANTS = 50;

export interface Issued {
  accessToken: string;
  accessTokenExpiresAt: Date;
  refreshToken: string;
  refreshTokenExpiresAt: Date;
  scopes: readonly Scope[];
}

export interface StoredCode {
  grantId: string;
  playerId: string;
  client: string;
  scopes: Scope[];
  redirectUri: string;
  challenge: string;
  expiresAt: Date;
}

export interface StoredRefreshToken {
  grantId: string;
  playerId: string;
  client: string;
  scopes: Scope[];
  expiresAt: Date;
}

export interface Grants {
  /**
   * Records the permission and returns a code. The app can exchange it once, within a short time, if it knows the
   * verifier behind the challenge.
   */
  allow(playerId: string, app: AppRequest, redirectUri: string, challenge: string): Promise<string>;
  /** Records the permission within another transaction. The app gets its tokens by other means than a code. */
  allowIn(tx: Transaction, playerId: string, app: AppRequest): Promise<string>;
  /**
   * Resolves to null if there is no such code. A code that was used before ends its grant, because somebody else knows
   * it.
   */
  findCode(code: string): Promise<StoredCode | null>;
  /** Resolves to false if somebody else used the code first; then the grant has ended. */
  useCode(grantId: string): Promise<boolean>;
  /** Follows the same rules as findCode. */
  findRefreshToken(token: string): Promise<StoredRefreshToken | null>;
  useRefreshToken(token: string): Promise<boolean>;
  /**
   * Stores the new tokens of a grant in place of the previous ones. Resolves to false if the grant has ended meanwhile.
   */
  issue(grantId: string, issued: Issued): Promise<boolean>;
  revoke(grantId: string): Promise<void>;
  /** The grant to which an access or refresh token belongs. */
  grantOf(token: string): Promise<{ id: string; client: string } | null>;
}

export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`;

/** Throws FORBIDDEN while this player is banned: nobody gets tokens that every request would refuse. */
export type CheckBan = (playerId: string) => void;

export function openGrants(database: Database, tokens: Tokens, now: () => number, checkBan: CheckBan): Grants {
  const { prisma } = database;

  /** The transaction must have locked the player. */
  async function create(
    tx: Transaction,
    playerId: string,
    { client, scopes }: AppRequest,
    code: Partial<Prisma.AppGrantUncheckedCreateInput>,
  ): Promise<string> {
    const time = now();
    const live = { playerId, revokedAt: null, expiresAt: { gt: new Date(time) } };
    if ((await tx.appGrant.count({ where: live })) >= MAX_GRANTS) throw refusals.tooManyApps(MAX_GRANTS);
    const expiresAt = new Date(time + GRANT_SECONDS * 1000);
    const data = { id: newId(), playerId, client, scopes: [...scopes], expiresAt, ...code };
    return (await tx.appGrant.create({ data })).id;
  }

  async function revoke(grantId: string): Promise<void> {
    const ended = await prisma.$transaction(async (tx) => {
      // This comes first, because it waits for a transaction that is issuing tokens of this grant.
      await tx.appGrant.updateMany({ where: { id: grantId, revokedAt: null }, data: { revokedAt: new Date(now()) } });
      const found = await tx.token.findMany({ where: { grantId }, select: { id: true } });
      await tx.token.deleteMany({ where: { grantId } });
      return new Set<string | null>(found.map(({ id }) => id));
    });
    tokens.forget(({ tokenId }) => ended.has(tokenId));
  }

  return {
    revoke,
    async allowIn(tx, playerId, app) {
      await lockPlayer(tx, playerId);
      return create(tx, playerId, app, {});
    },
    async allow(playerId, app, redirectUri, codeChallenge) {
      const code = newSecret('code');
      const codeExpiresAt = new Date(now() + CODE_MS);
      const data = { codeHash: hashOf(code), codeChallenge, codeExpiresAt, redirectUri };
      await withPlayerLocked(database, playerId, (tx) => create(tx, playerId, app, data));
      return code;
    },
    ...openCodes(database, revoke, now, checkBan),
    ...openRefreshTokens(database, revoke, now, checkBan),
    issue: (grantId, issued) => issue(database, tokens, grantId, issued, new Date(now()), checkBan),
    async grantOf(token) {
      const grant = { select: { id: true, client: true } };
      const hash = hashOf(token);
      const refresh = await prisma.refreshToken.findUnique({ where: { hash }, select: { grant } });
      return refresh?.grant ?? (await prisma.token.findUnique({ where: { hash }, select: { grant } }))?.grant ?? null;
    },
  };
}

type Revoke = Grants['revoke'];

function openCodes(
  { prisma }: Database,
  revoke: Revoke,
  now: () => number,
  checkBan: CheckBan,
): Pick<Grants, 'findCode' | 'useCode'> {
  return {
    async findCode(code) {
      const found = await prisma.appGrant.findUnique({ where: { codeHash: hashOf(code) } });
      if (!found || found.revokedAt) return null;
      if (found.codeUsedAt) {
        await revoke(found.id);
        return null;
      }
      const { id: grantId, playerId, client, scopes } = found;
      checkBan(playerId);
      const { redirectUri, codeChallenge: challenge, codeExpiresAt: expiresAt } = found as Required<typeof found>;
      return { grantId, playerId, client, scopes, redirectUri, challenge, expiresAt } as StoredCode;
    },
    async useCode(grantId) {
      const { count } = await prisma.appGrant.updateMany({
        where: { id: grantId, codeUsedAt: null, revokedAt: null },
        data: { codeUsedAt: new Date(now()) },
      });
      if (count === 0) await revoke(grantId);
      return count === 1;
    },
  };
}

function openRefreshTokens(
  { prisma }: Database,
  revoke: Revoke,
  now: () => number,
  checkBan: CheckBan,
): Pick<Grants, 'findRefreshToken' | 'useRefreshToken'> {
  return {
    async findRefreshToken(token) {
      const found = await prisma.refreshToken.findUnique({ where: { hash: hashOf(token) }, include: { grant: true } });
      if (!found || found.grant.revokedAt) return null;
      if (found.usedAt) {
        await revoke(found.grantId);
        return null;
      }
      const { grantId, scopes, expiresAt, grant } = found;
      checkBan(grant.playerId); // before the token is used up, so that it still works when the ban has ended
      return { grantId, playerId: grant.playerId, client: grant.client, scopes, expiresAt };
    },
    async useRefreshToken(token) {
      const hash = hashOf(token);
      const { count } = await prisma.refreshToken.updateMany({
        where: { hash, usedAt: null },
        data: { usedAt: new Date(now()) },
      });
      const found = count === 0 ? await prisma.refreshToken.findUnique({ where: { hash } }) : null;
      if (found) await revoke(found.grantId);
      return count === 1;
    },
  };
}

async function issue(
  { prisma }: Database,
  tokens: Tokens,
  grantId: string,
  issued: Issued,
  at: Date,
  checkBan: CheckBan,
): Promise<boolean> {
  const { accessToken, refreshToken } = issued;
  const scopes = [...issued.scopes];
  const replaced = await prisma.$transaction(async (tx) => {
    // This comes first, because it waits for a transaction that is revoking this grant.
    const { count } = await tx.appGrant.updateMany({
      where: { id: grantId, revokedAt: null, expiresAt: { gt: at } },
      data: { lastUsedAt: at, expiresAt: issued.refreshTokenExpiresAt },
    });
    if (count === 0) return null;
    const { playerId, client } = await tx.appGrant.findUniqueOrThrow({ where: { id: grantId } });
    checkBan(playerId);
    const before = await tx.token.findMany({ where: { grantId }, select: { id: true } });
    await tx.token.deleteMany({ where: { grantId } });
    const token = { id: newId(), playerId, grantId, name: client, scopes, expiresAt: issued.accessTokenExpiresAt };
    await tx.token.create({ data: { ...token, hash: hashOf(accessToken) } });
    await tx.refreshToken.create({
      data: { hash: hashOf(refreshToken), grantId, scopes, expiresAt: issued.refreshTokenExpiresAt },
    });
    return new Set<string | null>(before.map(({ id }) => id));
  });
  if (replaced) tokens.forget(({ tokenId }) => replaced.has(tokenId));
  return replaced !== null;
}
