/** The games that can be played here: /v1/games. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Game } from '../../games/game.ts';
import { schemasOf as namedSchemasOf } from '../../games/schemas.ts';
import { keep } from '../http/answers/caching.ts';
import { a, routesOf, type ServiceOptions } from './route.ts';
import * as schemas from './schemas/games.ts';

const { open } = routesOf('games');

const briefJson = ({ id, name, rules, seats, minutes }: Game) => ({
  id,
  name,
  rules,
  minSeats: seats.min,
  maxSeats: seats.max,
  minutes: minutes ?? null,
});

/** A game with its schemas: what a client of one game needs, but too much for a list of all games. */
const gameJson = (game: Game) => ({ ...briefJson(game), ...schemasOf(game) });

const schemasOf = ({ schema, orders }: Game) => ({
  optionsSchema: schema.options,
  actionSchema: schema.action,
  viewSchema: schema.view,
  ordersSchema: orders?.schema ?? null,
  effectSchema: schema.effect ?? null,
});

export const restGames: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { registry } = services;

  app.get(
    '/games',
    open({
      operationId: 'listGames',
      cached: true,
      summary: 'The games that can be played here',
      description:
        'The JSON Schemas are long, so they are left out unless requested; `GET /v1/games/{id}` has them too.',
      querystring: schemas.GamesQuery,
      response: { 200: Type.Object({ games: Type.Array(Type.Ref('Game')) }, { description: 'The games.' }) },
    }),
    async ({ query }, reply) => {
      reply.header('cache-control', keep.shortly);
      return { games: registry.games.map(query.schemas ? gameJson : briefJson) };
    },
  );

  app.get(
    '/games/:id',
    open({
      operationId: 'getGame',
      cached: true,
      summary: 'One game',
      refuses: ['NOT_FOUND'],
      params: schemas.GameParams,
      response: a('Game'),
    }),
    async ({ params }, reply) => {
      const game = registry.game(params.id);
      reply.header('cache-control', keep.shortly);
      return gameJson(game);
    },
  );

  app.get(
    '/games/:id/schemas/:rules',
    open({
      operationId: 'getGameSchemas',
      cached: true,
      summary: 'All JSON Schemas of one version of the rules, as one document',
      description:
        'Its `$defs` are Options, Action, View, Effect and Order, and a named part for each kind of action and ' +
        'each thing of a view, so that code can be generated from it. Every version that a running or stored match ' +
        'may have is there.',
      refuses: ['NOT_FOUND'],
      params: schemas.SchemasParams,
      response: {
        200: {
          description: 'A JSON Schema (2020-12).',
          content: { 'application/schema+json': { schema: Type.Record(Type.String(), Type.Unknown()) } },
        },
      },
    }),
    async ({ params }, reply) => {
      const game = registry.game(params.id, params.rules);
      reply.header('cache-control', keep.shortly);
      return reply.type('application/schema+json').send(namedSchemasOf(game));
    },
  );
};
