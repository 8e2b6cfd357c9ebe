/** Taking back, forking, exporting and importing matches. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { writing } from '../../matches/proof/document.ts';
import { inSlices } from '../../turns.ts';
import { callerOf, playerOf } from '../http/identity.ts';
import { namesOf } from '../names.ts';
import * as present from '../present.ts';
import { answersOf } from './answers.ts';
import { created, keyOf, type RestOptions, routesOf } from './route.ts';
import * as schemas from './schemas.ts';

const { open, withToken } = routesOf('matches');
const params = schemas.MatchParams;
/** A long match of five seats takes about 300 KB. */
const MAX_IMPORT_BYTES = 8 * 1024 * 1024;
export const restHistory: FastifyPluginAsyncTypebox<Pick<RestOptions, 'services'>> = async (app, { services }) => {
  const { matches, players } = services;
  const { matchJson, receiptJson } = answersOf(players);

  app.post(
    '/matches/:id/undo',
    withToken({
      summary: "Take back the caller's own last action",
      params,
      body: schemas.UndoBody,
      response: { 200: Type.Ref('Receipt') },
    }),
    async (request) => {
      const receipt = await matches.undo(playerOf(request), request.params.id, request.body.expectedVersion);
      return receiptJson(receipt, callerOf(request));
    },
  );

  app.post(
    '/matches/:id/forks',
    withToken({
      summary: 'Open an analysis match that continues from a version of this one',
      headers: schemas.IdempotencyKey,
      params,
      body: schemas.ForkBody,
      response: { 201: Type.Ref('Match') },
    }),
    async (request, reply) => {
      const { at, invite } = request.body;
      const match = await matches.fork(playerOf(request), request.params.id, at, invite, keyOf(request));
      return created(reply, `/v1/matches/${match.id}`, await matchJson(match, callerOf(request)));
    },
  );

  app.get(
    '/matches/:id/export',
    open({
      summary: 'The match as one document that can be verified without a server',
      description: 'While it runs: what the caller may know of it.',
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
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${match.game}-${match.id}.json"`)
        .serializer((text: string) => text)
        .send(await inSlices(writing(document), work.who));
    },
  );

  await app.register(restImport, { services });
};

/** Apart from the other routes, because its body is parsed by the thread that proves it: here it would hold everybody up. */
const restImport: FastifyPluginAsyncTypebox<Pick<RestOptions, 'services'>> = async (app, { services }) => {
  const { matches, players } = services;
  const { matchJson } = answersOf(players);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.post(
    '/matches/import',
    {
      bodyLimit: MAX_IMPORT_BYTES,
      // Before so much is read, and parsed, of somebody who may not import at all.
      onRequest: async (request) => void playerOf(request),
      ...withToken({
        summary: 'Take over an ended match of another server, once it is proven',
        description:
          'A document that was changed is refused with the first version that is wrong. Names alone are not proven: ' +
          'players may be forgotten, and the match still holds.',
        headers: schemas.IdempotencyKey,
        body: Type.Unknown({ description: 'What export returned' }),
        response: { 201: Type.Ref('Match') },
      }),
    },
    async (request, reply) => {
      const match = await matches.import(playerOf(request), request.body, keyOf(request));
      return created(reply, `/v1/matches/${match.id}`, await matchJson(match, callerOf(request)));
    },
  );
};
