/** Keeping an account: /v1/account, its passkeys, recovery codes and sessions. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { deviceOf } from '../../../players/sign-in/sessions.ts';
import { accountOf } from '../../account.ts';
import { passkeyOrigin } from '../../http/callers/browser.ts';
import { playerOf } from '../../http/callers/identity.ts';
import { requireOwner } from '../../scopes.ts';
import { a, created, routesOf, type ServiceOptions } from '../route.ts';
import * as schemas from '../schemas/account.ts';
import { NameBody } from '../schemas/players.ts';

const { withToken } = routesOf('account');

export const restAccount: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { email, recoveryCodes } = services.accounts;
  await app.register(restPasskeys, { services });

  app.get(
    '/account',
    withToken({ operationId: 'getAccount', summary: "The caller's account", response: a('Account') }),
    (request) => accountOf(services, playerOf(request)),
  );

  app.post(
    '/account/email',
    withToken({
      operationId: 'keepByEmail',
      refuses: ['NAME_TAKEN', 'NOT_FOUND', 'FORBIDDEN'],
      summary: 'Make the confirmed e-mail address a way to sign in; this also keeps the account of a guest',
      body: schemas.KeepBody,
      response: a('Account'),
    }),
    async (request) => {
      const player = requireOwner(playerOf(request));
      await email.keep(player, request.body.playerName);
      return accountOf(services, player);
    },
  );

  app.delete(
    '/account/email',
    withToken({
      operationId: 'removeEmailSignIn',
      refuses: ['FORBIDDEN'],
      summary: 'Stop signing in by e-mail; refused if it is the last way to sign in',
      response: a('Account'),
    }),
    async (request) => {
      const player = playerOf(request);
      await email.remove(player);
      return accountOf(services, player);
    },
  );

  app.post(
    '/account/recovery-codes',
    withToken({
      operationId: 'createRecoveryCodes',
      refuses: ['FORBIDDEN'],
      summary: 'Make ten new recovery codes, shown only once; previous codes stop working',
      response: { 201: Type.Object({ codes: Type.Array(Type.String()) }, { description: 'The codes.' }) },
    }),
    async (request, reply) =>
      created(reply, '/v1/account', { codes: await recoveryCodes.create(requireOwner(playerOf(request))) }),
  );
};

const restPasskeys: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { publicUrl, accounts } = services;
  const { passkeys } = accounts;

  app.post(
    '/account/passkeys/options',
    withToken({
      operationId: 'beginPasskey',
      refuses: ['NAME_TAKEN'],
      summary: 'Begin to add a passkey: the options for the browser',
      body: schemas.KeepBody,
      response: a('PasskeyOptions'),
    }),
    async (request) => {
      const origin = passkeyOrigin(request, publicUrl);
      return { options: await passkeys.options(requireOwner(playerOf(request)), origin, request.body.playerName) };
    },
  );

  app.post(
    '/account/passkeys',
    withToken({
      operationId: 'addPasskey',
      refuses: ['NAME_TAKEN'],
      summary: 'Add the passkey that the browser made; this also keeps the account of a guest',
      body: schemas.NewPasskeyBody,
      response: a('Passkey', 201),
    }),
    async (request, reply) => {
      const origin = passkeyOrigin(request, publicUrl);
      const name = request.body.name ?? deviceOf(request.headers['user-agent']);
      const passkey = await passkeys.add(requireOwner(playerOf(request)), origin, { ...request.body, name });
      return created(reply, '/v1/account', passkey);
    },
  );

  app.patch(
    '/account/passkeys/:id',
    withToken({
      operationId: 'renamePasskey',
      refuses: ['NOT_FOUND'],
      summary: 'Rename a passkey',
      params: schemas.PasskeyParams,
      body: NameBody,
      response: a('Passkey'),
    }),
    (request) => passkeys.rename(playerOf(request), request.params.id, request.body.name),
  );

  app.delete(
    '/account/passkeys/:id',
    withToken({
      operationId: 'removePasskey',
      refuses: ['NOT_FOUND', 'FORBIDDEN'],
      summary: 'Remove a passkey; refused if it is the last way to sign in',
      params: schemas.PasskeyParams,
      response: a('Passkey'),
    }),
    (request) => passkeys.remove(playerOf(request), request.params.id),
  );
};
