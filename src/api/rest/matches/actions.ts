/** What a seat does: acting, taking back, standing orders and resigning. Each answers with a receipt. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refusals } from '../../../errors.ts';
import { playerOf } from '../../http/callers/identity.ts';
import * as present from '../../present.ts';
import { answersOf } from '../answers.ts';
import { a, routesOf, type ServiceOptions } from '../route.ts';
import * as schemas from '../schemas/events.ts';
import { MatchParams } from '../schemas/matches.ts';

const { withToken } = routesOf('matches');
const params = MatchParams;
const response = a('Receipt');

export const restActions: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, options) => {
  const { matches, players } = options.services;
  const answer = answersOf(players);

  app.post(
    '/matches/:id/actions',
    withToken({
      operationId: 'submitAction',
      summary: 'Take a legal action; with an actionId or Idempotency-Key it happens at most once',
      refuses: [
        'NOT_SEATED',
        'NOT_FOUND',
        'STALE_VERSION',
        'MATCH_NOT_ACTIVE',
        'MATCH_OVER',
        'NOT_YOUR_TURN',
        'ILLEGAL_ACTION',
        'ACTION_ID_REUSED',
      ],
      params,
      headers: schemas.ActionHeaders,
      body: schemas.ActionBody,
      response,
    }),
    async (request) => {
      const { action, expectedVersion, actionId } = request.body;
      const key = request.headers['idempotency-key'];
      if (actionId && key && actionId !== key) throw refusals.twoActionIds();
      const submission = { matchId: request.params.id, action, expectedVersion, actionId: actionId ?? key };
      const done = await answer.receipt(request, matches.submit(playerOf(request), submission));
      request.movedOn = submission.matchId;
      return done;
    },
  );

  app.post(
    '/matches/:id/undo',
    withToken({
      operationId: 'undo',
      summary: "Take back the caller's own last action",
      refuses: ['NOT_SEATED', 'NOT_FOUND', 'STALE_VERSION', 'MATCH_NOT_ACTIVE', 'MATCH_OVER', 'CANNOT_UNDO'],
      params,
      body: schemas.UndoBody,
      response,
    }),
    (request) =>
      answer.receipt(request, matches.undo(playerOf(request), request.params.id, request.body.expectedVersion)),
  );

  app.post(
    '/matches/:id/resign',
    withToken({
      operationId: 'resign',
      summary: 'Give the seat up',
      refuses: ['NOT_SEATED', 'NOT_FOUND', 'MATCH_NOT_ACTIVE', 'MATCH_OVER'],
      params,
      response,
    }),
    (request) => answer.receipt(request, matches.resign(playerOf(request), request.params.id)),
  );

  await app.register(restOrders, options);
};

const restOrders: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services: { matches, players } }) => {
  const answer = answersOf(players);

  app.put(
    '/matches/:id/order',
    withToken({
      operationId: 'setOrder',
      summary: "Decide in advance how the caller's trivial decisions off turn are taken; null means to ask each time",
      description: 'Others cannot read it before the match has ended.',
      refuses: ['NOT_SEATED', 'NOT_FOUND', 'MATCH_NOT_ACTIVE', 'MATCH_OVER'],
      params,
      body: schemas.OrderBody,
      response,
    }),
    (request) => answer.receipt(request, matches.order(playerOf(request), request.params.id, request.body.order)),
  );

  app.get(
    '/matches/:id/order',
    withToken({
      operationId: 'getOrder',
      summary: "The caller's own standing order",
      refuses: ['NOT_FOUND'],
      params,
      response: {
        200: Type.Object({ order: Type.Unknown() }, { description: 'The order, or null if there is none.' }),
      },
    }),
    async (request) => {
      const player = playerOf(request);
      return { order: present.myOrder(await matches.see(player, request.params.id), player) };
    },
  );
};
