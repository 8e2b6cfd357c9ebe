/** Opening, finding and joining matches: /v1/matches and its seats. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf, playerOf } from '../http/identity.ts';
import { answersOf } from './answers.ts';
import { created, keyOf, type RestOptions, routesOf } from './route.ts';
import * as schemas from './schemas.ts';

const { open, withToken } = routesOf('matches');
const params = schemas.MatchParams;
const aMatch = { 200: Type.Ref('Match') };

export const restMatches: FastifyPluginAsyncTypebox<Pick<RestOptions, 'services'>> = async (app, { services }) => {
  const { matches } = services;
  const { matchJson, matchesJson } = answersOf(services.players);

  app.post(
    '/matches',
    withToken({
      summary: 'Open a match; it starts by itself when its last seat is taken',
      headers: schemas.IdempotencyKey,
      body: schemas.CreateBody,
      response: { 201: Type.Ref('Match') },
    }),
    async (request, reply) => {
      const match = await matches.create(playerOf(request), request.body, keyOf(request));
      return created(reply, `/v1/matches/${match.id}`, await matchJson(match, callerOf(request)));
    },
  );

  app.get(
    '/matches',
    open({
      summary: 'Public matches, and private ones of the caller, newest first',
      querystring: schemas.ListQuery,
      response: { 200: Type.Ref('MatchPage') },
    }),
    async (request) => {
      const { matches: found, more } = await matches.list(callerOf(request), request.query);
      const endCursor = found.at(-1)?.id ?? null;
      return { matches: await matchesJson(found, callerOf(request)), pageInfo: { hasNextPage: more, endCursor } };
    },
  );

  app.get(
    '/matches/:id',
    open({ summary: 'One match', params, querystring: schemas.InviteQuery, response: aMatch }),
    async (request) => {
      const caller = callerOf(request);
      return matchJson(await matches.see(caller, request.params.id, request.query.invite), caller);
    },
  );

  app.post(
    '/matches/:id/seats',
    withToken({ summary: 'Take a seat', params, body: schemas.JoinBody, response: aMatch }),
    async (request) => {
      const match = await matches.join(playerOf(request), request.params.id, request.body);
      return matchJson(match, callerOf(request));
    },
  );

  app.delete(
    '/matches/:id/seats',
    withToken({ summary: 'Give the seat back, before the start only', params, response: aMatch }),
    async (request) => matchJson(await matches.leave(playerOf(request), request.params.id), callerOf(request)),
  );
};
