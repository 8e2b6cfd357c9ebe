/**
 * Rebuilds matches from their log: caught up with new events, or as they stood at an earlier version. Both can take
 * long, so both are generators that yield after each event (see turns.ts).
 */
import type { Seat } from '../../games/game.ts';
import { copyOf, replay } from '../../games/play.ts';
import { atOnce } from '../../turns.ts';
import { undoneBy } from './events.ts';
import { emptyMatch, fold, startingState, streamOf } from './match.ts';
import type { Clocks, LoggedEvent, Match } from './records.ts';

/**
 * The match after committed events. They are trusted and replayed on one copy of the state, made once for all of them.
 */
export function* advancing(match: Match, events: readonly LoggedEvent[]): Generator<void, Match> {
  // An action that is taken back within these events need not be played: undoing returns to the very state before it.
  const undone = undoneVersions(events);
  const before = new Map<number, Clocks | null>(); // the clocks before each action that is taken back
  let next = match;
  let state = match.state && events.length > 0 ? copyOf(match.engine, match.state) : match.state;
  for (const event of events) {
    if (event.type === 'STARTED') state = startingState(next);
    let clocks: Clocks | null | undefined;
    if (event.type === 'ACTED') {
      if (undone.has(event.version)) {
        clocks = next.clocks;
        before.set(event.version, clocks);
      } else {
        const move = { stream: streamOf(next), seat: event.seat as Seat, action: event.action as object };
        replay(next.engine, state as object, move, next.seed as Uint8Array);
      }
    }
    if (event.type === 'UNDONE') {
      const earlier = undoneBy(event) <= match.version ? yield* rebuilding(match, undoneBy(event) - 1) : null;
      if (earlier?.state) state = copyOf(earlier.engine, earlier.state);
      // Use the clocks from before the action: a standing order may have ticked them since.
      clocks = earlier ? earlier.clocks : before.get(undoneBy(event));
      before.delete(undoneBy(event));
    }
    next = fold(next, event, state, clocks);
    if (before.size === 0) leaveMark(next); // otherwise the state lacks an action that is not taken back yet
    yield;
  }
  return next;
}

/** The versions of all actions that these events took back. */
const undoneVersions = (events: readonly LoggedEvent[]): Set<number> =>
  new Set(events.filter(({ type }) => type === 'UNDONE').map(undoneBy));

/** The match as it stood at an earlier version. */
export function* rebuilding(match: Match, version: number): Generator<void, Match> {
  if (version === match.version) return match;
  const from = nearestMark(match, version);
  return yield* advancing(from, match.events.slice(from.version, version));
}

/** Without yielding: for tools, and for matches that are known to be short. */
export const advance = (match: Match, events: readonly LoggedEvent[]): Match => atOnce(advancing(match, events));
export const matchAt = (match: Match, version: number): Match => atOnce(rebuilding(match, version));

/**
 * The number of events between two marks. From a mark it is a short way to any version, and a state takes about two
 * kilobytes.
 */
const APART = 64;

/** Matches as they stood at earlier versions, kept for as long as their log is remembered. */
const marks = new WeakMap<object, Map<number, Match>>();

function leaveMark(match: Match): void {
  const { line } = match.events;
  const place = Math.floor(match.version / APART);
  const known = marks.get(line);
  if (place === 0 || known?.has(place)) return;
  const mark = { ...match, state: match.state && copyOf(match.engine, match.state) };
  if (known) known.set(place, mark);
  else marks.set(line, new Map([[place, mark]]));
}

/** The last mark before a version, or the match without events. */
function nearestMark(match: Match, version: number): Match {
  const known = marks.get(match.events.line);
  for (let place = Math.floor(version / APART); known && place > 0; place--) {
    const mark = known.get(place);
    if (mark && mark.version <= version) return mark;
  }
  return { ...emptyMatch(match.engine, match), events: match.events.upTo(0) };
}
