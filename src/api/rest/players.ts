/** Accounts and their tokens: /v1/players, /v1/me, /v1/tokens. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { addressKey } from '../http/admission.ts';
import { playerOf } from '../http/identity.ts';
import { keyOf, type RestOptions, routesOf } from './route.ts';
import * as schemas from './schemas.ts';

const { open, withToken } = routesOf('players');

export const restPlayers: FastifyPluginAsyncTypebox<Pick<RestOptions, 'services'>> = async (app, { services }) => {
  const { players, limits, quotas } = services;

  app.post(
    '/players',
    open({
      summary: 'Register a player; the token is shown this once',
      headers: schemas.IdempotencyKey,
      body: schemas.NameBody,
      response: { 201: Type.Ref('Registration') },
    }),
    async (request, reply) => {
      limits.registration(request);
      await quotas.registering(addressKey(request.ip));
      return reply.code(201).send(await players.register(request.body.name, keyOf(request)));
    },
  );

  app.get(
    '/me',
    withToken({
      summary: 'The player whose token this is',
      response: { 200: Type.Ref('Player') },
    }),
    async (request) => {
      const { id, name, kind, tag } = playerOf(request);
      return { id, name, kind, tag };
    },
  );

  app.delete(
    '/me',
    withToken({
      summary: "Delete the caller's account: its name is forgotten, its tokens end, its matches stay",
      response: { 200: Type.Ref('Player') },
    }),
    (request) => players.remove(playerOf(request)),
  );

  app.get(
    '/tokens',
    withToken({
      summary: "The caller's tokens, newest first: all that are live and the 50 that were revoked last",
      response: { 200: Type.Object({ tokens: Type.Array(Type.Ref('Token')) }, { description: 'The tokens.' }) },
    }),
    async (request) => ({ tokens: await players.tokens(playerOf(request)) }),
  );

  app.post(
    '/tokens',
    withToken({
      summary: 'A further token, for another device or bot; shown this once',
      headers: schemas.IdempotencyKey,
      body: schemas.NameBody,
      response: { 201: Type.Ref('NewToken') },
    }),
    async (request, reply) =>
      reply.code(201).send(await players.createToken(playerOf(request), request.body.name, keyOf(request))),
  );

  app.delete(
    '/tokens/:id',
    withToken({
      summary: 'Revoke a token; its streams end within 30 seconds',
      params: schemas.TokenParams,
      response: { 200: Type.Ref('Token') },
    }),
    (request) => players.revokeToken(playerOf(request), request.params.id),
  );
};
