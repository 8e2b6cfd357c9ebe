/** What makes a browser's session safe: the cookie that holds it, and the pages that may use it. */
import type { FastifyRequest } from 'fastify';
import { refusals } from '../../../errors.ts';
import { SESSION_MS } from '../../../players/sign-in/sessions.ts';

/** Browsers accept a cookie of this name only from its own host and over https, so nobody else can plant one. */
const SECURE_COOKIE = '__Host-atoll_session';
/** For plain http on this machine, where browsers do not accept the other one. */
const LOCAL_COOKIE = 'atoll_session';

type Asked = Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>;

/** Where our pages are, as seen from a browser that may have a session. */
export interface Home {
  origin: string;
  secure: boolean;
}

const isLocal = ({ protocol, host }: Asked): boolean =>
  protocol === 'http' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host);

const originOf = (url: string | undefined): string | null => (url ? new URL(url).origin : null);

/**
 * Returns null if a session would be sent unencrypted. On this machine, the request's own host counts, unless a proxy
 * hides the public address; then the page's origin tells which it is.
 */
export function homeOf(request: Asked, publicUrl: string | undefined): Home | null {
  const here = `${request.protocol}://${request.host}`.toLowerCase();
  const known = originOf(publicUrl);
  const isHidden = known !== null && known !== here && request.headers.origin === known;
  if (isLocal(request) && !isHidden) return { origin: here, secure: false };
  const origin = known ?? here;
  return origin.startsWith('https:') ? { origin, secure: true } : null;
}

/** The origin for passkeys, which belong to a host name that the caller must not be able to choose. */
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

/** The Set-Cookie header that signs a browser in or, without a secret, signs it out. */
export function sessionCookie({ secure }: Home, secret: string | null): string {
  const seconds = secret === null ? 0 : SESSION_MS / 1000;
  const name = secure ? `${SECURE_COOKIE}=${secret ?? ''}; Secure` : `${LOCAL_COOKIE}=${secret ?? ''}`;
  return `${name}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}

/** Whether the request came from our own pages, as far as the browser says. */
export function isFromHome({ headers }: Asked, home: Home | null): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === undefined && site === undefined) return false;
  return (origin === undefined || origin === home?.origin) && (site === undefined || site === 'same-origin');
}

/**
 * For everything that a cookie allows: the request must come from our own pages and contain something that a form of
 * another site cannot send.
 */
export function refuseCrossSite(request: Asked, publicUrl: string | undefined): void {
  const { headers } = request;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const isPlain = type !== 'application/json' && headers['x-requested-with'] === undefined;
  if (isPlain || !isFromHome(request, homeOf(request, publicUrl))) throw refusals.crossSite();
}

/** For WebSockets. Browsers send `Origin` with them, and nothing else that could be checked. */
export function refuseCrossSiteSocket(request: Asked, publicUrl: string | undefined): void {
  const home = homeOf(request, publicUrl);
  if (!home || request.headers.origin !== home.origin) throw refusals.crossSite();
}

/** Whether a page of another site reads this by a picture, a script or a fetch. The cookie it sends is then ignored. */
export const isReadElsewhere = ({ headers }: Asked): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) && headers['sec-fetch-mode'] !== 'navigate';
