/** Accounts of players. Their tokens are in tokens.ts. */
import type { Database } from '../database/pool.ts';
import { KeyUsed, once, requestKey, writeKeyIn } from '../database/request-keys.ts';
import { refusals } from '../errors.ts';
import { newId } from '../id.ts';
import { playersById } from './by-id.ts';
import { cleanName, FORGOTTEN, toldApart } from './name.ts';
import type { Player } from './player.ts';
import { playerOf, shownPlayer } from './rows.ts';
import { skeleton } from './skeleton.ts';
import { newToken, openTokens, secretKey, type Tokens, tokenByKey } from './tokens/tokens.ts';

export interface Players {
  /** Registers a guest. Others may have the same name, unless it belongs to a kept account. */
  register(name: string, key?: string | null): Promise<Registration>;
  authenticate: Tokens['authenticate'];
  /** As `authenticate`, but only for a token that need not be looked up; undefined for any other. */
  known: Tokens['known'];
  /** The players of these ids, in the same order; null where there is none. */
  byIds(ids: readonly string[]): Promise<(Player | null)[]>;
  /** The names of the players in these seats, with tags where two look alike; null for a free seat. */
  namesOf(seats: readonly (string | null)[]): Promise<(string | null)[]>;
  tokens: Tokens['list'];
  createToken: Tokens['create'];
  revokeToken: Tokens['revoke'];
  /**
   * Forgets the name, the webhooks, the e-mail address and every way to sign in, and ends every token and session. The
   * player's actions stay in their matches.
   */
  remove(player: Player): Promise<Player>;
}

export interface Registration {
  player: Player;
  token: string;
}

/** The player id under which registrations store their idempotency keys, as they have no player yet. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export function openPlayers(
  database: Database,
  now: () => number = Date.now,
  tokens: Tokens = openTokens(database, now),
): Players {
  const byIds = playersById(database.pool);
  return {
    register: (name, key) => register(database, name, key),
    authenticate: tokens.authenticate,
    known: tokens.known,
    byIds,
    async namesOf(seats) {
      const found = await byIds(seats.filter((id) => id !== null));
      const players = new Map(found.map((player) => [player?.id, player]));
      return toldApart(seats.map((id) => (id && players.get(id)) || null));
    },
    tokens: tokens.list,
    createToken: tokens.create,
    revokeToken: tokens.revoke,
    async remove({ id }) {
      const player = await forgetPlayer(database, id, new Date(now()));
      tokens.forget((viewer) => viewer.id === id);
      return player;
    },
  };
}

async function register(
  { prisma, pool }: Database,
  name: string,
  given: string | null | undefined,
): Promise<Registration> {
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
}

async function forgetPlayer({ prisma }: Database, id: string, at: Date): Promise<Player> {
  const [player] = await prisma.$transaction([
    prisma.player.update({
      where: { id },
      data: { name: FORGOTTEN, skeleton: null },
      select: shownPlayer,
    }),
    prisma.token.updateMany({ where: { playerId: id, revokedAt: null }, data: { revokedAt: at } }),
    prisma.token.updateMany({ where: { playerId: id }, data: { name: FORGOTTEN } }),
    prisma.appGrant.deleteMany({ where: { playerId: id } }),
    prisma.webhook.deleteMany({ where: { playerId: id } }),
    prisma.email.deleteMany({ where: { playerId: id } }),
    prisma.passkey.deleteMany({ where: { playerId: id } }),
    prisma.recoveryCode.deleteMany({ where: { playerId: id } }),
    prisma.signInAddress.deleteMany({ where: { playerId: id } }),
    prisma.session.deleteMany({ where: { playerId: id } }),
  ]);
  return playerOf(player);
}
