/** Taking back is an event like any other: the action stays in the log, and the state returns to what it was before. */
import { refusals, type UNDO_REFUSALS } from '../../errors.ts';
import type { Seat } from '../../games/game.ts';
import { compose } from '../log/match.ts';
import { matchAt } from '../log/rebuild.ts';
import type { LoggedEvent, Match } from '../log/records.ts';
import { type Caller, seatOf } from './access.ts';

export type Refusal = keyof typeof UNDO_REFUSALS;

/** The last action, of any seat or of this one, that has not been taken back. */
const lastStanding = ({ events }: Match, of?: Seat): LoggedEvent | undefined =>
  events.findLast(
    ({ type, seat, version }) => type === 'ACTED' && (of === undefined || seat === of) && !events.isUndone(version),
  );

/**
 * The seat for which a caller takes back. A caller with several seats, as in an analysis match, takes back for the one
 * that acted last.
 */
export function undoSeat(match: Match, caller: Caller): Seat | null {
  const last = lastStanding(match)?.seat ?? null;
  return last !== null && match.seats[last] === caller?.id ? last : seatOf(match, caller);
}

/** The action that this seat may take back now, or the reason why there is none. */
export function undoable(match: Match, seat: Seat | null): LoggedEvent | Refusal {
  if (seat === null) return 'NOT_SEATED';
  if (match.status !== 'ACTIVE' || !match.state) return 'NOT_ACTIVE';
  const last = lastStanding(match, seat);
  if (!last) return 'NOTHING_TO_UNDO';
  const since = match.events
    .slice(last.version)
    .filter(({ type, version }) => type !== 'UNDONE' && type !== 'ORDERED' && !match.events.isUndone(version));
  if (since.length > 0) return 'OTHERS_ACTED';
  if (last.drew) return 'CHANCE_DRAWN';
  if (match.engine.epoch(match.state) !== last.epoch) return 'SECRETS_REVEALED';
  return last;
}

/** The version to which taking back would return; the current one if nothing can be taken back. */
export function versionBefore(match: Match, seat: Seat | null): number {
  const target = undoable(match, seat);
  return typeof target === 'string' ? match.version : target.version - 1;
}

/** `at` returns the match at an earlier version, and may know it without rebuilding. */
export function undone(
  match: Match,
  seat: Seat | null,
  playerId: string,
  now: Date,
  at = (version: number) => matchAt(match, version),
): Match {
  const target = undoable(match, seat);
  if (typeof target === 'string') {
    if (target === 'NOT_SEATED') throw refusals.notSeated();
    throw refusals.cannotUndo(target);
  }
  const { version, label, secret, epoch } = target;
  const draft = {
    type: 'UNDONE',
    seat,
    playerId,
    action: { version },
    label: `take back: ${label}`,
    secret,
    epoch,
  } as const;
  const before = at(version - 1);
  return compose(match, draft, before.state, now, before.clocks);
}
