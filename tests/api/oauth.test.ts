/** Apps of other people, through the eyes of a client library that knows nothing of this server but its address. */
import * as oauth from 'oauth4webapi';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphqlRun } from '../support/api-graphql.ts';
import { type Answer, restCall } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { documentedBy, type OpenApi, routesOf } from '../support/documented.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type Browser, http, me, newBrowser } from '../support/oauth.ts';
import { socketSubscription } from '../support/streams.ts';

let database: FreshDatabase;
let server: Instance;
let issuer: URL;
let as: oauth.AuthorizationServer;
let ann: Browser;
const client: oauth.Client = { client_id: 'https://app.example/' };
const redirectUri = 'https://app.example/callback';
const none = oauth.None();

beforeAll(async () => {
  database = await freshDatabase();
  server = await startInstance(database.url);
  issuer = new URL(server.url);
  ann = await newBrowser(server.url, 'Ann');
  as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...http }),
  );
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function sql(text: string): Promise<void> {
  const connection = new pg.Client({ connectionString: database.url });
  await connection.connect();
  await connection.query(text).finally(() => connection.end());
}

/** The whole way of an app from the button on its page to its tokens. */
async function allow(scope: string): Promise<oauth.TokenEndpointResponse> {
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const url = new URL(as.authorization_endpoint as string);
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const { location } = await ann.press(await ann.get(url), 'allow');
  const parameters = oauth.validateAuthResponse(as, client, location as URL, state);
  const response = await oauth.authorizationCodeGrantRequest(as, client, none, parameters, redirectUri, verifier, http);
  return oauth.processAuthorizationCodeResponse(as, client, response);
}

const apps = () => restCall([server.url], ann.token)('GET', '/apps') as Promise<{ apps: { id: string }[] }>;

it('an app finds every endpoint by the metadata', async () => {
  expect(as).toMatchObject({ issuer: server.url, code_challenge_methods_supported: ['S256'] });
  const resource = await oauth.processResourceDiscoveryResponse(
    issuer,
    await oauth.resourceDiscoveryRequest(issuer, http),
  );
  expect(resource).toMatchObject({ resource: server.url, authorization_servers: [server.url] });
  const { headers } = await fetch(`${server.url}/v1/me`);
  expect(headers.get('www-authenticate')).toContain(
    `resource_metadata="${server.url}/.well-known/oauth-protected-resource"`,
  );
});

