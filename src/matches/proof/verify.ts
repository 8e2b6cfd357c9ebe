/** Proves a document: replays it, validates every action, repeats every draw and checks both chains of hashes. */
import { fromHex } from '../../crypto.ts';
import { AtollError } from '../../errors.ts';
import { canonical } from '../../games/canonical.ts';
import { lookUp, optionsFor, seatsFor } from '../../games/play.ts';
import type { Registry } from '../../games/registry.ts';
import { timeOf } from '../../id.ts';
import { acted } from '../commands/act.ts';
import { orderFor } from '../commands/orders.ts';
import { clockOf } from '../commands/seating.ts';
import { shortText } from '../commands/text.ts';
import { undone } from '../commands/undo.ts';
import { Log } from '../log/events.ts';
import { compose, emptyMatch, startingState } from '../log/match.ts';
import type { EventLog, LoggedEvent, Match } from '../log/records.ts';
import { type MatchDocument, shapeFault } from './document.ts';
import { commitment } from './hashes.ts';

/** Describes the first thing that is wrong. Version 0 stands for what was agreed before the first event. */
export class Unproven extends AtollError {
  constructor(version: number, fault: string) {
    super('BAD_INPUT', version > 0 ? `Event ${version}: ${fault}` : fault, { version });
  }
}

export interface Proven {
  match: Match;
  actions: number;
  undone: number;
  /** How many of the events drew chance. */
  draws: number;
}

/**
 * What a player wrote down while the match was open. Without it, the operator could have made up the whole document.
 */
export interface Saved {
  /** The commitment, as the match showed it when the player sat down or earlier. */
  commitment?: string | undefined;
  /** What the player added to the seed. */
  entropy?: string | undefined;
}

export interface VerifyOptions {
  saved?: Saved;
  /** The ids of the players that the document lists. */
  players?: readonly string[];
}

/** The match that a document describes, with every event made anew. Throws Unproven at the first difference. */
export function verify(registry: Registry, value: unknown, { saved = {}, players }: VerifyOptions = {}): Proven {
  const fault = shapeFault(value);
  if (fault) throw new Unproven(0, `This is not a match document: ${fault}`);
  const document = value as MatchDocument;
  checkSaved(document, saved);
  checkPlayers(document);
  const ids = players ?? document.players.map((_, i) => `player ${i}`);
  let match = opening(registry, document);
  const past = [match]; // by version, so that an undo costs the same in a long match
  for (const event of document.events) {
    if (event.version !== match.version + 1) throw new Unproven(event.version, `expected version ${match.version + 1}`);
    match = step(match, event, event.player === null ? null : (ids[event.player] ?? null), past);
    past.push(match);
  }
  if (match.status !== document.status)
    throw new Unproven(match.version, `the match is ${match.status}, not ${document.status}`);
  if (canonical(match.result) !== canonical(document.result)) {
    throw new Unproven(match.version, `the result is ${canonical(match.result)}, not ${canonical(document.result)}`);
  }
  const count = (test: (event: LoggedEvent) => boolean) => match.events.filter(test).length;
  return {
    match: { ...match, events: asRecorded(match.events, document) },
    actions: count(({ type }) => type === 'ACTED'),
    undone: count(({ type }) => type === 'UNDONE'),
    draws: count(({ drew }) => drew),
  };
}

function checkSaved(document: MatchDocument, { commitment: published, entropy }: Saved): void {
  if (published !== undefined && published.toLowerCase() !== document.commitment)
    throw new Unproven(0, 'Its commitment is not the one that you saved');
  const took = document.events.some((event) => event.type === 'JOINED' && event.entropy === entropy);
  if (entropy !== undefined && !took) throw new Unproven(0, 'No seat added the entropy that you saved');
}

/** Leaves effects unrecorded where the document has none, so that the match exports as the same document. */
const asRecorded = (events: EventLog, document: MatchDocument): EventLog =>
  Log.of(events.map((event) => (document.events[event.version - 1]?.effects ? event : { ...event, effects: null })));

/** Players are listed in the order in which they first appear, and nobody else is listed. */
function checkPlayers({ players, events }: MatchDocument): void {
  let known = 0;
  for (const { version, player } of events) {
    if (player === null || player < known) continue;
    if (player > known || player >= players.length)
      throw new Unproven(version, 'its player is not the next one in the list');
    known++;
  }
  if (known !== players.length) throw new Unproven(0, 'It lists a player who did nothing');
}

/** The match before its first event: the game, the options, and a seed that agrees with the commitment. */
function opening(registry: Registry, document: MatchDocument): Match {
  const { id, game: gameId, rules, seats, serverSeed, createdAt, origin, position } = document;
  if (serverSeed === null)
    throw new Unproven(0, 'The seed of this match is not public yet: only an ended match can be proven');
  // The chain begins with the id, and the id begins with the time.
  if (instantOf(createdAt)?.getTime() !== timeOf(id)) throw new Unproven(0, 'Its createdAt is not the time of its id');
  if ((origin === null) !== (position === null))
    throw new Unproven(0, 'Only an analysis match has an origin and a position, and it has both');
  const seed = fromHex(serverSeed);
  if (commitment(seed) !== document.commitment) throw new Unproven(0, 'The seed is not the one that was committed to');
  try {
    const game = registry.game(gameId, rules);
    const options = optionsFor(game, document.options);
    if (canonical(options) !== canonical(document.options)) throw new Unproven(0, 'The options are not complete');
    if (canonical(clockOf(document.clock)) !== canonical(document.clock))
      throw new Unproven(0, 'The clock is not complete');
    return emptyMatch(game, {
      id,
      game: gameId,
      rules,
      options,
      seatCount: seatsFor(game, seats),
      visibility: 'PUBLIC',
      invite: null,
      creatorId: '',
      serverSeed: seed,
      draws: document.draws ?? 1,
      createdAt: new Date(createdAt),
      origin,
      position,
      importedAt: null,
      clock: document.clock,
      takeover: false,
      rematchOf: null,
      reserved: null,
      outages: [],
    });
  } catch (error) {
    throw error instanceof Unproven ? error : new Unproven(0, (error as Error).message);
  }
}

