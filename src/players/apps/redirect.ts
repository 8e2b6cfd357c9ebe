/**
 * Checks the address to which an app has a player sent, together with the code that is worth the player's permission.
 */

/** A reason for a refusal, written for the person whom the app sent here. */
export type Fault = string;

const MAX_LENGTH = 2000;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** The parameters that the answer adds. An address that already has one of them would have it twice. */
const ANSWERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];
/** RFC 8252, section 7.1: the app's domain name in reverse order. It contains a dot, which `javascript` does not. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/**
 * Returns null if an app may use this address. It must be written in the form that browsers use, so that the same
 * address is shown, compared and visited: no user name, no fragment, no dots in the path, no number in place of an
 * address.
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
    return LOOPBACK.includes(url.hostname) ? null : "redirect_uri must use https, or http on the person's own machine.";
  return PRIVATE_SCHEME.test(url.protocol)
    ? null
    : "redirect_uri must use https, http on the person's own machine, or a scheme such as com.example.app.";
}

/** The host of an app that identifies itself by a URL; null if it has only a name. */
export function hostOfClient(client: string): string | null {
  if (!/^https?:\/\//i.test(client)) return null;
  return URL.canParse(client) ? new URL(client).host : null;
}

/** An app that identifies itself by a URL may be answered only there or on the person's own machine. */
export function clientFault(client: string, redirectUri: string): Fault | null {
  if (!/^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/.test(client))
    return 'client_id must be a URL or a name of at most 200 ASCII characters.';
  const host = hostOfClient(client);
  const { protocol, host: target } = new URL(redirectUri);
  if (host === null || protocol !== 'https:' || host === target) return null;
  return 'redirect_uri must be on the host of client_id.';
}
