/** What can be made of a history: analysis matches, and documents that can be verified elsewhere. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { writing } from '../../../matches/proof/document.ts';
import { inSlices } from '../../../turns.ts';
import { keep } from '../../http/answers/caching.ts';
import { callerOf, playerOf } from '../../http/callers/identity.ts';
import { namesOf } from '../../names.ts';
import * as present from '../../present.ts';
import { answersOf } from '../answers.ts';
import { a, keyOf, routesOf, type ServiceOptions, sendText } from '../route.ts';
import * as schemas from '../schemas/events.ts';
import { MatchParams } from '../schemas/matches.ts';
import { IdempotencyKey } from '../schemas/shared.ts';
import { keepLook } from './look.ts';

const { open, withToken } = routesOf('matches');
const params = MatchParams;
/** A long match of five seats takes about 300 KB. */
const MAX_IMPORT_BYTES = 8 * 1024 * 1024;

export const restHistory: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { matches, players } = services;
  const answer = answersOf(players);

  app.post(
    '/matches/:id/forks',
    withToken({
      operationId: 'forkMatch',
      summary: 'Open an analysis match that continues from a version of this one',
      refuses: [
        'NOT_SEATED',
        'NOT_FOUND',
        'MATCH_NOT_ACTIVE',
        'MATCH_OVER',
        'IDEMPOTENCY_KEY_REUSED',
        'QUOTA_EXCEEDED',
      ],
      headers: IdempotencyKey,
      params,
      body: schemas.ForkBody,
      response: a('Match', 201),
    }),
    (request, reply) => {
      const { at, invite } = request.body;
      return answer.newMatch(
        request,
        reply,
        matches.fork(playerOf(request), request.params.id, at, invite, keyOf(request)),
      );
    },
  );

  app.get(
    '/matches/:id/export',
    open({
      operationId: 'exportMatch',
      cached: true,
      summary: 'The match as one document that can be verified without a server',
      description: 'While the match runs, the document holds only what the caller may know.',
      refuses: ['NOT_FOUND'],
      params,
      querystring: schemas.ExportQuery,
      response: { 200: Type.Unknown({ description: 'A document of the format atoll-match-1, as canonical JSON' }) },
    }),
    async (request, reply) => {
      const { names, invite } = request.query;
      const match = await matches.see(callerOf(request), request.params.id, invite);
      const work = services.limits.work(request.viewer, request);
      const shown = await namesOf(players, match, names ?? false);
      const document = await present.exported(match, callerOf(request), shown, work);
      if (names) reply.header('cache-control', keep.whileUnchanged);
      else keepLook(reply, match, callerOf(request), { invite });
      reply.header('content-disposition', `attachment; filename="${match.game}-${match.id}.json"`);
      return sendText(reply, 'application/json', await inSlices(writing(document), work.who));
    },
  );
};

/**
 * A separate plugin, because the thread that proves the document also parses its body: parsing it here would hold up
 * everyone else.
 */
export const restImport: FastifyPluginAsyncTypebox<ServiceOptions> = async (
  app,
  { services: { matches, players } },
) => {
  const answer = answersOf(players);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.post(
    '/matches/import',
    {
      bodyLimit: MAX_IMPORT_BYTES,
      // Refuse callers who may not import at all before their body is read and parsed.
      onRequest: async (request) => void playerOf(request),
      ...withToken({
        operationId: 'importMatch',
        summary: 'Import an ended match from another server, once it is proven',
        description:
          'A document that was changed is refused with the first version that is wrong. Only names are not proven: ' +
          'players may delete their accounts, and the match must still verify.',
        refuses: ['NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'QUOTA_EXCEEDED'],
        headers: IdempotencyKey,
        body: Type.Unknown({ description: 'What export returned' }),
        response: a('Match', 201),
      }),
    },
    (request, reply) =>
      answer.newMatch(request, reply, matches.import(playerOf(request), request.body, keyOf(request))),
  );
};
