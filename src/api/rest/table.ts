/** Bots, standing orders, giving up, calling off and playing again. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf, playerOf } from '../http/identity.ts';
import * as present from '../present.ts';
import { answersOf } from './answers.ts';
import { keyOf, type RestOptions, routesOf } from './route.ts';
import * as schemas from './schemas.ts';

const { withToken } = routesOf('matches');
const params = schemas.MatchParams;
const aMatch = { 200: Type.Ref('Match') };
export const restTable: FastifyPluginAsyncTypebox<Pick<RestOptions, 'services'>> = async (app, { services }) => {
  const { matches } = services;
  const { matchJson, receiptJson } = answersOf(services.players);

  app.post(
    '/matches/:id/bots',
    withToken({
      summary: 'Put a bot into the first free seat',
      headers: schemas.IdempotencyKey,
      params,
      body: schemas.BotBody,
      response: aMatch,
    }),
    async (request) => {
      const { params, body } = request;
      const match = await matches.addBot(playerOf(request), params.id, body.level ?? 'EASY', keyOf(request));
      return matchJson(match, callerOf(request));
    },
  );

  app.post(
    '/matches/:id/resign',
    withToken({ summary: 'Give the seat up', params, response: { 200: Type.Ref('Receipt') } }),
    async (request) => receiptJson(await matches.resign(playerOf(request), request.params.id), callerOf(request)),
  );

  app.put(
    '/matches/:id/order',
    withToken({
      summary: "Say in advance how the caller's trivial decisions off turn are to be taken; null: ask me",
      description: 'Others cannot read it before the end.',
      params,
      body: schemas.OrderBody,
      response: { 200: Type.Ref('Receipt') },
    }),
    async (request) => {
      const receipt = await matches.order(playerOf(request), request.params.id, request.body.order);
      return receiptJson(receipt, callerOf(request));
    },
  );

  app.get(
    '/matches/:id/order',
    withToken({
      summary: "The caller's own standing order",
      params,
      response: { 200: Type.Object({ order: Type.Unknown() }) },
    }),
    async (request) => {
      const match = await matches.see(playerOf(request), request.params.id);
      return { order: present.myOrder(match, playerOf(request)) };
    },
  );

  app.delete(
    '/matches/:id',
    withToken({
      summary: 'Call off a match before its start; by who opened it',
      params,
      response: aMatch,
    }),
    async (request) => matchJson(await matches.cancel(playerOf(request), request.params.id), callerOf(request)),
  );

  app.post(
    '/matches/:id/rematch',
    withToken({
      summary: 'The rematch of an ended match, with the caller seated',
      body: schemas.RematchBody,
      headers: schemas.IdempotencyKey,
      description: 'The same players, each a seat further. It starts when all have asked for it.',
      params,
      response: aMatch,
    }),
    async (request) => {
      const more = { entropy: request.body?.entropy, key: keyOf(request) };
      return matchJson(await matches.rematch(playerOf(request), request.params.id, more), callerOf(request));
    },
  );
};