describe('the code flow', () => {
  it('gives an app the scopes that were allowed, and no others, for an hour', async () => {
    const tokens = await allow('read play');
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read play', expires_in: expect.any(Number) });
    expect(tokens.expires_in).toBeGreaterThan(3590);
    const call = restCall([server.url], tokens.access_token);
    expect(await call('GET', '/me')).toMatchObject({ id: ann.playerId });
    const match = { game: 'highest', seats: 2 };
    const refused = { code: 'FORBIDDEN', details: { scope: 'CREATE' } };
    await expect(call('POST', '/matches', match)).rejects.toMatchObject(refused);
    const { id } = (await restCall([server.url], ann.token)('POST', '/matches', { ...match, sit: false })) as {
      id: string;
    };
    expect(await call('POST', `/matches/${id}/seats`, {})).toMatchObject({ mySeat: 0 });
    const response = await oauth.protectedResourceRequest(
      tokens.access_token,
      'GET',
      new URL(`${server.url}/v1/me`),
      undefined,
      undefined,
      http,
    );
    expect(response.status).toBe(200);
  });

  it('refreshes tokens, which invalidates the previous ones', async () => {
    const first = await allow('read');
    const response = await oauth.refreshTokenGrantRequest(as, client, none, first.refresh_token as string, http);
    const second = await oauth.processRefreshTokenResponse(as, client, response);
    expect(second.scope).toBe('read');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect([await me(server.url, first.access_token), await me(server.url, second.access_token)]).toEqual([401, 200]);
  });

  it('ends when the app signs out', async () => {
    const { access_token: access, refresh_token: refresh } = await allow('read');
    const response = await oauth.revocationRequest(as, client, none, refresh as string, http);
    await oauth.processRevocationResponse(response);
    expect(await me(server.url, access)).toBe(401);
    const again = await oauth.refreshTokenGrantRequest(as, client, none, refresh as string, http);
    await expect(oauth.processRefreshTokenResponse(as, client, again)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('ends when the player takes the permission back, on either face', async () => {
    const [one, two] = [await allow('read'), await allow('read create')];
    const run = graphqlRun([server.url], ann.token);
    const fields = 'id name scopes createdAt expiresAt lastUsedAt lastUsedFrom';
    const listed = (await run<{ me: { apps: { id: string }[] } }>(`{ me { apps { ${fields} } } }`)).me.apps;
    expect(listed).toEqual((await apps()).apps);
    expect(listed.slice(0, 2)).toMatchObject([
      { name: 'https://app.example/', scopes: ['READ', 'CREATE'], lastUsedAt: expect.any(String) },
      { name: 'https://app.example/', scopes: ['READ'] },
    ]);
    await run('mutation ($id: ID!) { revokeApp(id: $id) { id } }', { id: listed[0]?.id });
    expect([await me(server.url, two.access_token), await me(server.url, one.access_token)]).toEqual([401, 200]);
    const answers: Answer[] = [];
    const observed = restCall([server.url], ann.token, (answer) => answers.push(answer));
    await observed('GET', '/apps');
    await observed('DELETE', `/apps/${listed[1]?.id}`);
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi;
    expect(routesOf(document, 'apps', true)).toEqual(['DELETE /v1/apps/*', 'GET /v1/apps']);
    expect(answers.map(documentedBy(document))).toEqual([null, null]);
    expect(await me(server.url, one.access_token)).toBe(401);
    const again = restCall([server.url], ann.token)('DELETE', `/apps/${listed[1]?.id}`);
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const ben = await newBrowser(server.url, 'Ben');
    await allow('read');
    const foreign = restCall([server.url], ben.token)('DELETE', `/apps/${(await apps()).apps[0]?.id}`);
    await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('ends when the player signs out everywhere, and lets no socket do more than was allowed', async () => {
    const dee = await newBrowser(server.url, 'Dee');
    const before = ann;
    ann = dee;
    const tokens = await allow('play');
    ann = before;
    const { access_token: token } = tokens;
    const turns = socketSubscription(server.url, token, 'subscription { turns { acting } }', {});
    expect(await turns.ended).toBe('refused FORBIDDEN');
    await restCall([server.url], dee.token)('POST', '/account/sign-out', { tokens: true });
    const response = await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token as string, http);
    await expect(oauth.processRefreshTokenResponse(as, client, response)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('keeps the tokens of apps out of the list of tokens, and ends with the account', async () => {
    const cho = await newBrowser(server.url, 'Cho');
    const [before, own] = [ann, cho];
    ann = own;
    const tokens = await allow('read');
    ann = before;
    const call = restCall([server.url], cho.token);
    expect((await call('GET', '/tokens')) as object).toMatchObject({ tokens: [{ name: 'first' }] });
    await call('DELETE', '/me');
    expect(await me(server.url, tokens.access_token)).toBe(401);
    const again = await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token as string, http);
    await expect(oauth.processRefreshTokenResponse(as, client, again)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('the device flow', () => {
  const bot: oauth.Client = { client_id: 'Cacao bot' };

  async function begin() {
    const response = await oauth.deviceAuthorizationRequest(as, bot, none, { scope: 'read play' }, http);
    return oauth.processDeviceAuthorizationResponse(as, bot, response);
  }
  async function poll(code: string) {
    const response = await oauth.deviceCodeGrantRequest(as, bot, none, code, http);
    return oauth.processDeviceCodeResponse(as, bot, response);
  }
  /** As if the device had waited as long as it must. */
  const wait = () => sql(`UPDATE device_requests SET polled_at = polled_at - interval '1 minute'`);

  it('signs in a bot that has no browser', async () => {
    const device = await begin();
    expect(device).toMatchObject({ verification_uri: `${server.url}/oauth/device`, interval: 5, expires_in: 600 });
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'authorization_pending' });
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'slow_down' });
    const typed = device.user_code.toLowerCase().replace('-', ' ');
    const page = await ann.get(`${device.verification_uri}?${new URLSearchParams({ user_code: typed })}`);
    expect(page.text).toContain('Cacao bot');
    expect((await ann.press(page, 'allow')).text).toContain('Connected');
    await wait();
    const tokens = await poll(device.device_code);
    expect(tokens).toMatchObject({ scope: 'read play', refresh_token: expect.any(String) });
    expect(await me(server.url, tokens.access_token)).toBe(200);
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'expired_token' });
    expect((await apps()).apps[0]).toMatchObject({ name: 'Cacao bot', scopes: ['READ', 'PLAY'] });
    expect((await ann.press(page, 'allow')).status).toBe(404);
  });

  it('tells a bot that it was refused', async () => {
    const device = await begin();
    const page = await ann.get(device.verification_uri_complete as string);
    expect((await ann.press(page, 'deny')).text).toContain('Not connected');
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'access_denied' });
    const late = await begin();
    await sql(`UPDATE device_requests SET expires_at = now() - interval '1 second'`);
    expect((await ann.get(late.verification_uri_complete as string)).status).toBe(404);
    await expect(poll(late.device_code)).rejects.toMatchObject({ error: 'expired_token' });
  });
});
