/** Ten codes for a person who has lost every other way to sign in. They are shown once, and each works once. */
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import { withPlayerLocked } from '../locked.ts';
import type { Player } from '../player.ts';
import { playerOf, shownPlayer } from '../rows.ts';
import { type Attempts, EVERYBODY, type Limit } from './attempts.ts';
import { hashOfCode, newCode } from './codes.ts';

export interface RecoveryCodes {
  /** How many codes can still be used. */
  left(player: Player): Promise<number>;
  /** Makes new codes; the previous ones stop working. */
  create(player: Player): Promise<string[]>;
  /** Returns the player to whom the code belongs, and uses it up. Throws UNAUTHENTICATED. */
  signIn(code: string, address: string): Promise<Player>;
}

const CODES = 10;
/** 80 random bits, so that a code identifies its account and no name has to be given with it. */
const CHARACTERS = 16;

const PER_ADDRESS: Limit = { what: 'recovery codes tried', perHour: 30 };
const BY_ALL: Limit = { what: 'recovery codes tried', perHour: 3000 };

export function openRecoveryCodes(database: Database, attempts: Attempts, now: () => number = Date.now): RecoveryCodes {
  const { prisma, pool } = database;
  return {
    left: ({ id }) => prisma.recoveryCode.count({ where: { playerId: id, usedAt: null } }),

    async create({ id: playerId }) {
      const codes = Array.from({ length: CODES }, () => newCode(CHARACTERS));
      const createdAt = new Date(now());
      await withPlayerLocked(database, playerId, async (tx) => {
        const { skeleton } = await tx.player.findUniqueOrThrow({ where: { id: playerId }, select: shownPlayer });
        if (skeleton === null) throw refusals.keepFirst();
        await tx.recoveryCode.deleteMany({ where: { playerId } });
        await tx.recoveryCode.createMany({
          data: codes.map((code) => ({ hash: hashOfCode(code), playerId, createdAt })),
        });
      });
      return codes;
    },

    async signIn(code, address) {
      const giveBack = await attempts.take([PER_ADDRESS, address], [BY_ALL, EVERYBODY]);
      const { rows } = await pool.query<{ playerId: string }>(
        'UPDATE recovery_codes SET used_at = $2 WHERE hash = $1 AND used_at IS NULL RETURNING player_id AS "playerId"',
        [hashOfCode(code), new Date(now())],
      );
      const [used] = rows;
      if (!used) throw refusals.wrongRecoveryCode();
      await giveBack();
      return playerOf(await prisma.player.findUniqueOrThrow({ where: { id: used.playerId }, select: shownPlayer }));
    },
  };
}
