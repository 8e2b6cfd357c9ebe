/** Tables: opening, finding, calling off and playing again. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { keep } from '../../http/answers/caching.ts';
import { formOf } from '../../http/answers/event-stream.ts';
import { callerOf, playerOf } from '../../http/callers/identity.ts';
import { answersOf } from '../answers.ts';
import { a, keyOf, type RestOptions, routesOf, type ServiceOptions } from '../route.ts';
import * as schemas from '../schemas/matches.ts';
import { IdempotencyKey } from '../schemas/shared.ts';
import { pageOrStream, sendStream } from '../streaming.ts';

const { open, withToken } = routesOf('matches');
const params = schemas.MatchParams;
/** What a change of the lobby costs a caller who watches it. */
const LOBBY_COST = 2;

export const restTables: FastifyPluginAsyncTypebox<RestOptions> = async (app, options) => {
  await app.register(restFinding, options);
  await app.register(restOpening, options);
};

const restFinding: FastifyPluginAsyncTypebox<RestOptions> = async (app, options) => {
  const { matches, players } = options.services;
  const answer = answersOf(players);

  app.get(
    '/matches',
    open({
      operationId: 'listMatches',
      ticket: 'LOBBY',
      cached: true,
      summary: 'Public matches, and private ones of the caller, newest first',
      description:
        'As a stream (`Accept: text/event-stream` or `application/x-ndjson`), this is the lobby: every public ' +
        'table that is open now, then each one that appears or changes, and each one that goes because it has ' +
        'begun or was called off. Filters other than `game` do not apply to the stream.',
      querystring: schemas.ListQuery,
      response: pageOrStream('MatchPage', 'LobbyChange'),
    }),
    async (request, reply) => {
      const form = formOf(request);
      if (form) {
        return sendStream(options, request, reply, {
          form,
          items: matches.lobby(request.query.game),
          units: LOBBY_COST,
          message: async (change) => {
            if ('gone' in change) return { data: { type: 'GONE', id: change.gone } };
            const [match] = await answer.matches(request, [change.match]);
            return { data: { type: 'OPEN', match } };
          },
        });
      }
      const { ticket: _, ...filter } = request.query; // it applies only to the stream
      const { matches: found, more } = await matches.list(callerOf(request), filter);
      const endCursor = found.at(-1)?.id ?? null;
      reply.header('cache-control', keep.whileUnchanged);
      return { matches: await answer.matches(request, found), pageInfo: { hasNextPage: more, endCursor } };
    },
  );

  app.get(
    '/matches/:id',
    open({
      operationId: 'getMatch',
      cached: true,
      summary: 'One match',
      refuses: ['NOT_FOUND'],
      params,
      querystring: schemas.InviteQuery,
      response: a('Match'),
    }),
    async (request, reply) => {
      const match = matches.see(callerOf(request), request.params.id, request.query.invite);
      const json = await answer.match(request, match);
      reply.header('cache-control', keep.whileUnchanged);
      return json;
    },
  );
};

const restOpening: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services: { matches, players } }) => {
  const answer = answersOf(players);

  app.post(
    '/matches',
    withToken({
      operationId: 'createMatch',
      summary: 'Open a match; it starts by itself when the last seat is taken',
      refuses: ['NOT_FOUND', 'MATCH_FULL', 'IDEMPOTENCY_KEY_REUSED', 'QUOTA_EXCEEDED'],
      headers: IdempotencyKey,
      body: schemas.CreateBody,
      response: a('Match', 201),
    }),
    (request, reply) =>
      answer.newMatch(request, reply, matches.create(playerOf(request), request.body, keyOf(request))),
  );

  app.delete(
    '/matches/:id',
    withToken({
      operationId: 'cancelMatch',
      summary: 'Call off a match before it starts; only its creator may',
      refuses: ['NOT_FOUND', 'MATCH_OVER'],
      params,
      response: a('Match'),
    }),
    (request) => answer.match(request, matches.cancel(playerOf(request), request.params.id)),
  );

  app.post(
    '/matches/:id/rematch',
    withToken({
      operationId: 'rematch',
      summary: 'Join the rematch of an ended match, or open it',
      description: 'The same players, each one seat further. It starts when all have asked for it.',
      refuses: [
        'NOT_SEATED',
        'NOT_FOUND',
        'MATCH_NOT_ACTIVE',
        'MATCH_FULL',
        'IDEMPOTENCY_KEY_REUSED',
        'QUOTA_EXCEEDED',
      ],
      headers: IdempotencyKey,
      params,
      body: schemas.RematchBody,
      response: a('Match'),
    }),
    (request) => {
      const more = { entropy: request.body?.entropy, key: keyOf(request) };
      return answer.match(request, matches.rematch(playerOf(request), request.params.id, more));
    },
  );
};
