/** The endpoints that apps call themselves: /oauth/token, /oauth/revoke and /oauth/device. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_SECONDS, POLL_SECONDS } from '../../players/apps/devices.ts';
import { clientFault } from '../../players/apps/redirect.ts';
import { describe, log, setHeaders } from '../http/answers/problems.ts';
import { publicAddress } from '../http/callers/public-address.ts';
import { addressKey } from '../http/limits/admission.ts';
import { fieldsOf, parseForms } from './forms.ts';
import { hidden, type OauthOptions } from './options.ts';
import { readScopes } from './request.ts';

/** How many devices one address may sign in per minute. */
const DEVICES_PER_MINUTE = 30;

/** RFC 6749, section 5.2 */
class OauthRefusal extends Error {
  readonly code: string;
  constructor(code: string, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

const CODE_OF_STATUS: Record<number, string> = {
  401: 'invalid_client',
  403: 'access_denied', // the player is banned
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** Sends every refusal in the form that OAuth clients read. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' });
  if (error instanceof OauthRefusal)
    return reply.code(400).send(JSON.stringify({ error: error.code, error_description: error.message }));
  const failure = describe(error);
  log(request, error, failure);
  const code = CODE_OF_STATUS[failure.status] ?? 'invalid_request';
  return setHeaders(reply, failure).send(JSON.stringify({ error: code, error_description: failure.message }));
}

function formOf({ body }: FastifyRequest): Record<string, string> {
  const fields = fieldsOf(body);
  if (fields === null) throw new OauthRefusal('invalid_request', 'Send a form: application/x-www-form-urlencoded.');
  if (typeof fields === 'string') throw new OauthRefusal('invalid_request', `${fields} was sent more than once.`);
  return fields;
}

export async function endpoints(app: FastifyInstance, { services }: OauthOptions): Promise<void> {
  const { apps } = services;
  const limitDevices = services.limits.perMinute('device', DEVICES_PER_MINUTE);
  // Apps send only forms here: a JSON body would be another way to give a field twice.
  app.removeContentTypeParser('application/json');
  parseForms(app);
  app.setErrorHandler(refuse);

  app.post('/oauth/token', hidden, async (request, reply) => {
    const form = formOf(request);
    const { status, headers, body } = await apps.token(form, {
      'content-type': 'application/x-www-form-urlencoded',
      'transfer-encoding': 'chunked',
    });
    return reply
      .code(status)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send(body);
  });

  app.post('/oauth/revoke', hidden, async (request, reply) => {
    const { token, client_id: client } = formOf(request);
    if (!token) throw new OauthRefusal('invalid_request', 'token is missing.');
    const grant = await apps.grants.grantOf(token);
    if (grant && client !== undefined && client !== grant.client)
      throw new OauthRefusal('invalid_grant', 'This token belongs to another app.');
    if (grant) await apps.grants.revoke(grant.id);
    return reply.header('cache-control', 'no-store').send({}); // also for a token that never existed: RFC 7009
  });

  app.post('/oauth/device', hidden, async (request, reply) => {
    limitDevices(addressKey(request.ip));
    const { client_id: client = '', scope } = formOf(request);
    const fault = clientFault(client, 'http://localhost/');
    if (fault !== null) throw new OauthRefusal('invalid_request', fault);
    const scopes = readScopes(scope);
    if (!scopes) throw new OauthRefusal('invalid_scope', 'There is no such scope.');
    const { deviceCode, userCode } = await apps.devices.begin({ client, scopes });
    const page = `${publicAddress(request)}/oauth/device`;
    return reply.header('cache-control', 'no-store').send({
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: DEVICE_SECONDS,
      interval: POLL_SECONDS,
    });
  });
}
