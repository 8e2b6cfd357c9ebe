/** The history of a match, as JSON and as a live event stream: /v1/matches/:id/events. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AtollError, refusals } from '../../../errors.ts';
import type { Caller } from '../../../matches/commands/access.ts';
import { addressKey } from '../../http/admission.ts';
import { whenDone } from '../../http/connections.ts';
import { sendEventStream } from '../../http/event-stream.ts';
import { callerOf } from '../../http/identity.ts';
import { negotiate } from '../../http/negotiate.ts';
import { paidFor } from '../../http/work.ts';
import * as present from '../../present.ts';
import { eventJson } from '../answers.ts';
import { type RestOptions, routesOf } from '../route.ts';
import { EventsQuery } from '../schemas/events.ts';
import { MatchParams } from '../schemas/matches.ts';
import { keepLook } from './look.ts';

const { open } = routesOf('matches');
/** What an event costs in a history or a stream. */
const EVENT_COST = 2;
const historyOrStream = {
  description: 'Events of a match',
  content: {
    'application/json': { schema: Type.Ref('History') },
    'text/event-stream': { schema: Type.String({ description: 'The data of each message is a MatchEvent.' }) },
  },
};

export const restEvents: FastifyPluginAsyncTypebox<RestOptions> = async (app, options) => {
  const { matches } = options.services;

  app.get(
    '/matches/:id/events',
    open({
      operationId: 'listEvents',
      cached: true,
      summary: 'The history as the caller may know it now',
      description:
        'With `Accept: text/event-stream` everything after that version and then what happens, live, without gap or ' +
        'repeat; the id of each message is its version, so that a reader resumes by `Last-Event-ID`. The stream ends ' +
        'with a message of the type `end` when the match is over, after which it answers 204; it ends without one when ' +
        'the match may no longer be seen, after which it answers 404. It ends with a message of the type `cut` when the ' +
        'database has lost the latest events of the match (after a failover): its data is `{ "version": … }`, what is ' +
        'left, and its id is 0, so that a reader that resumes gets the whole history anew.',
      refuses: ['NOT_FOUND', 'HISTORY_CUT'],
      params: MatchParams,
      querystring: EventsQuery,
      response: { 200: historyOrStream, 204: Type.Null({ description: 'The stream is over, for good.' }) },
    }),
    async (request, reply) => {
      const { after, first, invite } = request.query;
      const caller = callerOf(request);
      if (wantsStream(request)) return stream(options, request, reply, caller, after ?? 0, invite ?? null);
      const match = await matches.see(caller, request.params.id, invite);
      const work = options.services.limits.work(request.viewer, request);
      work.pay((first ?? 100) * EVENT_COST);
      const events = present.history(match, caller, work, after, first);
      work.giveBack(Math.max(0, (first ?? 100) - events.length) * EVENT_COST);
      keepLook(reply, match, caller, { invite });
      return { version: match.version, events: events.map(eventJson) };
    },
  );
};

async function stream(
  { services: { matches, limits }, connections, subscriptions }: RestOptions,
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
  if (!release) throw refusals.tooManyStreams({ retryAfter: 10 });
  return sendEventStream(reply, connections, {
    items: whenDone(paidFor(events, limits.work(request.viewer, request), EVENT_COST), release),
    encode: ({ event, match: current }) =>
      `id: ${event.version}\ndata: ${JSON.stringify(eventJson(present.seenEvent(current, event, caller)))}\n\n`,
    complete: 'event: end\ndata: {}\n\n',
    failed: (error) =>
      error instanceof AtollError && error.code === 'HISTORY_CUT'
        ? `event: cut\nid: 0\ndata: ${JSON.stringify(error.details)}\n\n`
        : '',
  });
}

const wantsStream = ({ headers }: FastifyRequest): boolean =>
  negotiate(headers.accept, ['application/json', 'text/event-stream']) === 'text/event-stream';

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers['last-event-id'];
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw refusals.badLastEventId();
}
