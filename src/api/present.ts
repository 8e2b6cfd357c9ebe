/**
 * The only projection, used by every channel: what a caller may know of a match, and no more (docs/design.md, Secrets).
 */
import { refusals } from '../errors.ts';
import type { Effect, Scene, Seat } from '../games/game.ts';
import { type Caller, isInside, seatOf } from '../matches/commands/access.ts';
import { type Refusal, undoable, undoSeat } from '../matches/commands/undo.ts';
import { deadlines } from '../matches/log/clock.ts';
import type { LoggedEvent, Match, Receipt, Summary } from '../matches/log/records.ts';
import { documenting, type MatchDocument } from '../matches/proof/document.ts';
import { commitment } from '../matches/proof/hashes.ts';
import { isBot } from '../players/bot-accounts.ts';
import type { Player } from '../players/player.ts';
import type { Presence } from '../players/presence.ts';
import { inSlices } from '../turns.ts';
import { drawnBoard } from './boards.ts';
import type { Work } from './http/limits/work.ts';
import { type Look, type Sight, sightOf } from './sight.ts';

export type { Look };

export const MAX_EVENTS = 500;

/** About how many characters a view, an event and a legal action take in an answer. */
const VIEW_LENGTH = 8000;
const EVENT_LENGTH = 400;
const ACTION_LENGTH = 200;

export async function view(match: Match, caller: Caller, look: Look, work: Work): Promise<object | null> {
  work.answer(VIEW_LENGTH);
  return (await sightOf(match, caller, look, work))?.view ?? null;
}

/** The names of the players in these seats. */
type NamesOf = (seats: readonly (string | null)[]) => Promise<(string | null)[]>;

export interface BoardLook extends Look {
  width?: Scene['width'] | null;
}

/** What a picture or a text needs besides the match. */
export interface Drawing {
  namesOf: NamesOf;
  work: Work;
}

export async function board(
  match: Match,
  caller: Caller,
  look: BoardLook,
  { namesOf, work }: Drawing,
): Promise<string | null> {
  const sight = await sightOf(match, caller, look, work);
  const scene = sight && (await sceneOf(match, caller, sight, namesOf, look.width));
  if (!scene) return null;
  await work.turn(); // names may have been looked up for many boards at once
  const svg = drawnBoard(sight.then, sight.eyes, sight.view, scene);
  work.answer(svg.length);
  return svg;
}

export async function description(
  match: Match,
  caller: Caller,
  look: Look,
  { namesOf, work }: Drawing,
): Promise<string[] | null> {
  work.answer(VIEW_LENGTH);
  const sight = await sightOf(match, caller, look, work);
  return sight && match.engine.describe(sight.view, await sceneOf(match, caller, sight, namesOf));
}

/** What a picture shows besides the view. The same eyes can see all of it in other fields too. */
async function sceneOf(
  match: Match,
  caller: Caller,
  { then, eyes }: Sight,
  namesOf: NamesOf,
  width?: Scene['width'] | null,
): Promise<Scene> {
  const isOwnNow = then === match && eyes === seatOf(match, caller);
  return {
    names: await namesOf(then.seats),
    acting: then.acting,
    result: then.result,
    last: lastAction(then, eyes),
    legal: isOwnNow ? [...new Set(listActions(match, caller).flatMap(({ targets }) => targets))] : [],
    width: width ?? 'WIDE',
  };
}

/** The last action that has not been taken back and that these eyes may know of. */
function lastAction(match: Match, eyes: Seat | null): Scene['last'] {
  const last = match.events.findLast(
    (event) =>
      event.type === 'ACTED' &&
      !match.events.isUndone(event.version) &&
      (!event.secret || event.seat === eyes || isPublic(match, event)),
  );
  return last?.targets ? { seat: last.seat as Seat, targets: last.targets } : null;
}

export interface PresentAction {
  action: object;
  label: string;
  targets: string[];
}

/** The legal actions now, or in the match as it stood earlier. */
export async function legalActions(match: Match, caller: Caller, work: Work): Promise<PresentAction[]> {
  await work.turn();
  const list = listActions(match, caller);
  work.answer(list.length * ACTION_LENGTH);
  return list;
}

function listActions(match: Match, caller: Caller): PresentAction[] {
  const seat = seatOf(match, caller);
  if (seat === null || !match.state || match.endedAt) return [];
  const { engine, state } = match;
  const list = engine.legal(state, seat);
  if (list.length === 0) return [];
  const seen = engine.view(state, seat);
  return list.map((action) => ({
    action,
    label: engine.label(action, seen),
    targets: engine.targets(action, seen),
  }));
}

