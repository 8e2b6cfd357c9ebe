/** What an action makes of a match: pure, so that a verifier can run the same steps without a server. */
import { refusals } from '../../errors.ts';
import type { Seat } from '../../games/game.ts';
import { play, same } from '../../games/play.ts';
import type { Player } from '../../players/player.ts';
import { compose, type Draft, streamOf } from '../log/match.ts';
import type { LoggedEvent, Match } from '../log/records.ts';
import { viewWhenNeeded } from './when-needed.ts';

export const stale = ({ version }: Match) => refusals.stale(version, { version });

/** The event of an action id that this player has used before. Refuses an id that was used for a different action. */
export function earlierEvent(
  { events }: Match,
  player: Player,
  actionId: string | null,
  action: unknown,
): LoggedEvent | undefined {
  const earlier = actionId === null ? undefined : events.byActionId(player.id, actionId);
  if (!earlier || same(earlier.action, action)) return earlier;
  throw refusals.actionIdReused({ version: earlier.version });
}

/** The match after a legal action. */
export function acted(
  match: Match,
  seat: Seat,
  playerId: string | null,
  action: object,
  actionId: string | null,
  now: Date,
): Match {
  const { engine: game, state: before, seed } = match;
  if (!before || !seed) throw refusals.notStarted();
  const { state, drew, effects } = play(game, before, { stream: streamOf(match), seat, action }, seed);
  const [epoch, secret] = [game.epoch(before), game.isSecret(action)];
  const eyes = secret ? seat : null;
  const seen = viewWhenNeeded(game, before, eyes);
  const [label, targets] = [game.label(action, seen), game.targets(action, seen)];
  const draft: Draft = {
    type: 'ACTED',
    seat,
    playerId,
    action,
    actionId,
    label,
    targets,
    effects,
    secret,
    epoch,
    drew,
  };
  return compose(match, draft, state, now);
}

/**
 * Whether a decision made at that version still holds: only others have acted since, and this seat could act
 * throughout.
 */
export function isCurrent(match: Match, seat: Seat, expected: number | null | undefined): boolean {
  if (expected === null || expected === undefined || expected === match.version) return true;
  if (!Number.isInteger(expected) || expected < 1 || expected > match.version) return false;
  const couldAct = (event: LoggedEvent | undefined) => event?.acting.includes(seat) ?? false;
  if (!couldAct(match.events.at(expected - 1))) return false;
  return match.events
    .slice(expected)
    .every((event) => event.type === 'ORDERED' || (event.type === 'ACTED' && event.seat !== seat && couldAct(event)));
}
