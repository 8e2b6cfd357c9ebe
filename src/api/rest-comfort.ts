/** Bots, standing orders, giving up, calling off and playing again. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { answersOf, callerOf } from './answers.ts';
import * as present from './present.ts';
import { playerOf } from './resolvers.ts';
import type { RestOptions } from './rest.ts';
import * as schemas from './rest-schemas.ts';
import { security } from './rest-schemas.ts';

const tags = ['matches'];
const params = schemas.MatchParams;
const aMatch = { 200: Type.Ref('Match') };
export const restComfort: FastifyPluginAsyncTypebox<Pick<RestOptions, 'services'>> = async (app, { services }) => {
  const { matches } = services;
  const { matchJson, receiptJson } = answersOf(services.players);

  app.post(
    '/matches/:id/bots',
    {
      schema: {
        tags,
        summary: 'Put a bot into the first free seat',
        security,
        params,
        body: schemas.BotBody,
        response: aMatch,
      },
    },
    async (request) => {
      const match = await matches.addBot(playerOf(request), request.params.id, request.body.level ?? 'EASY');
      return matchJson(match, callerOf(request));
    },
  );

  app.post(
    '/matches/:id/resign',
    { schema: { tags, summary: 'Give the seat up', security, params, response: { 200: Type.Ref('Receipt') } } },
    async (request) => receiptJson(await matches.resign(playerOf(request), request.params.id), callerOf(request)),
  );

  app.put(
    '/matches/:id/order',
    {
      schema: {
        tags,
        summary: "Say in advance how the caller's trivial decisions off turn are to be taken; null: ask me",
        description: 'Others cannot read it before the end.',
        security,
        params,
        body: schemas.OrderBody,
        response: { 200: Type.Ref('Receipt') },
      },
    },
    async (request) => {
      const receipt = await matches.order(playerOf(request), request.params.id, request.body.order);
      return receiptJson(receipt, callerOf(request));
    },
  );

  app.get(
    '/matches/:id/order',
    {
      schema: {
        tags,
        summary: "The caller's own standing order",
        security,
        params,
        response: { 200: Type.Object({ order: Type.Unknown() }) },
      },
    },
    async (request) => {
      const match = await matches.see(playerOf(request), request.params.id);
      return { order: present.myOrder(match, playerOf(request)) };
    },
  );

  app.delete(
    '/matches/:id',
    {
      schema: {
        tags,
        summary: 'Call off a match before its start; by who opened it',
        security,
        params,
        response: aMatch,
      },
    },
    async (request) => matchJson(await matches.cancel(playerOf(request), request.params.id), callerOf(request)),
  );

  app.post(
    '/matches/:id/rematch',
    {
      schema: {
        tags,
        summary: 'The rematch of an ended match, with the caller seated',
        description: 'The same players, each a seat further. It starts when all have asked for it.',
        security,
        params,
        response: aMatch,
      },
    },
    async (request) => matchJson(await matches.rematch(playerOf(request), request.params.id), callerOf(request)),
  );
};