/** An event as this caller may know it, together with its match. */
export interface SeenEvent {
  version: number;
  type: LoggedEvent['type'];
  seat: Seat | null;
  action: object | null;
  label: string | null;
  targets: readonly string[] | null;
  effects: readonly Effect[] | null;
  acting: readonly Seat[];
  at: Date;
  hash: string;
  match: Match;
}

/**
 * Whether the caller did this, or it was done for the caller's seat. An order belongs to its player and not to the
 * seat.
 */
const isOwn = ({ seats }: Match, { type, seat, playerId }: LoggedEvent, caller: Caller): boolean =>
  caller !== null && (playerId === caller.id || (type !== 'ORDERED' && seat !== null && seats[seat] === caller.id));

/** A secret action of another seat stays hidden until the epoch in which it was made has passed. */
export const isHidden = (match: Match, event: LoggedEvent, caller: Caller): boolean =>
  event.secret && !isOwn(match, event, caller) && !isPublic(match, event);

export const seenEvent = (match: Match, event: LoggedEvent, caller: Caller): SeenEvent =>
  shownEvent(match, event, isHidden(match, event, caller));

/**
 * An event as it is shown to all from whom it is hidden, or to all others. Beyond that it does not depend on the
 * caller, so its text can be made once and sent to all of them. The match that it carries is different: it depends on
 * who asks.
 */
export function shownEvent(match: Match, event: LoggedEvent, hidden: boolean): SeenEvent {
  const { version, type, seat, acting, at, hash } = event;
  const { action, label, targets, effects } = hidden ? HIDDEN : event;
  return { version, type, seat, action, label, targets, effects, acting, at, hash, match };
}

const HIDDEN = { action: null, label: null, targets: null, effects: null };

export interface PresentEffect {
  type: string;
  data: object;
  text: string;
}

/** What followed from an event, with a sentence for each effect. */
export const effects = ({ match, effects }: SeenEvent): PresentEffect[] | null =>
  effects === null
    ? null
    : effects.map((effect) => ({
        type: effect.type,
        data: effect,
        text: match.engine.explain?.(effect) ?? effect.type,
      }));

const isPublic = (match: Match, event: LoggedEvent): boolean =>
  match.status === 'FINISHED' ||
  (match.state !== null && match.engine.epoch(match.state) > event.epoch && !isTakenBack(match, event));

/** An action that was taken back was never played, so no step reveals it: it becomes public only at the end. */
const isTakenBack = (match: Match, { type, version }: LoggedEvent): boolean =>
  type === 'UNDONE' || match.events.isUndone(version);

export function history(match: Match, caller: Caller, work: Work, after = 0, first = 100): SeenEvent[] {
  if (!Number.isInteger(after) || after < 0) throw refusals.badAfterVersion();
  if (!Number.isInteger(first) || first < 1 || first > MAX_EVENTS) {
    throw refusals.badFirst(MAX_EVENTS);
  }
  const events = match.events.slice(after, after + first);
  work.answer(events.length * EVENT_LENGTH);
  return events.map((event) => seenEvent(match, event, caller));
}

/** A page of the history. Its cursors are versions. */
export function page(match: Match, caller: Caller, work: Work, { first, after, last, before }: EventPage) {
  const from = after ? versionOf(after, 'after') : 0;
  const to = Math.min(before ? versionOf(before, 'before') - 1 : match.version, match.version);
  const size = last ?? first ?? 100;
  if (size < 1 || size > MAX_EVENTS) throw last != null ? refusals.badLast(MAX_EVENTS) : refusals.badFirst(MAX_EVENTS);
  const start = last != null ? Math.max(from, to - size) : from;
  const count = Math.max(0, Math.min(size, to - start));
  return { items: count > 0 ? history(match, caller, work, start, count) : [], more: to - from > count };
}

export interface EventPage {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

function versionOf(cursor: string, argument: 'after' | 'before'): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw refusals.badCursor(argument);
}

/** Whether an action has been taken back since. */
export const isUndone = ({ match, version }: SeenEvent): boolean => match.events.isUndone(version);

/** The standing order of the caller's own seat. */
export function myOrder(match: Match, caller: Caller): object | null {
  const seat = seatOf(match, caller);
  return seat === null ? null : (match.orders[seat] ?? null);
}

export interface UndoCheck {
  possible: boolean;
  reason: Refusal | null;
}

