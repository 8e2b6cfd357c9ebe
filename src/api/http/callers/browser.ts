/** What makes a browser's session safe: which cookie it is in, and which pages it acts for. */
import type { FastifyRequest } from 'fastify';
import { refusals } from '../../../errors.ts';
import { SESSION_MS } from '../../../players/sign-in/sessions.ts';

/** Browsers take a cookie of this name from its own host only, by https, so nobody else can plant one. */
const SECURE_COOKIE = '__Host-atoll_session';
/** By plain http to this machine itself, where browsers take no other. */
const LOCAL_COOKIE = 'atoll_session';

type Asked = Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>;

/** Where our pages are, seen from a browser that may have a session. */
export interface Home {
  origin: string;
  secure: boolean;
}

const isLocal = ({ protocol, host }: Asked): boolean =>
  protocol === 'http' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host);

const originOf = (url: string | undefined): string | null => (url ? new URL(url).origin : null);

/**
 * Null: here a session would travel in the open. This machine is asked by its own name, unless a proxy on it hides the
 * public one; then the page says where it is.
 */
export function homeOf(request: Asked, publicUrl: string | undefined): Home | null {
  const here = `${request.protocol}://${request.host}`.toLowerCase();
  const known = originOf(publicUrl);
  if (isLocal(request) && (known === null || request.headers.origin !== known)) return { origin: here, secure: false };
  const origin = known ?? here;
  return origin.startsWith('https:') ? { origin, secure: true } : null;
}

/** For passkeys, which belong to a host name that no caller may choose. */
export function passkeyOrigin(request: Asked, publicUrl: string | undefined): string {
  const home = homeOf(request, publicUrl);
  if (!home || (home.secure && !publicUrl) || /^https?:\/\/(\d|\[)/.test(home.origin)) throw refusals.noPasskeysHere();
  return home.origin;
}

/** The secret of the session that a browser sent with a request. */
export function sessionOf(request: Asked): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const found = (name: string) => new RegExp(`(?:^|;\\s*)${name}=([\\w-]{1,100})(?:;|$)`).exec(cookie)?.[1];
  return found(SECURE_COOKIE) ?? (isLocal(request) ? found(LOCAL_COOKIE) : undefined);
}

/** The header Set-Cookie that signs a browser in; without a secret, the one that signs it out. */
export function sessionCookie({ secure }: Home, secret: string | null): string {
  const seconds = secret === null ? 0 : SESSION_MS / 1000;
  const name = secure ? `${SECURE_COOKIE}=${secret ?? ''}; Secure` : `${LOCAL_COOKIE}=${secret ?? ''}`;
  return `${name}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}

/** Where the request came from, as far as the browser says: its own pages, others, or it does not say. */
export function isFromHome({ headers }: Asked, home: Home | null): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === undefined && site === undefined) return false;
  return (origin === undefined || origin === home?.origin) && (site === undefined || site === 'same-origin');
}

/**
 * For whatever a cookie lets somebody do: the request must come from our own pages, and have something that another
 * site's form cannot send.
 */
export function refuseCrossSite(request: Asked, publicUrl: string | undefined): void {
  const { headers } = request;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const isPlain = type !== 'application/json' && headers['x-requested-with'] === undefined;
  if (isPlain || !isFromHome(request, homeOf(request, publicUrl))) throw refusals.crossSite();
}

/** Browsers send `Origin` with every socket, and nothing else that could be checked. */
export function refuseCrossSiteSocket(request: Asked, publicUrl: string | undefined): void {
  const home = homeOf(request, publicUrl);
  if (!home || request.headers.origin !== home.origin) throw refusals.crossSite();
}

/** Whether another site's page reads here by a picture, a script or a fetch: the cookie that comes along does not count. */
export const isReadElsewhere = ({ headers }: Asked): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) && headers['sec-fetch-mode'] !== 'navigate';
