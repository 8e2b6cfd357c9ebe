/**
 * Tickets stand in for tokens in URLs, for EventSource and <img>, which cannot send headers. A ticket serves one
 * purpose for a short time. It contains the encrypted id of the token or session it was made with. So nothing is
 * stored, every server on the same database can read it, and it ends together with that token or session.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import { isId } from '../../id.ts';
import { SCOPES, type Viewer } from '../player.ts';
import { playerOf, shownPlayer } from '../rows.ts';

const SECOND = 1000;
/** How long each kind can be used. A stream that has begun by then continues. */
const LIFETIMES = {
  EVENTS: 60 * SECOND,
  PICTURES: 600 * SECOND,
  TURNS: 60 * SECOND,
  LOBBY: 60 * SECOND,
};
export type TicketPurpose = keyof typeof LIFETIMES;
export const TICKET_PURPOSES = Object.keys(LIFETIMES) as TicketPurpose[];

/** What a ticket is for. EVENTS and PICTURES apply to one match. */
export interface TicketUse {
  purpose: TicketPurpose;
  matchId?: string | null | undefined;
}

export interface Ticket {
  ticket: string;
  purpose: TicketPurpose;
  matchId: string | null;
  expiresAt: Date;
}

/** The holder of a ticket, by the id of the token or session it was made with. */
export interface TicketHolder {
  kind: 'token' | 'session';
  id: string;
}

export interface Tickets {
  create(maker: Viewer, use: TicketUse): Ticket;
  /** Throws UNAUTHENTICATED if the ticket is not for this use or has expired. */
  open(ticket: string, use: TicketUse): TicketHolder;
  /** Resolves to null if the token or the session has ended. The viewer may only read. */
  viewerOf(holder: TicketHolder): Promise<Viewer | null>;
}

type Content = TicketHolder & { purpose: TicketPurpose; matchId: string | null; until: number };

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * `secret` is known to all servers on the same database. The encryption key is derived from it for this purpose alone.
 */
export function openTickets({ prisma }: Database, secret: string, now: () => number = Date.now): Tickets {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'atoll/tickets/1', 32));
  return {
    create(maker, { purpose, matchId = null }) {
      const isOfMatch = purpose === 'EVENTS' || purpose === 'PICTURES';
      if (isOfMatch !== (matchId !== null) || (matchId !== null && !isId(matchId))) throw refusals.badTicketUse();
      const until = now() + LIFETIMES[purpose];
      const ticket = encrypted(key, { ...holderOf(maker), purpose, matchId, until });
      return { ticket, purpose, matchId, expiresAt: new Date(until) };
    },

    open(ticket, { purpose, matchId = null }) {
      const content = decrypted(key, ticket);
      const isGood = content && content.until > now() && content.purpose === purpose && content.matchId === matchId;
      if (!isGood) throw refusals.badTicket();
      return { kind: content.kind, id: content.id };
    },

    async viewerOf({ kind, id }) {
      const time = new Date(now());
      const select = { expiresAt: true, player: { select: shownPlayer } } as const;
      if (kind === 'session') {
        const found = await prisma.session.findUnique({ where: { id, expiresAt: { gt: time } }, select });
        return found && { ...playerOf(found.player), scopes: ['READ'], expiresAt: null, tokenId: null, sessionId: id };
      }
      const found = await prisma.token.findUnique({
        where: { id, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: time } }] },
        select: { ...select, scopes: true },
      });
      if (!found) return null;
      const scopes = SCOPES.filter((scope) => scope === 'READ' && found.scopes.includes(scope));
      return { ...playerOf(found.player), scopes, expiresAt: found.expiresAt, tokenId: id };
    },
  };
}

function holderOf({ tokenId, sessionId }: Viewer): TicketHolder {
  if (tokenId !== null) return { kind: 'token', id: tokenId };
  if (sessionId !== undefined) return { kind: 'session', id: sessionId };
  throw refusals.needsToken();
}

function encrypted(key: Buffer, content: Content): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** Returns null if the ticket was not made here. */
function decrypted(key: Buffer, ticket: string): Content | null {
  const bytes = Buffer.from(ticket, 'base64url');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString()) as Content;
  } catch {
    return null;
  }
}
