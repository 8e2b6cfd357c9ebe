/** What apps can discover about signing in here: RFC 8414 and RFC 9728. */
import type { FastifyInstance } from 'fastify';
import { GRANT_TYPES, scopeWords } from '../../players/apps/words.ts';
import { SCOPES } from '../../players/player.ts';
import { publicAddress } from '../http/callers/public-address.ts';
import { hidden } from './options.ts';

const authorizationServer = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  device_authorization_endpoint: `${issuer}/oauth/device`,
  scopes_supported: scopeWords(SCOPES),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: GRANT_TYPES,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/developers`,
});

const protectedResource = (issuer: string, path: string) => ({
  resource: `${issuer}${path}`,
  authorization_servers: [issuer],
  scopes_supported: scopeWords(SCOPES),
  bearer_methods_supported: ['header'],
  resource_name: 'Atoll',
  resource_documentation: `${issuer}/developers`,
});

export async function metadata(app: FastifyInstance): Promise<void> {
  app.get('/.well-known/oauth-authorization-server', hidden, async (request) =>
    authorizationServer(publicAddress(request)),
  );
  app.get('/.well-known/oauth-protected-resource', hidden, async (request) =>
    protectedResource(publicAddress(request), ''),
  );
  // The metadata of one part of the server has its path appended: RFC 9728, section 3.1
  for (const path of ['/mcp', '/graphql', '/v1'])
    app.get(`/.well-known/oauth-protected-resource${path}`, hidden, async (request) =>
      protectedResource(publicAddress(request), path),
    );
}
