import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Shared } from '../../../bus/shared.ts';
import type { Config } from '../../../config.ts';
import { AtollError, refusals } from '../../../errors.ts';
import type { Caller } from '../../../matches/commands/access.ts';
import type { Viewer } from '../../../players/player.ts';
import type { Players } from '../../../players/service.ts';
import type { Sessions } from '../../../players/sign-in/sessions.ts';
import type { TicketHolder, TicketPurpose, Tickets } from '../../../players/tokens/tickets.ts';
import { formOf } from '../answers/event-stream.ts';
import { addressKey, type Cap, cap, type RateLimit, rateLimit } from '../limits/admission.ts';
import type { Authenticate, Credentials } from '../limits/connections.ts';
import { type WorkOf, workOf } from '../limits/work.ts';
import { homeOf, isReadElsewhere, refuseCrossSite, sessionCookie, sessionOf } from './browser.ts';

/** The player who asks, or null without a token. */
export const callerOf = ({ viewer }: { viewer: Viewer | undefined }): Caller => viewer ?? null;

/** Commands require a player. */
export function playerOf({ viewer }: { viewer: Viewer | undefined }): Viewer {
  if (viewer) return viewer;
  throw refusals.needsToken();
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The player whose token or session came with the request; undefined if none came. */
    viewer: Viewer | undefined;
    /** The credentials that identified the viewer. */
    credentials: Credentials;
  }
  interface FastifyContextConfig {
    /** Set for routes that ignore a browser's session: links from mails, and signing in. */
    ignoresSession?: boolean;
    /** Set for routes that a banned player may still use, such as signing out. */
    openToBanned?: boolean;
    /** Set for routes that accept a ticket, with its purpose. */
    ticket?: TicketPurpose;
  }
}

/** How often callers may ask. Each of these throws RATE_LIMITED. */
export interface RateLimits {
  /** Counts one request, or several: each mutation of an operation is one. */
  request(viewer: Viewer | undefined, request: FastifyRequest, times?: number): void;
  /** What is left and the limit itself, as the headers RateLimit and RateLimit-Policy state them. */
  told(viewer: Viewer | undefined, request: FastifyRequest): { ratelimit: string; 'ratelimit-policy': string };
  /** Pays for the work that is done for a request or an operation. */
  work: WorkOf;
  /** To be called before a player is registered. */
  registration(request: FastifyRequest): void;
  /**
   * To be called before an unknown token is looked up: an address that sent too many wrong tokens causes no further
   * queries.
   */
  refuseAfterTooManyFailures(request: FastifyRequest): void;
  /** Counts a wrong token. It also counts as a request of its address, so that tokens cannot be guessed at leisure. */
  failure(request: FastifyRequest): void;
  /** Makes a further limit or cap, which is counted for all servers together if there is a message bus. */
  perMinute(name: string, times: number): RateLimit;
  cap(name: string, max: number): Cap;
}

/** Without `shared`, each process counts for itself. */
export function rateLimits(config: Config, shared?: Shared): RateLimits {
  const perMinute = (name: string, times: number) => rateLimit(times, undefined, shared?.counter(name, times));
  const players = perMinute('player', config.RATE_LIMIT_PER_PLAYER);
  const addresses = perMinute('address', config.RATE_LIMIT_PER_ADDRESS);
  // Counted separately from requests without a token, which must not lock out players at the same address.
  const failures = perMinute('failure', config.RATE_LIMIT_PER_ADDRESS);
  const registrations = perMinute('registration', config.RATE_LIMIT_REGISTRATIONS);
  const policies = {
    player: `"player";q=${config.RATE_LIMIT_PER_PLAYER};w=60`,
    address: `"address";q=${config.RATE_LIMIT_PER_ADDRESS};w=60`,
  };
  return {
    request: (viewer, request, times) =>
      viewer ? players(viewer.id, times) : addresses(addressKey(request.ip), times),
    told(viewer, { ip }) {
      const { remaining, seconds } = viewer ? players.left(viewer.id) : addresses.left(addressKey(ip));
      const name = viewer ? 'player' : 'address';
      return { ratelimit: `"${name}";r=${remaining};t=${seconds}`, 'ratelimit-policy': policies[name] };
    },
    work: workOf(config),
    registration: ({ ip }) => registrations(addressKey(ip)),
    refuseAfterTooManyFailures: ({ ip }) => failures.check(addressKey(ip)),
    failure({ ip }) {
      failures(addressKey(ip));
      addresses(addressKey(ip));
    },
    perMinute,
    cap: (name, max) => cap(max, shared?.places(name, max)),
  };
}

/** Called at every use of a token. */
export type NoteUse = (viewer: Viewer, request: FastifyRequest) => void;

