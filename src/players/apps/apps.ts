/** Apps of other people that players let act for them. */
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import type { AddressFamily } from '../../generated/prisma/enums.ts';
import { isId } from '../../id.ts';
import type { Player, Scope } from '../player.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { TokenUses } from '../tokens/uses.ts';
import { type Devices, openDevices } from './devices.ts';
import { type Grants, openGrants } from './grants.ts';
import { openTokenEndpoint, type TokenEndpoint } from './token-endpoint.ts';

/** What a player allowed an app. */
export interface App {
  id: string;
  /** What it calls itself. */
  name: string;
  scopes: Scope[];
  createdAt: Date;
  /** When it ends unless it is used. */
  expiresAt: Date;
  lastUsedAt: Date | null;
  lastUsedFrom: AddressFamily | null;
}

export interface Apps {
  grants: Grants;
  devices: Devices;
  token: TokenEndpoint;
  /** Those that a player allows now, newest first. */
  list(player: Player): Promise<App[]>;
  revoke(player: Player, id: string): Promise<App>;
  /** Takes every permission back. */
  revokeAll(player: Player): Promise<void>;
  /** Deletes what is of no use any more. */
  sweep(): Promise<void>;
}

interface Uses {
  tokenUses?: TokenUses;
}

export function openApps(database: Database, tokens: Tokens, { tokenUses }: Uses = {}, now = Date.now): Apps {
  const { prisma } = database;
  const grants = openGrants(database, tokens, now);
  const devices = openDevices(database, grants, now);

  async function list({ id: playerId }: Player, id?: string): Promise<App[]> {
    const found = await prisma.appGrant.findMany({
      // One whose code was not exchanged has given nobody anything.
      where: {
        ...(id !== undefined && { id }),
        playerId,
        revokedAt: null,
        expiresAt: { gt: new Date(now()) },
        lastUsedAt: { not: null },
      },
      orderBy: { id: 'desc' },
      include: { tokens: true },
    });
    return found.map(({ id, client, scopes, createdAt, expiresAt, lastUsedAt, tokens: [token] }) => {
      const used = (token && tokenUses?.pending(token.id)) ?? token;
      return {
        id,
        name: client,
        scopes,
        createdAt,
        expiresAt,
        lastUsedAt: used?.lastUsedAt ?? lastUsedAt,
        lastUsedFrom: used?.lastUsedFrom ?? null,
      };
    });
  }

  return {
    grants,
    devices,
    token: openTokenEndpoint(grants, devices),
    list: (player) => list(player),
    async revoke(player, id) {
      const [found] = isId(id) ? await list(player, id) : [];
      if (!found) throw refusals.noSuchApp();
      await grants.revoke(id);
      return found;
    },
    async revokeAll({ id: playerId }) {
      const found = await prisma.appGrant.findMany({ where: { playerId, revokedAt: null }, select: { id: true } });
      for (const { id } of found) await grants.revoke(id);
    },
    async sweep() {
      const time = new Date(now());
      const yesterday = new Date(now() - 24 * 3_600_000);
      await prisma.deviceRequest.deleteMany({ where: { expiresAt: { lt: yesterday } } });
      await prisma.refreshToken.deleteMany({ where: { expiresAt: { lt: time } } });
      await prisma.appGrant.deleteMany({
        where: {
          OR: [
            { expiresAt: { lt: yesterday } },
            { revokedAt: { lt: yesterday } },
            { codeExpiresAt: { lt: yesterday }, codeUsedAt: null },
          ],
        },
      });
    },
  };
}
