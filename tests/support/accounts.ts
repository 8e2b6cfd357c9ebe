/** Keeping an account and coming back to it, through both faces of the API. */
import { expect } from 'vitest';
import type { Answer } from './api-rest.ts';

type Json = Record<string, unknown>;

/** The server that is asked, unless another is named. */
export const where = { url: '' };

/** Everything that REST has answered. */
export const answers: Answer[] = [];

export class Refused extends Error {
  readonly code: string;
  constructor(code: string, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

export async function rest(
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  at = where.url,
): Promise<Json> {
  const response = await fetch(`${at}/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.headers.has('location')).toBe(response.status === 201);
  const answer = (await response.json()) as Json;
  const type = response.headers.get('content-type')?.split(';')[0] as string;
  answers.push({ method, path: `/v1${path}`, status: response.status, type, body: answer });
  if (!response.ok) throw new Refused(answer.code as string, answer.detail as string);
  return answer;
}

async function graphql<T = Json>(query: string, variables: Json, token?: string, at = where.url): Promise<T> {
  const response = await fetch(`${at}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as {
    data: Json;
    errors?: { message: string; extensions: { code: string } }[];
  };
  const [error] = errors ?? [];
  if (error) throw new Refused(error.extensions.code, error.message);
  return Object.values(data)[0] as T;
}

/** What both faces can do, each in its own way. */
export interface Face {
  name: string;
  account(token?: string): Promise<Json>;
  options(token?: string, playerName?: string): Promise<unknown>;
  add(token: string, input: Json): Promise<Json>;
  rename(token: string, id: unknown, name: string): Promise<Json>;
  remove(token: string, id: unknown): Promise<Json>;
  keepByEmail(token: string, playerName?: string): Promise<Json>;
  removeEmail(token: string): Promise<Json>;
  codes(token: string): Promise<string[]>;
  endSession(token: string, id: unknown): Promise<Json>;
  signOut(token: string, tokens: boolean): Promise<unknown>;
  signInOptions(at?: string): Promise<unknown>;
  byPasskey(response: unknown, at?: string): Promise<Json>;
  beginMail(address: string): Promise<string>;
  byMail(given: Json): Promise<Json>;
  byRecoveryCode(code: string): Promise<Json>;
}

export const restFace: Face = {
  name: 'REST',
  account: (token) => rest('GET', '/account', undefined, token),
  options: async (token, playerName) =>
    (await rest('POST', '/account/passkeys/options', { playerName: playerName ?? null }, token)).options,
  add: (token, input) => rest('POST', '/account/passkeys', input, token),
  rename: (token, id, name) => rest('PATCH', `/account/passkeys/${id}`, { name }, token),
  remove: (token, id) => rest('DELETE', `/account/passkeys/${id}`, undefined, token),
  keepByEmail: (token, playerName) => rest('POST', '/account/email', { playerName: playerName ?? null }, token),
  removeEmail: (token) => rest('DELETE', '/account/email', undefined, token),
  codes: async (token) => (await rest('POST', '/account/recovery-codes', undefined, token)).codes as string[],
  endSession: (token, id) => rest('DELETE', `/account/sessions/${id}`, undefined, token),
  signOut: async (token, tokens) => (await rest('POST', '/account/sign-out', { tokens }, token)).sessions,
  signInOptions: async (at) => (await rest('POST', '/sign-in/passkey/options', undefined, undefined, at)).options,
  byPasskey: (response, at) => rest('POST', '/sign-in/passkey', { response }, undefined, at),
  beginMail: async (address) => (await rest('POST', '/sign-in/email', { address })).id as string,
  byMail: (given) => rest('POST', '/sign-in/email/code', given),
  byRecoveryCode: (code) => rest('POST', '/sign-in/recovery-code', { code }),
};

const PASSKEY = 'id name createdAt lastUsedAt';
const SESSION = 'id device createdAt lastUsedAt expiresAt current';
const PLAYER = 'id name kind tag';
const ACCOUNT = `player { ${PLAYER} } kept passkeys { ${PASSKEY} } sessions { ${SESSION} } signInAddress recoveryCodesLeft mail`;
const SIGNED_IN = `player { ${PLAYER} } token`;

export const graphqlFace: Face = {
  name: 'GraphQL',
  async account(token) {
    const account = await graphql<Json | null>(`{ account { ${ACCOUNT} } }`, {}, token);
    if (account === null) throw new Refused('UNAUTHENTICATED', 'Nobody is signed in.');
    return account;
  },
  options: (token, playerName) =>
    graphql('mutation ($playerName: String) { passkeyOptions(playerName: $playerName) }', { playerName }, token),
  add: (token, input) =>
    graphql(
      `mutation ($response: JSON!, $name: String, $playerName: String) { addPasskey(response: $response, name: $name, playerName: $playerName) { ${PASSKEY} } }`,
      input,
      token,
    ),
  rename: (token, id, name) =>
    graphql(
      `mutation ($id: ID!, $name: String!) { renamePasskey(id: $id, name: $name) { ${PASSKEY} } }`,
      { id, name },
      token,
    ),
  remove: (token, id) => graphql(`mutation ($id: ID!) { removePasskey(id: $id) { ${PASSKEY} } }`, { id }, token),
  keepByEmail: (token, playerName) =>
    graphql(
      `mutation ($playerName: String) { keepByEmail(playerName: $playerName) { ${ACCOUNT} } }`,
      { playerName },
      token,
    ),
  removeEmail: (token) => graphql(`mutation { removeEmailSignIn { ${ACCOUNT} } }`, {}, token),
  codes: (token) => graphql('mutation { createRecoveryCodes }', {}, token),
  endSession: (token, id) => graphql(`mutation ($id: ID!) { endSession(id: $id) { ${SESSION} } }`, { id }, token),
  signOut: (token, tokens) =>
    graphql('mutation ($tokens: Boolean) { signOutEverywhere(tokens: $tokens) }', { tokens }, token),
  signInOptions: (at) => graphql('mutation { passkeySignInOptions }', {}, undefined, at),
  byPasskey: (response, at) =>
    graphql(
      `mutation ($response: JSON!) { signInWithPasskey(response: $response) { ${SIGNED_IN} } }`,
      { response },
      undefined,
      at,
    ),
  beginMail: (address) => graphql('mutation ($address: String!) { beginEmailSignIn(address: $address) }', { address }),
  byMail: (given) =>
    graphql(
      `mutation ($id: ID, $code: String, $link: String) { signInWithEmail(id: $id, code: $code, link: $link) { ${SIGNED_IN} } }`,
      given,
    ),
  byRecoveryCode: (code) =>
    graphql(`mutation ($code: String!) { signInWithRecoveryCode(code: $code) { ${SIGNED_IN} } }`, { code }),
};
