/** Views of the table: what the caller may know of it, the same in sentences, and every legal action. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../matches/commands/access.ts';
import type { Match } from '../../../matches/log/records.ts';
import { keep } from '../../http/answers/caching.ts';
import { callerOf } from '../../http/callers/identity.ts';
import * as present from '../../present.ts';
import { a, paidWork, routesOf, type ServiceOptions } from '../route.ts';
import * as schemas from '../schemas/look.ts';
import { InviteQuery, MatchParams } from '../schemas/matches.ts';

const { open } = routesOf('matches');
const params = MatchParams;
/** The extra price of an earlier version. */
const REPLAY_COST = 100;

export const priceOf = (units: number, at: number | undefined) => units + (at === undefined ? 0 : REPLAY_COST);

/**
 * Says how long a view of the table may be stored. The table at a given version never changes for the same eyes: a
 * caller without a token is always a spectator, and everyone else's eyes are settled at the end.
 */
export function keepLook(
  reply: FastifyReply,
  match: Match,
  caller: Caller,
  { at, invite, named = false }: { at?: number | undefined; invite?: string | undefined; named?: boolean },
): void {
  const isFixed = match.endedAt !== null || (at !== undefined && caller === null);
  const shared = caller === null && match.visibility === 'PUBLIC' && invite === undefined;
  const lifetime = named ? keep.aDay : keep.forEver;
  reply.header('cache-control', isFixed ? lifetime(shared) : keep.whileUnchanged);
}

export const restLook: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { matches, players } = services;

  app.get(
    '/matches/:id/view',
    open({
      operationId: 'getView',
      cached: true,
      summary: "What the caller's seat (or a spectator) may know, now or at an earlier version",
      refuses: ['NOT_FOUND'],
      params,
      querystring: schemas.LookQuery,
      response: a('View'),
    }),
    async (request, reply) => {
      const { at, seat, invite } = request.query;
      const caller = callerOf(request);
      const match = await matches.see(caller, request.params.id, invite);
      const work = paidWork(services, request, priceOf(20, at));
      const view = await present.view(match, caller, { at, seat }, work);
      keepLook(reply, match, caller, { at, invite });
      return { version: at ?? match.version, seat: seat ?? present.mySeat(match, caller), view };
    },
  );

  app.get(
    '/matches/:id/description',
    open({
      operationId: 'getDescription',
      cached: true,
      summary: 'The same in sentences, for screen readers, chat bots and language models',
      refuses: ['NOT_FOUND'],
      params,
      querystring: schemas.LookQuery,
      response: a('Description'),
    }),
    async (request, reply) => {
      const { at, seat, invite } = request.query;
      const caller = callerOf(request);
      const match = await matches.see(caller, request.params.id, invite);
      const drawing = { namesOf: players.namesOf, work: paidWork(services, request, priceOf(50, at)) };
      const description = await present.description(match, caller, { at, seat }, drawing);
      keepLook(reply, match, caller, { at, invite, named: true });
      return { version: at ?? match.version, seat: seat ?? present.mySeat(match, caller), description };
    },
  );

  app.get(
    '/matches/:id/legal-actions',
    open({
      operationId: 'listLegalActions',
      cached: true,
      summary: "Every action that the caller's seat may take now; empty for spectators",
      refuses: ['NOT_FOUND'],
      params,
      querystring: InviteQuery,
      response: a('LegalActions'),
    }),
    async (request, reply) => {
      const caller = callerOf(request);
      const match = await matches.see(caller, request.params.id, request.query.invite);
      const seat = present.mySeat(match, caller);
      const legalActions = await present.legalActions(match, caller, paidWork(services, request, 50));
      reply.header('cache-control', keep.whileUnchanged);
      return { version: match.version, seat, legalActions };
    },
  );
};
