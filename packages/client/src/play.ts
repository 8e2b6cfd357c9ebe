/** A match played to its end: asks what to do whenever the seat may act, and does it exactly once. */
import type { SubmitPending } from './acting.ts';
import { delayMs, sleep } from './backoff.ts';
import type { Atoll, Match, MatchEvent, Position, Receipt } from './client.ts';
import { isRefusal } from './errors.ts';
import type { Proof, Verify } from './proof.ts';
import { type Pending, type Records, randomText } from './storage.ts';

/** One of the position's legal actions; undefined: wait until something has happened. */
export type Decision = Position['legalActions'][number] | undefined;

export interface PlayOptions {
  signal?: AbortSignal | undefined;
  invite?: string | undefined;
  /** Told of every event after the version at which play begins, in order, each once. */
  onEvent?(event: MatchEvent): void | Promise<void>;
  /** Told of every action of this seat that stands in the log. */
  onActed?(receipt: Receipt, label: string): void | Promise<void>;
  /** The verifier of `atoll-client/verify`: proves the match after its end, with what was kept when the seat was taken. */
  verify?: Verify;
}

export interface Played {
  match: Match;
  /** Where a verifier was given. */
  proof: Proof | undefined;
}

/** The position has changed since it was decided on: an event says what to decide on next, if anything. */
const isOvertaken = (error: unknown) =>
  isRefusal(error, 'STALE_VERSION', 'NOT_YOUR_TURN', 'MATCH_OVER', 'MATCH_NOT_ACTIVE', 'NOT_SEATED');

export async function play(
  atoll: Atoll,
  records: Records,
  submit: SubmitPending,
  matchId: string,
  decide: (position: Position) => Decision | Promise<Decision>,
  { signal, invite, onEvent, onActed, verify }: PlayOptions,
): Promise<Played> {
  const look = { signal, invite };

  async function act(pending: Pending): Promise<Receipt | undefined> {
    try {
      const receipt = await submit(matchId, pending, signal);
      await onActed?.(receipt, pending.label);
      return receipt;
    } catch (error) {
      if (isOvertaken(error)) return undefined;
      throw error;
    }
  }

  /** Another server of the same database may lag behind the one that told us of an event. */
  async function positionAt(version: number): Promise<Position> {
    for (let attempt = 0; ; attempt++) {
      const position = await atoll.position(matchId, look);
      if (position.version >= version || attempt === 10) return position;
      await sleep(delayMs(attempt, undefined), signal);
    }
  }

  /** Decides on the position of now. Returns the first version that is worth deciding on again. */
  async function takeTurn(version: number): Promise<number> {
    const position = await positionAt(version);
    const chosen = position.legalActions.length > 0 ? await decide(position) : undefined;
    if (!chosen) return position.version + 1;
    const { action, label } = chosen;
    const receipt = await act({ actionId: randomText(), action, label, expectedVersion: position.version });
    return receipt?.version ?? position.version + 1;
  }

  async function follow(after: number, mySeat: number): Promise<void> {
    let next = await takeTurn(after);
    for await (const event of atoll.events(matchId, { ...look, after })) {
      await onEvent?.(event);
      if (event.version >= next && event.acting.includes(mySeat)) next = await takeTurn(event.version);
    }
  }

  // What was sent before this program last ended, and never answered, is sent first: with the same id it happens once.
  const left = await records.pending(matchId).get();
  if (left) await act(left).catch((error) => isRefusal(error, 'ILLEGAL_ACTION') || Promise.reject(error));
  const { version: after, mySeat } = await atoll.match(matchId, look);
  if (mySeat === null || mySeat === undefined) throw new Error('Join the match before you play it.');
  for (let from = after; ; ) {
    try {
      await follow(from, mySeat);
      break;
    } catch (error) {
      if (!isRefusal(error, 'HISTORY_CUT')) throw error;
      from = error.details.version; // the match goes on from there
    }
  }
  const match = await atoll.match(matchId, look);
  return { match, proof: verify && (await atoll.prove(matchId, verify, look)) };
}