/** Null for dates that do not exist, such as 31 June. */
function instantOf(text: string): Date | null {
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === text ? instant : null;
}

type DocumentEvent = MatchDocument['events'][number];

function step(match: Match, event: DocumentEvent, playerId: string | null, past: readonly Match[]): Match {
  let next: Match;
  try {
    next = again(match, event, playerId, past);
  } catch (error) {
    throw error instanceof Unproven ? error : new Unproven(event.version, (error as Error).message);
  }
  const made = next.events.at(-1) as LoggedEvent;
  const told = ({ seat, action, entropy }: Pick<LoggedEvent, 'seat' | 'action' | 'entropy'>) =>
    canonical({ seat, action, entropy });
  if (told(made) !== told(event))
    throw new Unproven(event.version, 'it has fields that an event of its type cannot have');
  if (made.stateHash !== event.stateHash)
    throw new Unproven(event.version, 'it leads to a different state than the recorded one');
  if (event.effects && canonical(made.effects) !== canonical(event.effects))
    throw new Unproven(event.version, 'its effects differ from the recorded ones');
  if (made.hash !== event.hash)
    throw new Unproven(event.version, 'its hash does not follow from the event before it and what it says');
  return next;
}

/** Makes the event anew, by the same steps that made it at first. */
function again(match: Match, event: DocumentEvent, playerId: string | null, past: readonly Match[]): Match {
  const at = instantOf(event.at);
  if (!at || at < (match.events.at(-1)?.at ?? new Date(0))) throw new Unproven(event.version, 'it goes back in time');
  if (event.type !== 'JOINED' && event.entropy !== null)
    throw new Unproven(event.version, 'only a joining seat adds entropy');
  switch (event.type) {
    case 'JOINED':
      return seatAgain(match, event, playerId, at);
    case 'LEFT':
      return leaveAgain(match, event, playerId, at);
    case 'STARTED':
      if (match.status !== 'OPEN' || match.seats.includes(null))
        throw new Unproven(event.version, 'the match could not start');
      return compose(match, { type: 'STARTED', seat: null, drew: match.position === null }, startingState(match), at);
    case 'ACTED':
      return actAgain(match, event, playerId, at);
    case 'UNDONE':
      return undone(match, event.seat, playerId ?? '', at, (version) => past[version] as Match);
    case 'ORDERED':
      return orderAgain(match, event, playerId, at);
    case 'RESIGNED':
    case 'TIMED_OUT':
      return goneAgain(match, event, playerId, at);
  }
}

/** Without a seat: the match was called off by its creator or, possibly after the start, by the operator. */
function leaveAgain(match: Match, event: DocumentEvent, playerId: string | null, at: Date): Match {
  const possible = event.seat === null ? !match.endedAt : match.status === 'OPEN' && match.seats[event.seat] != null;
  if (!possible || (match.state && playerId !== null))
    throw new Unproven(event.version, 'leaving was not possible here');
  return compose(match, { type: 'LEFT', seat: event.seat, playerId }, match.state, at);
}

function seatAgain(match: Match, event: DocumentEvent, playerId: string | null, at: Date): Match {
  const free = event.seat !== null && (match.seats[event.seat] === null || match.vacant.includes(event.seat));
  if (match.endedAt || !free || playerId === null) throw new Unproven(event.version, 'this seat could not be taken');
  const entropy = shortText('entropy', event.entropy);
  return compose(match, { type: 'JOINED', seat: event.seat, playerId, entropy }, match.state, at);
}

function orderAgain(match: Match, event: DocumentEvent, playerId: string | null, at: Date): Match {
  if (match.status !== 'ACTIVE' || !isSeat(match, event.seat))
    throw new Unproven(event.version, 'an order was not possible here');
  const order = orderFor(match.engine, event.action?.order);
  const draft = { type: 'ORDERED', seat: event.seat, playerId, action: { order }, secret: true } as const;
  return compose(match, draft, match.state, at);
}

const isSeat = ({ seatCount }: Match, seat: number | null): seat is number => seat !== null && seat < seatCount;

/** That somebody resigned or ran out of time is the server's word; what follows from it is checked. */
function goneAgain(match: Match, event: DocumentEvent, playerId: string | null, at: Date): Match {
  const gone = !isSeat(match, event.seat) || match.vacant.includes(event.seat);
  const noTime = event.type === 'TIMED_OUT' && !match.clock;
  if (match.status !== 'ACTIVE' || gone || noTime) throw new Unproven(event.version, 'this seat could not be given up');
  return compose(match, { type: event.type, seat: event.seat, playerId }, match.state, at);
}

function actAgain(match: Match, event: DocumentEvent, playerId: string | null, at: Date): Match {
  if (!match.state || match.endedAt || event.seat === null)
    throw new Unproven(event.version, 'an action was not possible here');
  const action = lookUp(match.engine, match.state, event.seat, event.action);
  return acted(match, event.seat, playerId, action, null, at);
}
