/** Seats: taking one, giving it back, and putting bots into free ones. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { playerOf } from '../../http/callers/identity.ts';
import { answersOf } from '../answers.ts';
import { a, keyOf, routesOf, type ServiceOptions } from '../route.ts';
import * as schemas from '../schemas/matches.ts';
import { IdempotencyKey } from '../schemas/shared.ts';

const { withToken } = routesOf('matches');
const params = schemas.MatchParams;

export const restSeats: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services: { matches, players } }) => {
  const answer = answersOf(players);

  app.post(
    '/matches/:id/seats',
    withToken({
      operationId: 'joinMatch',
      summary: 'Take a seat',
      refuses: ['NOT_FOUND', 'MATCH_FULL', 'MATCH_OVER'],
      params,
      body: schemas.JoinBody,
      response: a('Match'),
    }),
    (request) => answer.match(request, matches.join(playerOf(request), request.params.id, request.body)),
  );

  app.delete(
    '/matches/:id/seats',
    withToken({
      operationId: 'leaveMatch',
      summary: 'Give the seat back; possible only before the start',
      refuses: ['NOT_SEATED', 'NOT_FOUND', 'MATCH_OVER'],
      params,
      response: a('Match'),
    }),
    (request) => answer.match(request, matches.leave(playerOf(request), request.params.id)),
  );

  app.post(
    '/matches/:id/bots',
    withToken({
      operationId: 'addBot',
      summary: 'Put a bot into the first free seat',
      refuses: ['NOT_FOUND', 'MATCH_FULL', 'MATCH_OVER', 'IDEMPOTENCY_KEY_REUSED', 'QUOTA_EXCEEDED'],
      headers: IdempotencyKey,
      params,
      body: schemas.BotBody,
      response: a('Match'),
    }),
    (request) => {
      const { params, body } = request;
      return answer.match(request, matches.addBot(playerOf(request), params.id, body.level ?? 'EASY', keyOf(request)));
    },
  );
};
