/** The life of an action: from what a client sent to what the log keeps. */
import { refusals } from '../errors.ts';
import type { Seat } from '../games/game.ts';
import { lookUp } from '../games/play.ts';
import { isId } from '../id.ts';
import type { Player } from '../players/player.ts';
import type { Changes } from './changes.ts';
import { maySee, seatOf } from './commands/access.ts';
import { acted, earlierEvent, isCurrent, stale } from './commands/act.ts';
import type { Lengths } from './commands/lengths.ts';
import { followed } from './commands/orders.ts';
import { shortText } from './commands/text.ts';
import type { Memo } from './log/memo.ts';
import { type LoggedEvent, type Match, type Receipt, sameHash } from './log/records.ts';
import type { Store } from './log/store.ts';

export interface Submission {
  matchId: string;
  expectedVersion?: number | null;
  actionId?: string | null;
  action: unknown;
}

export interface SubmissionParts {
  memo: Memo;
  store: Store;
  changes: Changes;
  now: () => Date;
  lengths: Lengths;
}

const MAX_TRIES = 3;

/** The six steps, in order. `repeated` means that the action had been taken before and nothing was changed now. */
export async function submit(
  { memo, store, changes, now, lengths }: SubmissionParts,
  player: Player,
  submission: Submission,
): Promise<Receipt & { repeated: boolean }> {
  // 1 Load the match and the seat. The remembered match is good enough: the append notices if another server has moved
  // it on.
  const { matchId } = submission;
  const known = memo.peek(matchId) ?? (isId(matchId) ? await memo.recall(matchId) : null);
  let match = known && maySee(known, player) ? known : await changes.see(player, matchId);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let next: Match;
    try {
      // 2 An action id that was seen before gets its first receipt, whatever has become of the player's seat since.
      const actionId = shortText('actionId', submission.actionId);
      const event = earlierEvent(match, player, actionId, submission.action);
      if (event) {
        // A receipt is a promise, so the log itself must have the event: after a failover, memory may be ahead of it.
        match = await changes.see(player, matchId);
        const logged = match.events.at(event.version - 1);
        if (logged && sameHash(logged, event)) return { event: logged, match, repeated: true };
        continue;
      }
      // 3 A stale version is accepted only if nothing since then could matter to this seat.
      const { seat, state } = seatedIn(match, player);
      if (!isCurrent(match, seat, submission.expectedVersion)) throw stale(match);
      lengths.checkMatch(match);
      // 4 Play: the action is looked up in the engine's own list, then applied, then followed by standing orders.
      const action = lookUp(match.engine, state, seat, submission.action);
      next = followed(acted(match, seat, player.id, action, actionId, now()), now());
    } catch (refusal) {
      // The memory may be old: a refusal counts only if the match is still at the version on which it was decided.
      const fresh = await changes.see(player, matchId);
      if (sameHash(fresh, match)) throw refusal;
      match = fresh;
      continue;
    }
    // 5 Append. If the race is lost, decide again on the match as it is now.
    if (await store.append({ expected: match.version, match: next })) {
      // 6 Tell, after the commit: nobody hears of an event that could still be lost.
      changes.committed(match, next);
      return { event: next.events.at(match.version) as LoggedEvent, match: next, repeated: false };
    }
    match = await changes.see(player, matchId);
  }
  throw changes.tooBusy();
}

/** The seat of a player in a running match. */
function seatedIn(match: Match, player: Player): { seat: Seat; state: object } {
  const seat = seatOf(match, player);
  if (seat === null) throw refusals.notSeated();
  if (match.endedAt) throw refusals.matchOver({ version: match.version });
  if (!match.state) throw refusals.notStarted();
  return { seat, state: match.state };
}
