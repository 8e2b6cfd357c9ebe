/** Plays a match to its end: asks for a decision whenever the seat may act, and carries it out exactly once. */
import type { SubmitPending } from './acting.ts';
import { delayMs, sleep } from './backoff.ts';
import type { Atoll, Match, MatchEvent, Position, Receipt } from './client.ts';
import { isRefusal } from './errors.ts';
import type { Proof, Verify } from './proof.ts';
import { type Pending, type Records, randomText } from './storage.ts';

/** One of the position's legal actions; undefined to wait until something has happened. */
export type Decision = Position['legalActions'][number] | undefined;

export interface PlayOptions {
  signal?: AbortSignal | undefined;
  invite?: string | undefined;
  /** Called with every event after the version at which play begins, in order and once each. */
  onEvent?(event: MatchEvent): void | Promise<void>;
  /** Called with every action of this seat that is in the log. */
  onActed?(receipt: Receipt, label: string): void | Promise<void>;
  /**
   * The verifier from `atoll-client/verify`. Proves the match after its end, with what was stored when the seat was
   * taken.
   */
  verify?: Verify;
}

export interface Played {
  match: Match;
  /** Set if a verifier was given. */
  proof: Proof | undefined;
}

/** The position has changed since the decision. An event tells when to decide again. */
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

  /** Another server on the same database may lag behind the one that sent the event. */
  async function positionAt(version: number): Promise<Position> {
    for (let attempt = 0; ; attempt++) {
      const position = await atoll.position(matchId, look);
      if (position.version >= version || attempt === 10) return position;
      await sleep(delayMs(attempt, undefined), signal);
    }
  }

  /** Decides on the current position. Returns the first version at which it is worth deciding again. */
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

  // An action that was sent before this program last ended, and never answered, is sent first. With the same id it
  // happens once.
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
      from = error.details.version; // the match continues from there
    }
  }
  const match = await atoll.match(matchId, look);
  return { match, proof: verify && (await atoll.prove(matchId, verify, look)) };
}
