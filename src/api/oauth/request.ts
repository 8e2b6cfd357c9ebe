/** Reads the request of an app at /oauth/authorize. */
import { clientFault, redirectFault } from '../../players/apps/redirect.ts';
import { scopesOf } from '../../players/apps/words.ts';
import { SCOPES, type Scope } from '../../players/player.ts';

export interface AuthorizationRequest {
  client: string;
  redirectUri: string;
  scopes: Scope[];
  state: string | undefined;
  challenge: string;
}

/** Parameters as they were sent; one that came several times is a list. */
export type Parameters = Record<string, unknown>;

/** `back` is set if the app can be told, at an address that follows the rules. Otherwise only the person is told. */
export interface Fault {
  sentence: string;
  back?: { redirectUri: string; error: string; state: string | undefined };
}

export type Reading = { request: AuthorizationRequest } | { fault: Fault };

/** RFC 6749, appendix A.5 */
const STATE = /^[\x20-\x7e]{0,2000}$/;

/** Reads scopes separated by spaces; null if one of them does not exist. */
export function readScopes(given: string | undefined): Scope[] | null {
  const words = (given ?? 'read').split(' ').filter((word) => word !== '');
  const known = SCOPES.map((scope) => scope.toLowerCase());
  return words.length > 0 && words.every((word) => known.includes(word)) ? scopesOf(words) : null;
}

export function readAuthorization(parameters: Parameters): Reading {
  const twice = Object.keys(parameters).find((name) => typeof parameters[name] !== 'string');
  if (twice !== undefined) return { fault: { sentence: `${twice} was sent more than once.` } };
  const given = parameters as Record<string, string | undefined>;
  const { client_id: client = '', redirect_uri: redirectUri = '', state, code_challenge: challenge = '' } = given;
  const sentence = redirectFault(redirectUri) ?? clientFault(client, redirectUri);
  if (sentence !== null) return { fault: { sentence } };

  const refused = (error: string, sentence: string): Reading => ({
    fault: { sentence, back: { redirectUri, error, state } },
  });
  if (state !== undefined && !STATE.test(state))
    return { fault: { sentence: 'state must be at most 2000 ASCII characters.' } };
  if (given.response_type !== 'code') return refused('unsupported_response_type', 'response_type must be code.');
  if (given.code_challenge_method !== 'S256')
    return refused('invalid_request', 'code_challenge_method must be S256, because every app needs PKCE.');
  if (!/^[\w-]{43}$/.test(challenge))
    return refused('invalid_request', 'code_challenge must be a SHA-256 hash in base64url, with 43 characters.');
  const scopes = readScopes(given.scope);
  if (!scopes) return refused('invalid_scope', `scope must be one or more of: ${SCOPES.join(', ').toLowerCase()}.`);
  return { request: { client, redirectUri, scopes, state, challenge } };
}

/** The address to which the person is redirected, with the answer. */
export function answerUrl(redirectUri: string, answer: Record<string, string | undefined>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}
