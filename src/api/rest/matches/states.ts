/** Many versions of a match in one answer: /v1/matches/:id/states. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { formOf } from '../../http/answers/event-stream.ts';
import { callerOf } from '../../http/callers/identity.ts';
import { statesOf } from '../../states.ts';
import { sendJson, writtenWith } from '../pieces.ts';
import { paidWork, routesOf, type ServiceOptions } from '../route.ts';
import { MatchParams } from '../schemas/matches.ts';
import { StatesQuery } from '../schemas/streams.ts';
import { pageOrStream } from '../streaming.ts';
import { isNamed, partsOf, priceOfParts, stateJson } from './include.ts';
import { keepLook } from './look.ts';

const { open } = routesOf('matches');

export const restStates: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { matches, players } = services;

  app.get(
    '/matches/:id/states',
    open({
      operationId: 'listStates',
      cached: true,
      summary: 'The table at up to 100 versions, as the caller could know it then',
      description:
        'A replay in one answer. What one version has in common with the previous one costs next to nothing once ' +
        'compressed. With `Accept: application/x-ndjson`, the answer has one state per line.',
      refuses: ['NOT_FOUND'],
      params: MatchParams,
      querystring: StatesQuery,
      response: pageOrStream('States', 'MatchState'),
    }),
    async (request, reply) => {
      const { from = 0, to, include = 'view', seat, width, invite } = request.query;
      const caller = callerOf(request);
      const match = await matches.see(caller, request.params.id, invite);
      const found = statesOf(match, from, to);
      const parts = partsOf(include);
      const work = paidWork(services, request, found.length * priceOfParts(parts));
      const shown = { parts, seat, width };
      const drawing = { namesOf: players.namesOf, work };
      if (formOf(request) === 'application/x-ndjson') {
        const lines = async function* () {
          for (const state of found) yield `${JSON.stringify(await stateJson(state, caller, shown, drawing))}\n`;
        };
        return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(lines(), { objectMode: false }));
      }
      const states = async function* () {
        for (const state of found) yield stateJson(state, caller, shown, drawing);
      };
      const bytes = await writtenWith({ version: match.version }, 'states', states(), work);
      keepLook(reply, match, caller, { at: to, invite, named: isNamed(parts) });
      return sendJson(reply, bytes);
    },
  );
};
