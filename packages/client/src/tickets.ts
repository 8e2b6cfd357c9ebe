/** Addresses for EventSource and <img>, which cannot send a token and carry a ticket instead. */
import type { Caller } from './caller.ts';
import { CreateTicket, type TicketPurpose } from './generated/operations.ts';
import type { Line } from './http.ts';

export interface PictureOptions {
  /** The version to look at; if left out, the current one. */
  at?: number;
  /** The seat through whose eyes to look: any seat after the end. */
  seat?: number;
  /** The layout of the board. */
  width?: 'narrow' | 'wide';
  format?: 'svg' | 'png';
  invite?: string;
}

export interface StreamOptions {
  /** The last version seen: the stream begins after it. */
  after?: number;
  /** What each event includes, as of that event. */
  include?: readonly ('view' | 'board' | 'description' | 'legalActions')[];
  invite?: string;
}

export interface Addresses {
  /** For `<img src>`. It works for ten minutes, and the same ticket serves all pictures of a match. */
  pictureUrl(id: string, options?: PictureOptions): Promise<string>;
  /**
   * For `new EventSource(…)`, to be opened within a minute. If it is refused later, ask for another one with `after`.
   */
  eventsUrl(id: string, options?: StreamOptions): Promise<string>;
  turnsUrl(): Promise<string>;
  lobbyUrl(options?: { game?: string }): Promise<string>;
}

interface Ticket {
  ticket: string;
  expiresAt: string;
}

/** A ticket that expires sooner than this is not used again. */
const MARGIN_MS = 60_000;

type Parameters = Record<string, string | number | undefined>;

export function openAddresses({ surely }: Caller, line: Line): Addresses {
  const pictures = new Map<string, Ticket>();

  /** Undefined for a caller without a token, because what is public needs no ticket. */
  async function ticket(purpose: TicketPurpose, matchId?: string): Promise<Ticket | undefined> {
    if (line.credentials === undefined && (await line.token()) === undefined) return undefined;
    return (await surely(CreateTicket, { purpose, ...(matchId !== undefined && { matchId }) })).createTicket;
  }

  async function pictureTicket(matchId: string): Promise<Ticket | undefined> {
    const kept = pictures.get(matchId);
    if (kept && Date.parse(kept.expiresAt) - Date.now() > MARGIN_MS) return kept;
    const made = await ticket('PICTURES', matchId);
    if (made) pictures.set(matchId, made);
    return made;
  }

  function address(path: string, parameters: Parameters, held: Ticket | undefined): string {
    const url = new URL(line.url + path);
    for (const [name, value] of Object.entries({ ...parameters, ticket: held?.ticket })) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  }

  const pathOf = (id: string) => `/v1/matches/${encodeURIComponent(id)}`;

  return {
    pictureUrl: async (id, { format = 'svg', ...look } = {}) =>
      address(`${pathOf(id)}/board.${format}`, look, await pictureTicket(id)),
    eventsUrl: async (id, { include, ...from } = {}) =>
      address(`${pathOf(id)}/events`, { ...from, include: include?.join(',') }, await ticket('EVENTS', id)),
    turnsUrl: async () => address('/v1/turns', {}, await ticket('TURNS')),
    lobbyUrl: async (filter = {}) => address('/v1/matches', filter, await ticket('LOBBY')),
  };
}
