/** Looking at a match: at which version, and through the eyes of which seat. */
import { refusals } from '../errors.ts';
import type { Seat } from '../games/game.ts';
import { type Caller, seatOf } from '../matches/commands/access.ts';
import { advancing, rebuilding } from '../matches/log/rebuild.ts';
import type { Match } from '../matches/log/records.ts';
import { inSlices } from '../turns.ts';
import type { Work } from './http/limits/work.ts';

/** The version to look at, and the seat whose eyes to use. */
export interface Look {
  at?: number | null;
  seat?: number | null;
}

/** The seat through whose eyes the caller looks; null for a spectator. After the end, any seat may be chosen. */
function eyesOf(match: Match, caller: Caller, seat: number | null | undefined): Seat | null {
  const mine = seatOf(match, caller);
  if (seat === null || seat === undefined || seat === mine) return mine;
  if (!Number.isInteger(seat) || seat < 0 || seat >= match.seatCount) {
    throw refusals.badSeat(match.seatCount - 1);
  }
  if (match.status !== 'FINISHED' && !match.origin) throw refusals.notYourEyes();
  return seat;
}

/** Matches as they stood at earlier versions, with the most recently used last. */
const lookedAt = new WeakMap<Match, Map<number, Promise<Match>>>();
/** Enough for a few callers who each step through the same match. */
const KEPT = 8;

/**
 * The match as it stood at an earlier version. Someone who steps through a match asks for one version after another, so
 * each is built from the nearest known version before it, if that is near enough.
 */
export function earlier(match: Match, version: number, { who }: Work): Promise<Match> {
  const known = lookedAt.get(match) ?? new Map<number, Promise<Match>>();
  lookedAt.set(match, known);
  const nearest = Math.max(...[...known.keys()].filter((v) => v <= version && v > version - NEAR));
  const before = known.get(nearest);
  const found =
    before === undefined
      ? inSlices(rebuilding(match, version), who)
      : nearest === version
        ? before
        : before.then((then) => inSlices(advancing(then, match.events.slice(nearest, version)), who));
  known.delete(version); // and back in as the most recently used
  known.set(version, found);
  const [oldest] = known.keys();
  if (known.size > KEPT) known.delete(oldest as number);
  return found;
}

/** At a greater distance than this, a mark of the log is nearer. */
const NEAR = 64;

/** The match as it stood at the requested version, and what the eyes may know of it. */
export interface Sight {
  then: Match;
  eyes: Seat | null;
  view: object;
}

/** Null before the start. */
export async function sightOf(match: Match, caller: Caller, { at, seat }: Look, work: Work): Promise<Sight | null> {
  const eyes = eyesOf(match, caller, seat);
  const version = at ?? match.version;
  if (!Number.isInteger(version) || version < 0 || version > match.version) {
    throw refusals.badVersion(match.version, {
      version: match.version,
    });
  }
  const then = version === match.version ? match : await earlier(match, version, work);
  await work.turn();
  return then.state && { then, eyes, view: then.engine.view(then.state, eyes) };
}
