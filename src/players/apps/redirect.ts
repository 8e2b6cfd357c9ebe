/** Where an app may have a player sent, with the code that is worth the player's permission. */

/** Reasons, as the person reads them who was sent here by the app. */
export type Fault = string;

const MAX_LENGTH = 2000;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** What the answer adds: an app that had these already would read two of each. */
const ANSWERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];
/** RFC 8252, section 7.1: the app's domain name turned around, so it has a dot, which `javascript` does not. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/**
 * Null: an app may use this address. It must be written as browsers write it, so that what is shown, compared and
 * visited is the same: no user name, no fragment, no dots in its path, no number in place of an address.
 */
export function redirectFault(uri: string): Fault | null {
  if (uri.length > MAX_LENGTH || !URL.canParse(uri)) return 'redirect_uri is not a URL.';
  const url = new URL(uri);
  if (uri.includes('#')) return 'redirect_uri must not have a fragment.';
  if (url.username || url.password) return 'redirect_uri must not have a user name.';
  if (url.href !== uri && url.href !== `${uri}/`)
    return `redirect_uri must be written as browsers write it: ${url.href}`;
  if (ANSWERS.some((name) => url.searchParams.has(name)))
    return 'redirect_uri must not have parameters that the answer adds.';
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:')
    return LOOPBACK.includes(url.hostname) ? null : 'redirect_uri must be https, or http to the own machine.';
  return PRIVATE_SCHEME.test(url.protocol)
    ? null
    : 'redirect_uri must be https, http to the own machine, or a scheme such as com.example.app.';
}

/** The host of an app that calls itself by a URL; null where it has a mere name. */
export function hostOfClient(client: string): string | null {
  if (!/^https?:\/\//i.test(client)) return null;
  return URL.canParse(client) ? new URL(client).host : null;
}

/** Whoever calls itself by a URL can be sent an answer there, or to the person's own machine, and nowhere else. */
export function clientFault(client: string, redirectUri: string): Fault | null {
  if (!/^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/.test(client))
    return 'client_id must be a URL or a name, of at most 200 characters of ASCII.';
  const host = hostOfClient(client);
  const { protocol, host: target } = new URL(redirectUri);
  if (host === null || protocol !== 'https:' || host === target) return null;
  return 'redirect_uri must be at the host of client_id.';
}
