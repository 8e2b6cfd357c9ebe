/** The routes of matches, under /v1/matches. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AtollError } from '../errors.ts';
import type { Caller } from '../matches/commands.ts';
import { textOf } from '../matches/document.ts';
import type { Match, Summary } from '../matches/match.ts';
import type { Receipt } from '../matches/service.ts';
import { addressKey } from './admission.ts';
import { sendEventStream } from './event-stream.ts';
import { cancellable, whenDone } from './live.ts';
import * as present from './present.ts';
import { namesOf, playerOf } from './resolvers.ts';
import type { RestOptions } from './rest.ts';
import * as schemas from './rest-schemas.ts';
import { security } from './rest-schemas.ts';

const callerOf = ({ viewer }: FastifyRequest): Caller => viewer ?? null;
function eventJson(event: present.SeenEvent) {
  const { match: _match, ...rest } = event;
  return { ...rest, undone: present.isUndone(event) };
}
/** A long match of five seats takes about 300 KB. */
const MAX_IMPORT_BYTES = 8 * 1024 * 1024;

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

export const restMatches: FastifyPluginAsyncTypebox<RestOptions> = async (app, { services, live, subscriptions }) => {
  const { matches, players } = services;

  async function matchesJson(found: readonly Summary[], caller: Caller) {
    const ids = [...new Set(found.flatMap(({ seats }) => seats.filter((id) => id !== null)))];
    const byId = new Map((await players.byIds(ids)).map((player) => [player?.id, player]));
    return found.map((match) => present.matchJson(match, caller, (id) => byId.get(id) ?? null));
  }
  const matchJson = async (match: Match, caller: Caller) => (await matchesJson([match], caller))[0];

  async function receiptJson(receipt: Receipt, caller: Caller) {
    const { version, event, match } = present.receipt(receipt, caller);
    return { version, event: eventJson(event), match: await matchJson(match, caller) };
  }

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
          'with a message of the type `end` when the match is over, after which it answers 204.',
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
      schema: {
        tags,
        summary: 'Take over an ended match of another server, once it is proven',
        description: 'A document that was changed is refused with the first version that is wrong.',
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
    if (from > match.version) {
      throw new AtollError('BAD_INPUT', `after is a version of this match, 0 to ${match.version}`, {
        version: match.version,
      });
    }
    // What makes an EventSource stop asking again.
    if (match.endedAt && from === match.version) return reply.code(204).send();
    const release = subscriptions.take(caller?.id ?? addressKey(request.ip));
    if (!release)
      throw new AtollError('RATE_LIMITED', 'Too many streams are open: close one first', { retryAfter: 10 });
    const events = cancellable(async function* (signal) {
      yield* await matches.events(caller, id, from, invite, signal);
    });
    return sendEventStream(reply, live, {
      items: whenDone(events, release),
      encode: ({ event, match: current }) =>
        `id: ${event.version}\ndata: ${JSON.stringify(eventJson(present.seenEvent(current, event, caller)))}\n\n`,
      complete: 'event: end\ndata: {}\n\n',
    });
  }
};

const wantsStream = ({ headers }: FastifyRequest): boolean => /\btext\/event-stream\b/i.test(headers.accept ?? '');

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers['last-event-id'];
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw new AtollError('BAD_INPUT', 'Last-Event-ID is the version of the last event seen');
}
