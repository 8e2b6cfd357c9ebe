/** The history of a match, as JSON and as a live stream: /v1/matches/:id/events. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { AtollError, refusals } from '../../../errors.ts';
import type { Services } from '../../../services.ts';
import { type Form, formOf } from '../../http/answers/event-stream.ts';
import { callerOf } from '../../http/callers/identity.ts';
import * as present from '../../present.ts';
import { stateAt } from '../../states.ts';
import { eventJson } from '../answers.ts';
import { sendJson, writtenWith } from '../pieces.ts';
import { paidWork, type RestOptions, routesOf } from '../route.ts';
import { EventsHeaders, EventsQuery } from '../schemas/events.ts';
import { MatchParams } from '../schemas/matches.ts';
import { pageOrStream, sendStream } from '../streaming.ts';
import { isNamed, type Part, partsOf, priceOfParts, stateJson } from './include.ts';
import { keepLook } from './look.ts';

const { open } = routesOf('matches');
/** The cost of an event in a history or a stream. */
const EVENT_COST = 2;
/** About how many characters a view or a list of actions takes. A board is longer, and is counted when it is drawn. */
const THEN_LENGTH = 8000;

export const restEvents: FastifyPluginAsyncTypebox<RestOptions> = async (app, options) => {
  const { matches } = options.services;

  app.get(
    '/matches/:id/events',
    open({
      operationId: 'listEvents',
      ticket: 'EVENTS',
      cached: true,
      summary: 'The history as the caller may know it now',
      description:
        'As a stream (`Accept: text/event-stream` or `application/x-ndjson`): everything after that version and ' +
        'then live events, without gap or repeat. The id of each message is its version, so that a reader can ' +
        'resume with `Last-Event-ID`. The stream ends with a message of the type `end` when the match is over, ' +
        'after which the route answers 204. It ends without one when the caller may no longer see the match, after ' +
        'which the route answers 404. It ends with a message of the type `cut` when the database has lost the ' +
        'latest events of the match (after a failover). The data is then `{ "version": … }`, naming what is left, ' +
        'and the id is 0, so that a reader who resumes gets the whole history again.',
      refuses: ['NOT_FOUND', 'HISTORY_CUT'],
      params: MatchParams,
      headers: EventsHeaders,
      querystring: EventsQuery,
      response: {
        ...pageOrStream('History', 'MatchEvent'),
        204: Type.Null({ description: 'The stream is over for good.' }),
      },
    }),
    async (request, reply) => {
      const { after, first = 100, invite, include } = request.query;
      const form = formOf(request);
      if (form) return stream(options, request, reply, form);
      const caller = callerOf(request);
      const parts = partsOf(include);
      const price = EVENT_COST + priceOfParts(parts);
      const match = await matches.see(caller, request.params.id, invite);
      const work = paidWork(options.services, request, first * price);
      const events = present.history(match, caller, work, after, first);
      work.giveBack(Math.max(0, first - events.length) * price);
      const shown = async function* () {
        for (const event of events) {
          if (parts.length > 0) work.answer(THEN_LENGTH * parts.length);
          yield withThen(options.services, request, event, parts);
        }
      };
      const bytes = await writtenWith({ version: match.version }, 'events', shown(), work);
      keepLook(reply, match, caller, { invite, named: isNamed(parts) });
      return sendJson(reply, bytes);
    },
  );
};

type EventsRequest = FastifyRequest<{ Params: { id: string }; Querystring: Static<typeof EventsQuery> }>;

async function stream(options: RestOptions, request: EventsRequest, reply: FastifyReply, form: Form) {
  const { services } = options;
  const { after = 0, invite = null, include } = request.query;
  const { id } = request.params;
  const caller = callerOf(request);
  const parts = partsOf(include);
  const from = lastEventId(request) ?? after;
  const match = await services.matches.see(caller, id, invite);
  // This makes an EventSource stop reconnecting.
  if (match.endedAt && from === match.version) return reply.code(204).send();
  const events = await services.matches.events(caller, id, from, invite);
  return sendStream(options, request, reply, {
    form,
    items: events,
    units: EVENT_COST + priceOfParts(parts),
    message: async ({ event, match: current }) => ({
      id: event.version,
      data: await withThen(services, request, present.seenEvent(current, event, caller), parts),
    }),
    complete: { event: 'end', data: {} },
    failed: (error) =>
      error instanceof AtollError && error.code === 'HISTORY_CUT' ? { event: 'cut', id: 0, data: error.details } : null,
  });
}

/** An event and, where requested, the table as it stood after it. */
async function withThen(
  { limits, players }: Services,
  request: EventsRequest,
  event: present.SeenEvent,
  parts: Part[],
) {
  const json = eventJson(event);
  if (parts.length === 0) return json;
  // Counted separately, because a stream has no maximum length.
  const drawing = { namesOf: players.namesOf, work: limits.work(request.viewer, request) };
  return {
    ...json,
    matchThen: await stateJson(stateAt(event.match, event.version), callerOf(request), { parts }, drawing),
  };
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const text = headers['last-event-id'];
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw refusals.badLastEventId();
}