/** How callers are recognised. */
export interface Recognition {
  authenticate: Authenticate;
  /**
   * The same for the header of a token that was valid a few seconds ago, without waiting; undefined for any other, and
   * for one that `authenticate` would refuse.
   */
  known?(authorization: string): Viewer | undefined;
  noteUse?: NoteUse;
  openTicket?: Tickets['open'];
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** The ticket in the URL, if the caller sends no token. OAuth routes ignore parameters that they do not know. */
function ticketOf({ headers, query, url }: FastifyRequest): string | undefined {
  if (headers.authorization !== undefined || url.startsWith('/oauth/')) return undefined;
  const { ticket } = (query ?? {}) as { ticket?: unknown };
  return ticket === undefined ? undefined : String(ticket);
}

/** The holder of a ticket. A ticket for a stream opens only that stream. */
function holderOf(ticket: string, request: FastifyRequest, openTicket: Tickets['open'] | undefined): TicketHolder {
  const purpose = request.routeOptions.config.ticket;
  const isRead = purpose === 'PICTURES' || formOf(request) !== undefined;
  if (!purpose || !isRead || !openTicket) throw refusals.badTicket();
  return openTicket(ticket, { purpose, matchId: (request.params as { id?: string }).id });
}

/** A token takes precedence over a session, and a session counts only for our own pages. */
function credentialsOf(request: FastifyRequest, publicUrl: string | undefined): Credentials {
  const { authorization } = request.headers;
  if (authorization !== undefined) return { authorization };
  const session = sessionOf(request);
  if (session === undefined || request.routeOptions.config.ignoresSession) return {};
  if (!SAFE_METHODS.includes(request.method)) refuseCrossSite(request, publicUrl);
  return isReadElsewhere(request) ? {} : { session };
}

/** The hook that identifies the caller once per request, and counts the request. */
export function identify(
  { authenticate, known, noteUse, openTicket }: Recognition,
  limits: RateLimits,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
) {
  function count(request: FastifyRequest): void {
    if (request.viewer) noteUse?.(request.viewer, request);
    limits.request(request.viewer, request);
  }

  async function lookUp(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // A socket may send its token later, with its first message. A wrong one is then answered by a close code.
    const ticket = request.ws ? undefined : ticketOf(request);
    request.credentials = request.ws || ticket !== undefined ? {} : credentialsOf(request, PUBLIC_URL);
    try {
      if (ticket !== undefined) request.credentials = { ticket: holderOf(ticket, request, openTicket) };
      request.viewer = await authenticate(request.credentials, () => limits.refuseAfterTooManyFailures(request));
    } catch (error) {
      if (error instanceof AtollError && error.code === 'FORBIDDEN') {
        limits.failure(request);
        if (request.routeOptions.config.openToBanned) return;
      }
      if (error instanceof AtollError && error.code === 'UNAUTHENTICATED') {
        limits.failure(request);
        forgetSession(request, reply, PUBLIC_URL);
      }
      throw error;
    }
    count(request);
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { authorization } = request.headers;
    const viewer = authorization === undefined || request.ws ? undefined : known?.(authorization);
    if (!viewer) return void lookUp(request, reply).then(() => done(), done);
    request.credentials = { authorization };
    request.viewer = viewer;
    let refusal: Error | undefined;
    try {
      count(request);
    } catch (error) {
      refusal = error as Error;
    }
    done(refusal);
  };
}

/** Tells a browser whose session has ended to delete its cookie; otherwise all its requests would be refused. */
export function forgetSession(request: FastifyRequest, reply: FastifyReply, publicUrl: string | undefined): void {
  const home = homeOf(request, publicUrl);
  if (home && request.credentials.session !== undefined) reply.header('set-cookie', sessionCookie(home, null));
}

/** The token in a header, if it has the right form. */
export const bearerOf = (authorization: string): string | undefined =>
  /^Bearer [\w-]{1,200}$/i.test(authorization) ? authorization.slice('Bearer '.length) : undefined;

/** The player to whom a bearer token, a session or a ticket belongs. */
export async function authenticate(
  players: Players,
  sessions: Pick<Sessions, 'viewerOf'>,
  tickets: Pick<Tickets, 'viewerOf'>,
  { authorization, session, ticket }: Credentials,
  beforeLookUp?: () => void,
): Promise<Viewer | undefined> {
  if (authorization !== undefined) {
    const token = bearerOf(String(authorization));
    const viewer = token && (await players.authenticate(token, beforeLookUp));
    if (viewer) return viewer;
    throw refusals.badToken();
  }
  if (ticket) {
    const viewer = await tickets.viewerOf(ticket);
    if (viewer) return viewer;
    throw refusals.badTicket();
  }
  if (session === undefined) return undefined;
  const viewer = await sessions.viewerOf(session, beforeLookUp);
  if (viewer) return viewer;
  throw refusals.sessionEnded();
}