export function canUndo(match: Match, caller: Caller): UndoCheck {
  const target = undoable(match, undoSeat(match, caller));
  return typeof target === 'string' ? { possible: false, reason: target } : { possible: true, reason: null };
}

/**
 * The whole document after the end. Before the end, only what the caller may know: no seed, no state hashes, no
 * secrets.
 */
export async function exported(
  match: Match,
  caller: Caller,
  names: readonly string[],
  work: Work,
): Promise<MatchDocument> {
  work.pay(match.version / EVENTS_A_UNIT);
  return inSlices(exporting(match, caller, names), work.who);
}

/** How many exported events one unit of work pays for. */
const EVENTS_A_UNIT = 2;

export function* exporting(match: Match, caller: Caller, names: readonly string[]): Generator<void, MatchDocument> {
  const document = yield* documenting(match, names);
  if (match.endedAt) return document;
  const events: MatchDocument['events'] = [];
  for (const event of document.events) {
    const { action, effects } = seenEvent(match, match.events.at(events.length) as LoggedEvent, caller);
    const { effects: told, ...rest } = event;
    const known = effects && told && { effects: told };
    events.push({ ...rest, ...known, action: action as typeof event.action, entropy: null, stateHash: null });
    yield;
  }
  return { ...document, serverSeed: null, events };
}

export interface PresentReceipt {
  version: number;
  event: SeenEvent;
  match: Match;
}

export const receipt = ({ event, match }: Receipt, caller: Caller): PresentReceipt => ({
  version: event.version,
  event: seenEvent(match, event, caller),
  match,
});

export interface PresentSeat {
  index: number;
  playerId: string | null;
  acting: boolean;
  deadline: Date | null;
  bankSeconds: number | null;
  vacant: boolean;
}

export function seats(match: Match): PresentSeat[] {
  const until = deadlines(match);
  return match.seats.map((playerId, index) => ({
    index,
    playerId,
    acting: match.acting.includes(index),
    deadline: until[index] ?? null,
    bankSeconds: match.clocks ? Math.floor((match.clocks.bank[index] as number) / 1000) : null,
    vacant: match.vacant.includes(index),
  }));
}

/** A player as the REST face shows it, without the token of a viewer. */
export const playerJson = ({ id, name, kind, tag }: Player): Player => ({ id, name, kind, tag });

/** Whether each player is online. Bots always are; a seat without a player never is. */
export async function whoIsHere(
  playerIds: readonly (string | null)[],
  presence: Pick<Presence, 'online'>,
): Promise<boolean[]> {
  const people = [...new Set(playerIds.filter((id) => id !== null && !isBot(id)))] as string[];
  const here = people.length > 0 ? await presence.online(people) : new Set();
  return playerIds.map((id) => id !== null && (isBot(id) || here.has(id)));
}

/** What lists show of seats. They do not read the log, from which the clocks follow. */
export const briefSeats = (match: Summary) =>
  match.seats.map((playerId, index) => ({ index, playerId, acting: match.acting.includes(index) }));

export const mySeat = (match: Summary, caller: Caller): Seat | null => seatOf(match, caller);

export const invite = (match: Summary, caller: Caller): string | null =>
  isInside(match, caller) ? match.invite : null;

export const commitmentOf = (match: Summary): string => commitment(match.serverSeed);

/** The seed is published once nothing is left to be drawn from it. */
export const seed = (match: Summary): string | null =>
  match.endedAt ? Buffer.from(match.serverSeed).toString('hex') : null;

/** A match as the REST face shows it. */
export function matchJson(match: Summary, caller: Caller, playerOf: (id: string) => Player | null) {
  const { id, game, rules, options, status, visibility, version, acting, result, createdAt, startedAt, endedAt } =
    match;
  return {
    id,
    game,
    rules,
    options,
    status,
    visibility,
    invite: invite(match, caller),
    version,
    seats: ('events' in match ? seats(match as Match) : briefSeats(match)).map(({ playerId, ...seat }) => ({
      ...seat,
      player: playerId && playerOf(playerId),
    })),
    acting,
    mySeat: mySeat(match, caller),
    ...('events' in match && { canUndo: canUndo(match as Match, caller) }),
    clock: match.clock,
    takeover: match.takeover,
    rematchOf: match.rematchOf,
    origin: match.origin && { matchId: match.origin.match, at: match.origin.at, seat: match.origin.seat },
    importedAt: match.importedAt,
    result,
    commitment: commitmentOf(match),
    seed: seed(match),
    createdAt,
    startedAt,
    endedAt,
  };
}
