/** The games that can be played here: /v1/games. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Game } from '../../games/game.ts';
import { a, routesOf, type ServiceOptions } from './route.ts';
import * as schemas from './schemas/games.ts';

const { open } = routesOf('games');

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
  effectSchema: schema.effect ?? null,
});

export const restGames: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { registry } = services;

  app.get(
    '/games',
    open({
      operationId: 'listGames',
      summary: 'The games that can be played here',
      response: { 200: Type.Object({ games: Type.Array(Type.Ref('Game')) }, { description: 'The games.' }) },
    }),
    async () => ({ games: registry.games.map(gameJson) }),
  );

  app.get(
    '/games/:id',
    open({
      operationId: 'getGame',
      summary: 'One game',
      refuses: ['NOT_FOUND'],
      params: schemas.GameParams,
      response: a('Game'),
    }),
    async ({ params }) => gameJson(registry.game(params.id)),
  );
};
