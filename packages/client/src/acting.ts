/** Submits actions, each exactly once. */
import type { Caller } from './caller.ts';
import type { Atoll, MatchEvent, Receipt } from './client.ts';
import { isRefusal } from './errors.ts';
import { Resign, SinceThen, Submit, Undo } from './generated/operations.ts';
import { type Pending, type Records, randomText } from './storage.ts';
import { untilDone } from './unkeyed.ts';

/**
 * Sends an action, which is stored until it is answered: a program that ends in between sends it again with the same
 * id.
 */
export type SubmitPending = (matchId: string, pending: Pending, signal?: AbortSignal) => Promise<Receipt>;

type Acting = Pick<Atoll, 'submit' | 'undo' | 'resign'> & { submitPending: SubmitPending };

export function openActing(caller: Caller, records: Records, match: Atoll['match']): Acting {
  const { query, surely } = caller;
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
    undo: (matchId, expectedVersion) =>
      untilDone(
        caller,
        async () => (await query(Undo, { matchId, expectedVersion })).undo,
        async () => {
          const { match: now } = await query(SinceThen, { id: matchId, after: expectedVersion });
          const next = now?.events[0];
          const isOurs = next?.type === 'UNDONE' && (next.seat === now?.mySeat || now?.origin);
          return isOurs ? receiptOf(next) : undefined;
        },
      ),
    async resign(matchId) {
      const { version, mySeat } = await match(matchId);
      return untilDone(
        caller,
        async () => (await query(Resign, { matchId })).resign,
        async () => {
          const { match: now } = await query(SinceThen, { id: matchId, after: version });
          const found = now?.events.find(({ type, seat }) => type === 'RESIGNED' && seat === mySeat);
          return found && receiptOf(found);
        },
      );
    },
  };
}

const receiptOf = (event: MatchEvent): Receipt => ({ version: event.version, event });
