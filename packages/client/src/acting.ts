/** Actions, each exactly once. */
import type { Caller } from './caller.ts';
import type { Atoll, Receipt } from './client.ts';
import { isRefusal } from './errors.ts';
import { Resign, Submit, Undo } from './generated/operations.ts';
import { type Pending, type Records, randomText } from './storage.ts';

/** Sends an action, kept until it is answered: a program that ends in between sends it again with the same id. */
export type SubmitPending = (matchId: string, pending: Pending, signal?: AbortSignal) => Promise<Receipt>;

type Acting = Pick<Atoll, 'submit' | 'undo' | 'resign'> & { submitPending: SubmitPending };

export function openActing({ query, surely }: Caller, records: Records): Acting {
  const submitPending: SubmitPending = async (matchId, pending, signal) => {
    const record = records.pending(matchId);
    await record.set(pending);
    const { actionId, action, expectedVersion = null } = pending;
    try {
      const { submitAction } = await surely(Submit, { input: { matchId, actionId, action, expectedVersion } }, signal);
      await record.delete();
      return submitAction;
    } catch (error) {
      const isAnswered = isRefusal(error) && !isRefusal(error, 'OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL');
      if (isAnswered) await record.delete();
      throw error;
    }
  };
  return {
    submitPending,
    submit: (matchId, action, { expectedVersion, signal } = {}) =>
      submitPending(
        matchId,
        { actionId: randomText(), action, label: '', ...(expectedVersion && { expectedVersion }) },
        signal,
      ),
    undo: async (matchId, expectedVersion) => (await query(Undo, { matchId, expectedVersion })).undo,
    resign: async (matchId) => (await query(Resign, { matchId })).resign,
  };
}
