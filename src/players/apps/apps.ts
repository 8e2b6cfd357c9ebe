/** Apps by third parties that players have allowed to act for them. */
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import { onFirstUse } from '../../first-use.ts';
import type { AddressFamily } from '../../generated/prisma/enums.ts';
import { isId } from '../../id.ts';
import type { Player, Scope } from '../player.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { TokenUses } from '../tokens/uses.ts';
import { type Devices, openDevices } from './devices.ts';
import { type CheckBan, type Grants, openGrants } from './grants.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** The permission that a player gave to an app. */
export interface App {
  id: string;
  /** The name that the app gives itself. */
  name: string;
  scopes: Scope[];
  createdAt: Date;
  /** When the permission ends if it is not used. */
  expiresAt: Date;
  lastUsedAt: Date | null;
  lastUsedFrom: AddressFamily | null;
}

export interface Apps {
  grants: Grants;
  devices: Devices;
  token: TokenEndpoint;
  /** The apps that a player allows now, newest first. */
  list(player: Player): Promise<App[]>;
  revoke(player: Player, id: string): Promise<App>;
  /** Revokes every permission of the player. */
  revokeAll(player: Player): Promise<void>;
  /** Deletes permissions that can no longer be used. */
  sweep(): Promise<void>;
}

interface AppsParts {
  tokenUses?: TokenUses;
  checkBan?: CheckBan;
}

export function openApps(
  database: Database,
  tokens: Tokens,
  { tokenUses, checkBan = () => {} }: AppsParts = {},
  now = Date.now,
): Apps {
  const { prisma } = database;
  const grants = openGrants(database, tokens, now, checkBan);
  const devices = openDevices(database, grants, now);
  const endpoint = onFirstUse(async () => (await import('./token-endpoint.ts')).openTokenEndpoint(grants, devices));

  async function list({ id: playerId }: Player, id?: string): Promise<App[]> {
    const found = await prisma.appGrant.findMany({
      // A permission whose code was never exchanged has not given anything to the app.
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
    token: async (form, headers) => (await endpoint())(form, headers),
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
