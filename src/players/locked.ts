/** Changes to an account that count what is there first: whatever else changes the account waits. */
import type { Database } from '../database/pool.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { oneAtATime } from '../turns.ts';

export type Transaction = Prisma.TransactionClient;

/** Serializes the changes to an account, so that two of them cannot both find the last free place. */
export async function lockPlayer(tx: Transaction, id: string): Promise<void> {
  // This lock lets others refer to the player meanwhile, as new matches and events do.
  await tx.$queryRaw`SELECT id FROM players WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

/**
 * A transaction that has locked the player. Those of one player are done one after another, because each that waits for
 * the lock would hold a connection to the database.
 */
export function withPlayerLocked<T>(
  { prisma }: Pick<Database, 'prisma'>,
  playerId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return oneAtATime(`account ${playerId}`, () =>
    prisma.$transaction(async (tx) => {
      await lockPlayer(tx, playerId);
      return work(tx);
    }),
  );
}
