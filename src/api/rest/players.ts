/** Accounts, their tokens and the apps they allow: /v1/players, /v1/me, /v1/tokens, /v1/apps. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { forgetSession, playerOf } from '../http/callers/identity.ts';
import { addressKey } from '../http/limits/admission.ts';
import * as present from '../present.ts';
import { a, created, keyOf, routesOf, type ServiceOptions } from './route.ts';
import * as schemas from './schemas/players.ts';
import { DeleteQuery } from './schemas/profiles.ts';
import { IdempotencyKey } from './schemas/shared.ts';

const { open, withToken } = routesOf('players');

export const restPlayers: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, options) => {
  await app.register(restAccount, options);
  await app.register(restTokens, options);
  await app.register(restApps, options);
};

const restAccount: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { players, profiles, limits, quotas, publicUrl } = services;

  app.post(
    '/players',
    open({
      operationId: 'register',
      summary: 'Register a player; the token is shown only once',
      refuses: ['NAME_TAKEN', 'IDEMPOTENCY_KEY_REUSED', 'QUOTA_EXCEEDED'],
      headers: IdempotencyKey,
      body: schemas.NameBody,
      response: a('Registration', 201),
    }),
    async (request, reply) => {
      limits.registration(request);
      await quotas.registering(addressKey(request.ip));
      return created(reply, '/v1/me', await players.register(request.body.name, keyOf(request)));
    },
  );

  app.get(
    '/me',
    withToken({ operationId: 'getMe', summary: 'The player whose token this is', response: a('Player') }),
    async (request) => present.playerJson(playerOf(request)),
  );

  app.delete(
    '/me',
    withToken({
      operationId: 'deleteMe',
      summary: "Delete the caller's account: its name is forgotten, its tokens end, and its matches stay",
      querystring: DeleteQuery,
      response: a('Player'),
    }),
    async (request, reply) => {
      const player = playerOf(request);
      if (request.query.confirm !== undefined) profiles.confirm(player, request.query.confirm);
      const removed = await players.remove(player);
      forgetSession(request, reply, publicUrl);
      return removed;
    },
  );
};

const restTokens: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services: { players } }) => {
  app.get(
    '/tokens',
    withToken({
      operationId: 'listTokens',
      summary: "The caller's tokens, newest first: all active ones and the 50 that ended last",
      response: { 200: Type.Object({ tokens: Type.Array(Type.Ref('Token')) }, { description: 'The tokens.' }) },
    }),
    async (request) => ({ tokens: await players.tokens(playerOf(request)) }),
  );

  app.post(
    '/tokens',
    withToken({
      operationId: 'createToken',
      summary: 'Make a further token, for another device or bot; it is shown only once',
      refuses: ['IDEMPOTENCY_KEY_REUSED'],
      headers: IdempotencyKey,
      body: schemas.TokenBody,
      response: a('NewToken', 201),
    }),
    async (request, reply) => {
      const { expiresAt, ...wish } = request.body;
      const end = expiresAt ? new Date(expiresAt) : null;
      const made = await players.createToken(playerOf(request), { ...wish, expiresAt: end }, keyOf(request));
      return created(reply, '/v1/tokens', made);
    },
  );

  app.delete(
    '/tokens/:id',
    withToken({
      operationId: 'revokeToken',
      summary: 'Revoke a token; its streams end within 30 seconds',
      refuses: ['NOT_FOUND'],
      params: schemas.TokenParams,
      response: a('Token'),
    }),
    (request) => players.revokeToken(playerOf(request), request.params.id),
  );
};

const { withToken: forApps } = routesOf('apps');

const restApps: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services: { apps } }) => {
  app.get(
    '/apps',
    forApps({
      operationId: 'listApps',
      summary: 'The apps that the caller allows to act for them, newest first',
      response: { 200: Type.Object({ apps: Type.Array(Type.Ref('App')) }, { description: 'The apps.' }) },
    }),
    async (request) => ({ apps: await apps.list(playerOf(request)) }),
  );

  app.delete(
    '/apps/:id',
    forApps({
      operationId: 'revokeApp',
      summary: 'Revoke the permission of an app; its streams end within 30 seconds',
      refuses: ['NOT_FOUND'],
      params: schemas.AppParams,
      response: a('App'),
    }),
    (request) => apps.revoke(playerOf(request), request.params.id),
  );
};
