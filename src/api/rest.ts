/** The REST face of the services: routes in, presented data out, nothing decided here. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Game } from '../games/game.ts';
import type { RestOptions as Streaming } from './face.ts';
import { playerOf, type Services } from './resolvers.ts';
import { restComfort } from './rest-comfort.ts';
import { restHistory } from './rest-history.ts';
import { restMatches } from './rest-matches.ts';
import { restNotices } from './rest-notices.ts';
import * as schemas from './rest-schemas.ts';
import { security } from './rest-schemas.ts';

export interface RestOptions extends Streaming {
  services: Services;
}

const gameJson = ({ id, name, rules, seats, schema, orders }: Game) => ({
  id,
  name,
  rules,
  minSeats: seats.min,
  maxSeats: seats.max,
  optionsSchema: schema.options,
  actionSchema: schema.action,
  viewSchema: schema.view,
  ordersSchema: orders?.schema ?? null,
});

/** Everything under /v1. */
export const rest: FastifyPluginAsyncTypebox<RestOptions> = async (app, { services, connections, subscriptions }) => {
  const { players, registry, limits } = services;
  for (const schema of schemas.components) app.addSchema(schema);
  // Response schemas are documentation: the shapes are made by `present`, and JSON.stringify is the faster writer here.
  app.setSerializerCompiler(() => JSON.stringify);
  app.addHook('onRoute', ({ schema }) => {
    if (schema) schema.response = { ...(schema.response as object), default: schemas.refused };
  });

  app.post(
    '/players',
    {
      schema: {
        tags: ['players'],
        summary: 'Register a player; the token is shown this once',
        body: schemas.NameBody,
        response: { 201: Type.Ref('Registration') },
      },
    },
    async (request, reply) => {
      limits.registration(request);
      return reply.code(201).send(await players.register(request.body.name));
    },
  );

  app.get(
    '/me',
    {
      schema: {
        tags: ['players'],
        summary: 'The player whose token this is',
        security,
        response: { 200: Type.Ref('Player') },
      },
    },
    async (request) => {
      const { id, name, kind } = playerOf(request);
      return { id, name, kind };
    },
  );

  app.delete(
    '/me',
    {
      schema: {
        tags: ['players'],
        summary: "Delete the caller's account: its name is forgotten, its tokens end, its matches stay",
        security,
        response: { 200: Type.Ref('Player') },
      },
    },
    (request) => players.remove(playerOf(request)),
  );

  app.get(
    '/tokens',
    {
      schema: {
        tags: ['players'],
        summary: "The caller's tokens, newest first: all that are live and the 50 that were revoked last",
        security,
        response: { 200: Type.Object({ tokens: Type.Array(Type.Ref('Token')) }, { description: 'The tokens.' }) },
      },
    },
    async (request) => ({ tokens: await players.tokens(playerOf(request)) }),
  );

  app.post(
    '/tokens',
    {
      schema: {
        tags: ['players'],
        summary: 'A further token, for another device or bot; shown this once',
        security,
        body: schemas.NameBody,
        response: { 201: Type.Ref('NewToken') },
      },
    },
    async (request, reply) => reply.code(201).send(await players.createToken(playerOf(request), request.body.name)),
  );

  app.delete(
    '/tokens/:id',
    {
      schema: {
        tags: ['players'],
        summary: 'Revoke a token; its streams end within 30 seconds',
        security,
        params: schemas.TokenParams,
        response: { 200: Type.Ref('Token') },
      },
    },
    (request) => players.revokeToken(playerOf(request), request.params.id),
  );

  app.get(
    '/games',
    {
      schema: {
        tags: ['games'],
        summary: 'The games that can be played here',
        response: { 200: Type.Object({ games: Type.Array(Type.Ref('Game')) }, { description: 'The games.' }) },
      },
    },
    async () => ({ games: registry.games.map(gameJson) }),
  );

  app.get(
    '/games/:id',
    {
      schema: { tags: ['games'], summary: 'One game', params: schemas.GameParams, response: { 200: Type.Ref('Game') } },
    },
    async ({ params }) => gameJson(registry.game(params.id)),
  );

  await app.register(restMatches, { services, connections, subscriptions });
  await app.register(restHistory, { services });
  await app.register(restComfort, { services });
  await app.register(restNotices, { notices: services.notices });
};
