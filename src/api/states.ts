/** A match as it stood after one of its events, as the caller could know it then. */
import { refusals } from '../errors.ts';
import type { Seat } from '../games/game.ts';
import { type Caller, seatOf } from '../matches/commands/access.ts';
import type { Match } from '../matches/log/records.ts';
import type { Work } from './http/limits/work.ts';
import * as present from './present.ts';
import { earlier } from './sight.ts';

/** Nothing of it is rebuilt before a field asks for it. */
export interface StateThen {
  match: Match;
  version: number;
}

/** The most states in one answer. */
export const MAX_STATES = 100;

export const stateAt = (match: Match, version: number): StateThen => ({ match, version });

/** All states from one version to another, inclusive. Without `to`, as many as an answer may hold. */
export function statesOf(match: Match, from: number, to: number | null | undefined): StateThen[] {
  const end = to ?? Math.min(match.version, from + MAX_STATES - 1);
  if (!(from >= 0 && from <= end && end <= match.version)) throw refusals.badStates(match.version);
  if (end - from >= MAX_STATES) throw refusals.tooManyStates(MAX_STATES);
  return Array.from({ length: end - from + 1 }, (_, i) => stateAt(match, from + i));
}

async function thenOf({ match, version }: StateThen, work: Work): Promise<Match> {
  return version === match.version ? match : earlier(match, version, work);
}

/** A caller with several seats, as in an analysis match, sees through the one that could act. */
async function eyesThen(state: StateThen, caller: Caller, work: Work): Promise<Seat | null> {
  const seat = seatOf(await thenOf(state, work), caller);
  return seat !== null && state.match.seats[seat] === caller?.id ? seat : null;
}

async function lookOf(state: StateThen, seat: number | null | undefined, caller: Caller, work: Work) {
  return { at: state.version, seat: seat ?? (await eyesThen(state, caller, work)) };
}

export const acting = async (state: StateThen, work: Work): Promise<Seat[]> => [...(await thenOf(state, work)).acting];

export async function view(state: StateThen, caller: Caller, seat: number | null | undefined, work: Work) {
  return present.view(state.match, caller, await lookOf(state, seat, caller, work), work);
}

export async function board(
  state: StateThen,
  caller: Caller,
  { seat, width }: Omit<present.BoardLook, 'at'>,
  drawing: present.Drawing,
): Promise<string | null> {
  const look = { ...(await lookOf(state, seat, caller, drawing.work)), ...(width && { width }) };
  return present.board(state.match, caller, look, drawing);
}

export async function description(
  state: StateThen,
  caller: Caller,
  seat: number | null | undefined,
  drawing: present.Drawing,
): Promise<string[] | null> {
  return present.description(state.match, caller, await lookOf(state, seat, caller, drawing.work), drawing);
}

/** Empty for a caller who has since given up the seat. */
export async function legalActions(state: StateThen, caller: Caller, work: Work): Promise<present.PresentAction[]> {
  if ((await eyesThen(state, caller, work)) === null) return [];
  return present.legalActions(await thenOf(state, work), caller, work);
}

/** The event that led to it, as the caller may know it now. */
export function eventOf({ match, version }: StateThen, caller: Caller): present.SeenEvent | null {
  const event = version > 0 ? match.events.at(version - 1) : undefined;
  return event ? present.seenEvent(match, event, caller) : null;
}
