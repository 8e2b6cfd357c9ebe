/** Taking back, forking, exporting and importing matches. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { textOf } from '../matches/document.ts';
import { answersOf, callerOf } from './answers.ts';
import * as present from './present.ts';
import { namesOf, playerOf } from './resolvers.ts';
import type { RestOptions } from './rest.ts';
import * as schemas from './rest-schemas.ts';
import { security } from './rest-schemas.ts';

const tags = ['matches'];
const params = schemas.MatchParams;
/** A long match of five seats takes about 300 KB. */
const MAX_IMPORT_BYTES = 8 * 1024 * 1024;
export const restHistory: FastifyPluginAsyncTypebox<Pick<RestOptions, 'services'>> = async (app, { services }) => {
  const { matches, players } = services;
  const { matchJson, receiptJson } = answersOf(players);

  app.post(
    '/matches/:id/undo',
    {
      schema: {
        tags,
        summary: "Take back the caller's own last action",
        security,
        params,
        body: schemas.UndoBody,
        response: { 200: Type.Ref('Receipt') },
      },
    },
    async (request) => {
      const receipt = await matches.undo(playerOf(request), request.params.id, request.body.expectedVersion);
      return receiptJson(receipt, callerOf(request));
    },
  );

  app.post(
    '/matches/:id/forks',
    {
      schema: {
        tags,
        summary: 'Open an analysis match that continues from a version of this one',
        security,
        params,
        body: schemas.ForkBody,
        response: { 201: Type.Ref('Match') },
      },
    },
    async (request, reply) => {
      const { at, invite } = request.body;
      const match = await matches.fork(playerOf(request), request.params.id, at, invite);
      return reply
        .code(201)
        .header('location', `/v1/matches/${match.id}`)
        .send(await matchJson(match, callerOf(request)));
    },
  );

  app.get(
    '/matches/:id/export',
    {
      schema: {
        tags,
        summary: 'The match as one document that can be verified without a server',
        description: 'While it runs: what the caller may know of it.',
        params,
        querystring: schemas.ExportQuery,
        response: { 200: Type.Unknown({ description: 'A document of the format atoll-match-1, as canonical JSON' }) },
      },
    },
    async (request, reply) => {
      const { names, invite } = request.query;
      const match = await matches.see(callerOf(request), request.params.id, invite);
      const document = present.exported(match, callerOf(request), await namesOf(players, match, names ?? false));
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${match.game}-${match.id}.json"`)
        .serializer((text: string) => text)
        .send(textOf(document));
    },
  );

  app.post(
    '/matches/import',
    {
      bodyLimit: MAX_IMPORT_BYTES,
      // Before so much is read, and parsed, of somebody who may not import at all.
      onRequest: async (request) => void playerOf(request),
      schema: {
        tags,
        summary: 'Take over an ended match of another server, once it is proven',
        description:
          'A document that was changed is refused with the first version that is wrong. Names alone are not proven: ' +
          'players may be forgotten, and the match still holds.',
        security,
        body: Type.Unknown({ description: 'What export returned' }),
        response: { 201: Type.Ref('Match') },
      },
    },
    async (request, reply) => {
      const match = await matches.import(playerOf(request), request.body);
      return reply
        .code(201)
        .header('location', `/v1/matches/${match.id}`)
        .send(await matchJson(match, callerOf(request)));
    },
  );
};
