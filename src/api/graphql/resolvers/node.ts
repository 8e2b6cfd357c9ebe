/** Objects with an id: finds what an id belongs to, and shows what the caller may see of it. */
import type { Game } from '../../../games/game.ts';
import { isId } from '../../../id.ts';
import type { Match, Summary } from '../../../matches/log/records.ts';
import type { Delivery, Webhook } from '../../../notices/webhooks.ts';
import type { Player, Viewer } from '../../../players/player.ts';
import type { Services } from '../../../services.ts';
import { callerOf } from '../../http/callers/identity.ts';
import * as present from '../../present.ts';
import { type StateThen, stateAt } from '../../states.ts';
import type { Context } from './context.ts';
import { orNull } from './or-null.ts';

type Token = Awaited<ReturnType<Services['players']['tokens']>>[number];

/** The fields of a seat that need the log of the match. */
export type FromLog = Pick<present.PresentSeat, 'deadline' | 'bankSeconds' | 'vacant'>;

/** The fields of a seat that come from the row of the match; the others are present if the log was read anyway. */
type BriefSeat = Omit<present.PresentSeat, keyof FromLog> & Partial<FromLog>;

/**
 * A seat together with its match, whose id is part of its own. It is a function, because loaders use seats as keys in
 * the form of text.
 */
export type SeatOfMatch = BriefSeat & { matchId: string; match: () => Summary };

export const seatsOf = (match: Summary | Match): SeatOfMatch[] => {
  const seats: BriefSeat[] = 'events' in match ? present.seats(match) : present.briefSeats(match);
  return seats.map((seat) => ({ ...seat, matchId: match.id, match: () => match }));
};

interface Nodes {
  Match: Summary;
  MatchEvent: present.SeenEvent;
  MatchState: StateThen;
  Seat: SeatOfMatch;
  Game: Game;
  Player: Player;
  Token: Token;
  Webhook: Webhook;
  Delivery: Delivery;
}

/** A node with its type name, by which the executor tells the types of an interface apart. */
export type AnyNode = { [K in keyof Nodes]: Nodes[K] & { __typename: K } }[keyof Nodes];

const as = <K extends keyof Nodes>(__typename: K, node: Nodes[K] | null | undefined): AnyNode | null =>
  node ? ({ ...node, __typename } as AnyNode) : null;

export const MAX_NODES = 100;

/** Parts of a match have the id of the match in theirs. */
const PARTS = /^([0-9a-f-]{36})(:seat:|:|@)(\d{1,6})$/;

/** An event or a seat of a match. */
function partOf(match: Match, kind: string, n: number, context: Context): AnyNode | null {
  if (kind === ':seat:') return as('Seat', seatsOf(match)[n]);
  if (kind === '@') return n <= match.version ? as('MatchState', stateAt(match, n)) : null;
  const event = match.events.at(n - 1);
  return event && n > 0 ? as('MatchEvent', present.seenEvent(match, event, callerOf(context))) : null;
}

/** Rows of all tables have UUIDs, so no two of them share an id. */
async function rowOf({ matches, players, notices }: Services, id: string, context: Context): Promise<AnyNode | null> {
  const match = await orNull(matches.see(callerOf(context), id));
  if (match) return as('Match', match);
  const [player] = await players.byIds([id]);
  if (player) return as('Player', player);
  return context.viewer ? ownRowOf({ players, notices }, id, context.viewer) : null;
}

/** Finds what only its owner may see, with a token that allows it. */
async function ownRowOf(
  { players, notices }: Pick<Services, 'players' | 'notices'>,
  id: string,
  viewer: Viewer,
): Promise<AnyNode | null> {
  if (viewer.scopes.includes('NOTICES')) {
    const webhook = await orNull(notices.webhooks.get(viewer, id));
    if (webhook) return as('Webhook', webhook);
    const delivery = await orNull(notices.webhooks.delivery(viewer, id));
    if (delivery) return as('Delivery', delivery);
  }
  if (!viewer.scopes.includes('ACCOUNT')) return null;
  return as(
    'Token',
    (await players.tokens(viewer)).find((token) => token.id === id),
  );
}

/** Returns null if there is nothing with that id, or nothing that the caller may see. */
export async function nodeOf(services: Services, id: string, context: Context): Promise<AnyNode | null> {
  if (isId(id)) return rowOf(services, id, context);
  const [, matchId = '', kind = '', n] = PARTS.exec(id) ?? [];
  if (isId(matchId)) {
    const match = await orNull(services.matches.see(callerOf(context), matchId));
    return match && partOf(match, kind, Number(n), context);
  }
  return as('Game', await orNull(() => services.registry.game(id)));
}
