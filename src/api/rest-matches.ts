/** The routes of matches, under /v1/matches. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AtollError } from '../errors.ts';
import type { Caller } from '../matches/commands.ts';
import { addressKey } from './admission.ts';
import { answersOf, callerOf, eventJson } from './answers.ts';
import { whenDone } from './connections.ts';
import { sendEventStream } from './event-stream.ts';
import { negotiate } from './graphql-http.ts';
import * as present from './present.ts';
import { playerOf } from './resolvers.ts';
import type { RestOptions } from './rest.ts';
import * as schemas from './rest-schemas.ts';
import { security } from './rest-schemas.ts';

const tags = ['matches'];
const params = schemas.MatchParams;
const historyOrStream = {
  description: 'Events of a match',
  content: {
    'application/json': { schema: Type.Ref('History') },
    'text/event-stream': { schema: Type.String({ description: 'The data of each message is a MatchEvent.' }) },
  },
};
const aMatch = { 200: Type.Ref('Match') };

export const restMatches: FastifyPluginAsyncTypebox<RestOptions> = async (
  app,
  { services, connections, subscriptions },
) => {
  const { matches } = services;
  const { matchJson, matchesJson, receiptJson } = answersOf(services.players);

  app.post(
    '/matches',
    {
      schema: {
        tags,
        summary: 'Open a match; it starts by itself when its last seat is taken',
        security,
        body: schemas.CreateBody,
        response: { 201: Type.Ref('Match') },
      },
    },
    async (request, reply) => {
      const match = await matches.create(playerOf(request), request.body);
      return reply
        .code(201)
        .header('location', `/v1/matches/${match.id}`)
        .send(await matchJson(match, callerOf(request)));
    },
  );

  app.get(
    '/matches',
    {
      schema: {
        tags,
        summary: 'Public matches, and private ones of the caller, newest first',
        querystring: schemas.ListQuery,
        response: { 200: Type.Ref('MatchPage') },
      },
    },
    async (request) => {
      const { matches: found, more } = await matches.list(callerOf(request), request.query);
      const endCursor = found.at(-1)?.id ?? null;
      return { matches: await matchesJson(found, callerOf(request)), pageInfo: { hasNextPage: more, endCursor } };
    },
  );

  app.get(
    '/matches/:id',
    { schema: { tags, summary: 'One match', params, querystring: schemas.InviteQuery, response: aMatch } },
    async (request) => {
      const caller = callerOf(request);
      return matchJson(await matches.see(caller, request.params.id, request.query.invite), caller);
    },
  );

  app.post(
    '/matches/:id/seats',
    { schema: { tags, summary: 'Take a seat', security, params, body: schemas.JoinBody, response: aMatch } },
    async (request) => {
      const match = await matches.join(playerOf(request), request.params.id, request.body);
      return matchJson(match, callerOf(request));
    },
  );

  app.delete(
    '/matches/:id/seats',
    { schema: { tags, summary: 'Give the seat back, before the start only', security, params, response: aMatch } },
    async (request) => matchJson(await matches.leave(playerOf(request), request.params.id), callerOf(request)),
  );

  app.get(
    '/matches/:id/view',
    {
      schema: {
        tags,
        summary: "What the caller's seat (or a spectator) may know, now or at an earlier version",
        params,
        querystring: schemas.LookQuery,
        response: { 200: Type.Ref('View') },
      },
    },
    async (request) => {
      const { at, seat, invite } = request.query;
      const match = await matches.see(callerOf(request), request.params.id, invite);
      const view = present.view(match, callerOf(request), { at, seat });
      return { version: at ?? match.version, seat: seat ?? present.mySeat(match, callerOf(request)), view };
    },
  );

  app.get(
    '/matches/:id/board.svg',
    {
      schema: {
        tags,
        summary: 'The same as a picture',
        params,
        querystring: schemas.LookQuery,
        produces: ['image/svg+xml'],
        response: { 200: Type.String({ description: 'An SVG document' }) },
      },
    },
    async (request, reply) => {
      const { at, seat, invite } = request.query;
      const match = await matches.see(callerOf(request), request.params.id, invite);
      const svg = present.board(match, callerOf(request), { at, seat });
      if (svg === null) throw new AtollError('MATCH_NOT_ACTIVE', 'There is no picture before the start');
      return reply
        .type('image/svg+xml; charset=utf-8')
        .serializer((text: string) => text)
        .send(svg);
    },
  );

  app.get(
    '/matches/:id/legal-actions',
    {
      schema: {
        tags,
        summary: "Every action that the caller's seat may take now; none for spectators",
        params,
        querystring: schemas.InviteQuery,
        response: { 200: Type.Ref('LegalActions') },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const match = await matches.see(caller, request.params.id, request.query.invite);
      const seat = present.mySeat(match, caller);
      return { version: match.version, seat, legalActions: present.legalActions(match, caller) };
    },
  );

  app.post(
    '/matches/:id/actions',
    {
      schema: {
        tags,
        summary: 'Take a legal action; with an actionId or Idempotency-Key it happens at most once',
        security,
        params,
        headers: Type.Object({ 'idempotency-key': Type.Optional(Type.String()) }),
        body: schemas.ActionBody,
        response: { 200: Type.Ref('Receipt') },
      },
    },
    async (request) => {
      const { action, expectedVersion, actionId } = request.body;
      const key = request.headers['idempotency-key'];
      if (actionId && key && actionId !== key) {
        throw new AtollError('BAD_INPUT', 'actionId and Idempotency-Key differ: send one of them');
      }
      const submission = { matchId: request.params.id, action, expectedVersion, actionId: actionId ?? key };
      return receiptJson(await matches.submit(playerOf(request), submission), callerOf(request));
    },
  );

  app.get(
    '/matches/:id/events',
    {
      schema: {
        tags,
        summary: 'The history as the caller may know it now',
        description:
          'With `Accept: text/event-stream` everything after that version and then what happens, live, without gap or ' +
          'repeat; the id of each message is its version, so that a reader resumes by `Last-Event-ID`. The stream ends ' +
          'with a message of the type `end` when the match is over, after which it answers 204; it ends without one when ' +
          'the match may no longer be seen, after which it answers 404.',
        params,
        querystring: schemas.EventsQuery,
        response: { 200: historyOrStream, 204: Type.Null({ description: 'The stream is over, for good.' }) },
      },
    },
    async (request, reply) => {
      const { after, first, invite } = request.query;
      const caller = callerOf(request);
      if (wantsStream(request)) return stream(request, reply, caller, after ?? 0, invite ?? null);
      const match = await matches.see(caller, request.params.id, invite);
      return { version: match.version, events: present.history(match, caller, after, first).map(eventJson) };
    },
  );

  async function stream(
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
    caller: Caller,
    after: number,
    invite: string | null,
  ) {
    const { id } = request.params;
    const from = lastEventId(request) ?? after;
    const match = await matches.see(caller, id, invite);
    // What makes an EventSource stop asking again.
    if (match.endedAt && from === match.version) return reply.code(204).send();
    const events = await matches.events(caller, id, from, invite);
    const release = subscriptions.take(caller?.id ?? addressKey(request.ip));
    if (!release)
      throw new AtollError('RATE_LIMITED', 'Too many streams are open: close one first', { retryAfter: 10 });
    return sendEventStream(reply, connections, {
      items: whenDone(events, release),
      encode: ({ event, match: current }) =>
        `id: ${event.version}\ndata: ${JSON.stringify(eventJson(present.seenEvent(current, event, caller)))}\n\n`,
      complete: 'event: end\ndata: {}\n\n',
    });
  }
};

const wantsStream = ({ headers }: FastifyRequest): boolean =>
  negotiate(headers.accept, ['application/json', 'text/event-stream']) === 'text/event-stream';

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers['last-event-id'];
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw new AtollError('BAD_INPUT', 'Last-Event-ID is the version of the last event seen');
}
