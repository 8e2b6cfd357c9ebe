/**
 * The token endpoint of OAuth. @node-oauth/oauth2-server reads the requests and checks the codes; this file stores and
 * finds what it needs.
 */
import OAuth2Server from '@node-oauth/oauth2-server';
import type { Devices, Polled } from './devices.ts';
import { ACCESS_SECONDS, GRANT_SECONDS, type Grants, newSecret } from './grants.ts';
import { DEVICE_GRANT, GRANT_TYPES, scopesOf, scopeWords } from './words.ts';

/** What the library passes through: the grant and its player. */
interface User {
  id: string;
  grantId: string;
}

export interface TokenAnswer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Takes a form that was sent to the token endpoint, with each field once. */
export type TokenEndpoint = (form: Record<string, string>, headers: Record<string, string>) => Promise<TokenAnswer>;

const clientOf = (id: string): OAuth2Server.Client => ({ id, grants: GRANT_TYPES });

export function openTokenEndpoint(grants: Grants, devices: Devices): TokenEndpoint {
  const server = new OAuth2Server({
    model: modelOf(grants),
    accessTokenLifetime: ACCESS_SECONDS,
    refreshTokenLifetime: GRANT_SECONDS,
    // Apps are public clients. They prove that they hold the verifier, the refresh token or the device code.
    requireClientAuthentication: Object.fromEntries(GRANT_TYPES.map((type) => [type, false])),
    extendedGrantTypes: { [DEVICE_GRANT]: deviceGrant(devices) },
  });

  return async (form, headers) => {
    const request = new OAuth2Server.Request({
      headers,
      method: 'POST',
      query: {},
      body: await withRedirect(form, grants),
    });
    const response = new OAuth2Server.Response();
    try {
      await server.token(request, response);
    } catch (error) {
      const { code, inner } = error as OAuth2Server.OAuthError & { inner?: unknown };
      if (!(error instanceof OAuth2Server.OAuthError) || code >= 500) throw inner ?? error;
    }
    const { status = 200, headers: answered = {}, body = {} } = response;
    return { status, headers: answered, body: body as Record<string, unknown> };
  };
}

/**
 * OAuth 2.1 no longer requires redirect_uri here, because the verifier binds the code. The library still requires it.
 */
async function withRedirect(form: Record<string, string>, grants: Grants): Promise<Record<string, string>> {
  if (form.grant_type !== 'authorization_code' || form.redirect_uri !== undefined || !form.code) return form;
  const found = await grants.findCode(form.code);
  return found ? { ...form, redirect_uri: found.redirectUri } : form;
}

const modelOf = (grants: Grants): OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel => ({
  /** Every name is accepted, because apps are not registered. None has a secret. */
  async getClient(id, secret) {
    return secret ? null : clientOf(id);
  },
  async getAuthorizationCode(code) {
    const found = await grants.findCode(code);
    if (!found) return null;
    const { grantId, playerId, client, scopes, redirectUri, challenge, expiresAt } = found;
    return {
      authorizationCode: code,
      expiresAt,
      redirectUri,
      scope: scopeWords(scopes),
      client: clientOf(client),
      user: { id: playerId, grantId },
      codeChallenge: challenge,
      codeChallengeMethod: 'S256',
    };
  },
  revokeAuthorizationCode: ({ user }) => grants.useCode((user as User).grantId),
  async getRefreshToken(token) {
    const found = await grants.findRefreshToken(token);
    if (!found) return null;
    const { grantId, playerId, client, scopes, expiresAt } = found;
    return {
      refreshToken: token,
      refreshTokenExpiresAt: expiresAt,
      scope: scopeWords(scopes),
      client: clientOf(client),
      user: { id: playerId, grantId },
    };
  },
  revokeToken: ({ refreshToken }) => grants.useRefreshToken(refreshToken),
  generateAccessToken: async () => newSecret('atoll'),
  generateRefreshToken: async () => newSecret('refresh'),
  async saveToken(token, client, user) {
    const { accessToken, accessTokenExpiresAt, refreshToken, refreshTokenExpiresAt, scope = [] } = token;
    if (!accessTokenExpiresAt || !refreshToken || !refreshTokenExpiresAt) throw new Error('a token without an expiry');
    const scopes = scopesOf(scope);
    const issued = { accessToken, accessTokenExpiresAt, refreshToken, refreshTokenExpiresAt, scopes };
    if (await grants.issue((user as User).grantId, issued)) return { ...token, client, user };
    throw new OAuth2Server.InvalidGrantError('Invalid grant: the permission has been revoked');
  },
  // The library requires these functions, but they are not used: this server has its own consent page and token check.
  saveAuthorizationCode: async () => null,
  getAccessToken: async () => null,
});

/** RFC 8628, section 3.5 */
const REFUSALS: Record<Exclude<Polled, object>, [name: string, sentence: string]> = {
  pending: ['authorization_pending', 'Nobody has entered the code yet'],
  slow_down: ['slow_down', 'Poll less often: the interval is now 5 seconds longer'],
  denied: ['access_denied', 'The player refused'],
  expired: ['expired_token', 'This device code has expired, was already used, or never existed'],
};

function deviceGrant(devices: Devices): typeof OAuth2Server.AbstractGrantType {
  return class DeviceGrant extends OAuth2Server.AbstractGrantType {
    readonly #model: OAuth2Server.BaseModel;

    constructor(options: OAuth2Server.TokenOptions) {
      super(options);
      this.#model = (options as { model: OAuth2Server.BaseModel }).model;
    }

    async handle({ body }: OAuth2Server.Request, client: OAuth2Server.Client) {
      const { device_code: deviceCode } = body as Record<string, string | undefined>;
      if (!deviceCode) throw new OAuth2Server.InvalidRequestError('Missing parameter: `device_code`');
      const polled = await devices.poll(deviceCode, client.id);
      if (typeof polled === 'string') {
        const [name, sentence] = REFUSALS[polled];
        throw new OAuth2Server.OAuthError(sentence, { code: 400, name });
      }
      const user = { grantId: polled.grantId };
      const scope = scopeWords(polled.scopes);
      const token = {
        accessToken: await this.generateAccessToken(client, user, scope),
        accessTokenExpiresAt: this.getAccessTokenExpiresAt(),
        refreshToken: await this.generateRefreshToken(client, user, scope),
        refreshTokenExpiresAt: this.getRefreshTokenExpiresAt(),
        scope,
        client,
        user,
      };
      return this.#model.saveToken(token, client, user);
    }
  } as unknown as typeof OAuth2Server.AbstractGrantType;
}
