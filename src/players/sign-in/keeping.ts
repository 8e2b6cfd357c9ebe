/** Turns a guest into a kept account, which from then on owns its name. */
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import { type Transaction, withPlayerLocked } from '../locked.ts';
import { cleanName } from '../name.ts';
import type { Player } from '../player.ts';
import { playerOf, shownPlayer } from '../rows.ts';
import { skeleton } from '../skeleton.ts';

/** The name that a guest would own, if it is free; null if the account already owns a name. */
export async function nameToTake(
  tx: Transaction,
  playerId: string,
  wanted: string | null | undefined,
): Promise<{ name: string; skeleton: string } | null> {
  const row = await tx.player.findUniqueOrThrow({ where: { id: playerId }, select: shownPlayer });
  if (row.skeleton !== null) {
    if (wanted != null && wanted !== row.name) throw refusals.nameIsOwn();
    return null;
  }
  const name = cleanName(wanted ?? row.name);
  const look = skeleton(name);
  const owner = look === '' || (await tx.player.findUnique({ where: { skeleton: look }, select: { id: true } }));
  if (owner) throw refusals.nameTaken();
  return { name, skeleton: look };
}

async function takeName(tx: Transaction, playerId: string, wanted: string | null | undefined): Promise<Player> {
  const data = (await nameToTake(tx, playerId, wanted)) ?? {};
  return playerOf(await tx.player.update({ where: { id: playerId }, data, select: shownPlayer }));
}

/** Keeps the account and does `work` in the same transaction: both happen, or neither does. */
export async function keepAnd<T>(
  database: Database,
  playerId: string,
  wanted: string | null | undefined,
  also: (tx: Transaction, kept: Player) => Promise<T>,
): Promise<T> {
  try {
    return await withPlayerLocked(database, playerId, async (tx) => also(tx, await takeName(tx, playerId, wanted)));
  } catch (error) {
    throw isTaken(error, 'skeleton') ? refusals.nameTaken() : error;
  }
}

/** Whether the error says that another row already has this unique value. */
export function isTaken(error: unknown, column: string): boolean {
  const { code, meta } = error as { code?: unknown; meta?: unknown };
  return code === 'P2002' && JSON.stringify(meta ?? {}).includes(column);
}

/**
 * Refuses to remove the last way to sign in, as the player could never come back. The transaction must have locked the
 * player.
 */
export async function refuseLastWayIn(tx: Transaction, playerId: string): Promise<void> {
  const passkeys = await tx.passkey.count({ where: { playerId } });
  const addresses = await tx.signInAddress.count({ where: { playerId } });
  if (passkeys + addresses <= 1) throw refusals.lastWayIn();
}
