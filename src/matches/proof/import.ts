/** Imports a match that was played on another server. */
import { createHash } from 'node:crypto';
import type { Registry } from '../../games/registry.ts';
import { newId } from '../../id.ts';
import { isName } from '../../players/name.ts';
import type { LoggedEvent, Match } from '../log/records.ts';
import { type MatchDocument, shapeFault, textOf } from './document.ts';
import { Unproven, verify } from './verify.ts';

/** A proven match, without what only this process has: its engine and its log. */
export interface ProvenMatch {
  match: Omit<Match, 'engine' | 'events'>;
  events: LoggedEvent[];
}

/** Matches between people end long before this. A longer one would keep other imports waiting while it is proven. */
const MAX_IMPORTED = 5000;

/** A document that may be imported if it is proven. */
export interface Draft {
  document: MatchDocument;
  /** The digest of its text. */
  digest: string;
  /** Its players become accounts that nobody can use. */
  newPlayers: { id: string; name: string }[];
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Everything that can be checked without playing the document. It may be given as JSON or as the text of it. */
export function read(given: unknown, now: Date): Draft {
  const document = typeof given === 'string' ? parsed(given) : given;
  // Check the lengths of lists before looking at their items.
  for (const list of Object.values(document ?? {})) {
    if (Array.isArray(list) && list.length > MAX_IMPORTED)
      throw new Unproven(0, `Only matches of up to ${MAX_IMPORTED} events can be imported`);
  }
  const fault = shapeFault(document);
  if (fault) throw new Unproven(0, `This is not a match document: ${fault}`);
  const { players, status, position, createdAt, events } = document as MatchDocument;
  // A made-up state could be one that the rules cannot handle.
  if (position !== null) throw new Unproven(0, 'An analysis match cannot be imported: nothing proves where it began');
  if (status !== 'FINISHED' && status !== 'CANCELLED') throw new Unproven(0, 'Only an ended match can be imported');
  const latest = new Date(now.getTime() + 60_000).toISOString();
  if (createdAt > latest || events.some(({ at }) => at > latest)) throw new Unproven(0, 'Its times lie in the future');
  const unfit = players.find((name) => !isName(name));
  if (unfit !== undefined) throw new Unproven(0, `${JSON.stringify(unfit)} is not a valid player name`);
  return {
    document: document as MatchDocument,
    digest: digestOf(textOf(document as MatchDocument)),
    newPlayers: players.map((name) => ({ id: newId(), name })),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unproven(0, `This is not JSON: ${(error as Error).message}`);
  }
}

/** Plays the document again, event by event. */
export function prove(registry: Registry, { document, newPlayers }: Draft): ProvenMatch {
  const { match } = verify(registry, document, { players: newPlayers.map(({ id }) => id) });
  const { engine: _engine, events, ...rest } = match;
  return { match: rest, events: events.slice() };
}
