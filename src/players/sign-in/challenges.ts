/**
 * The challenges that devices are asked to sign. They are stored in the database, so that any instance can finish what
 * another began.
 */
import type { Database } from '../../database/pool.ts';
import { withPlayerLocked } from '../locked.ts';
import { sha256 } from './codes.ts';

export type Purpose = 'ADD_PASSKEY' | 'SIGN_IN';

/** How long a person may take to confirm with a fingerprint or a key. */
export const CHALLENGE_MS = 5 * 60_000;

export interface Challenges {
  keep(challenge: string, purpose: Purpose, playerId: string | null): Promise<void>;
  /** Whether the challenge was made recently, for this purpose and this player. It is deleted in any case. */
  take(challenge: string, purpose: Purpose, playerId: string | null): Promise<boolean>;
}

export function openChallenges(database: Database, now: () => number): Challenges {
  const { prisma, pool } = database;
  return {
    async keep(challenge, purpose, playerId) {
      const expiresAt = new Date(now() + CHALLENGE_MS);
      const data = { hash: sha256(challenge), purpose, playerId, expiresAt };
      if (playerId === null) return void (await prisma.challenge.create({ data }));
      // Each player has one challenge at a time, so that nobody can fill the table.
      await withPlayerLocked(database, playerId, async (tx) => {
        await tx.challenge.deleteMany({ where: { playerId } });
        await tx.challenge.create({ data });
      });
    },
    async take(challenge, purpose, playerId) {
      const { rows } = await pool.query<{ purpose: string; playerId: string | null; expiresAt: Date }>(
        'DELETE FROM challenges WHERE hash = $1 RETURNING purpose, player_id AS "playerId", expires_at AS "expiresAt"',
        [sha256(challenge)],
      );
      const [found] = rows;
      return found?.purpose === purpose && found.playerId === playerId && found.expiresAt.getTime() > now();
    },
  };
}
