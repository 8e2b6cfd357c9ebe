/** What concerns the caller in all their matches: turns, and an export of all of them. */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AtollError, refusals } from '../../errors.ts';
import { writing } from '../../matches/proof/document.ts';
import type { Viewer } from '../../players/player.ts';
import type { Services } from '../../services.ts';
import { inSlices } from '../../turns.ts';
import { formOf } from '../http/answers/event-stream.ts';
import { playerOf } from '../http/callers/identity.ts';
import { cap } from '../http/limits/admission.ts';
import { namesOf } from '../names.ts';
import * as present from '../present.ts';
import { answersOf } from './answers.ts';
import { inPieces } from './pieces.ts';
import { type RestOptions, routesOf } from './route.ts';
import { TurnsQuery } from './schemas/streams.ts';
import { pageOrStream, sendStream } from './streaming.ts';

const { withToken } = routesOf('streams');
/** The cost of a turn, for which the match is looked up. */
const TURN_COST = 10;
const PAGE = 100;
/** How many exports of all matches one player may have under way. */
const MAX_EXPORTS = 2;

export const restTurns: FastifyPluginAsyncTypebox<RestOptions> = async (app, options) => {
  const { matches, players } = options.services;
  const answer = answersOf(players);
  const exporting = cap(MAX_EXPORTS);

  app.get(
    '/turns',
    withToken({
      operationId: 'listTurns',
      ticket: 'TURNS',
      summary: "The caller's turns, now or as a stream",
      description:
        'As a stream (`Accept: text/event-stream` or `application/x-ndjson`): first every match in which the ' +
        'caller may act, then each turn gained or lost. As JSON, at most the 100 newest.',
      querystring: TurnsQuery,
      response: pageOrStream('Turns', 'Turn'),
    }),
    async (request, reply) => {
      const player = playerOf(request);
      const form = formOf(request);
      if (form) {
        return sendStream(options, request, reply, {
          form,
          items: matches.turns(player),
          units: TURN_COST,
          message: async ({ match, acting }) => ({
            data: { acting, match: await answer.match(request, Promise.resolve(match)) },
          }),
        });
      }
      const { matches: found } = await matches.list(player, { myTurn: true, first: PAGE });
      return { turns: (await answer.matches(request, found)).map((match) => ({ acting: true, match })) };
    },
  );

  app.get(
    '/me/matches/export',
    withToken({
      operationId: 'exportMyMatches',
      summary: 'Export all matches in which the caller has a seat, newest first, one document per line',
      description:
        "Each line is what `exportMatch` answers for that match. The export takes as long as the caller's budget " +
        "allows, and counts as one of the caller's streams. At most two can be under way.",
      response: {
        200: {
          description: 'The matches',
          content: { 'application/x-ndjson': { schema: Type.String({ description: 'Each line is a document.' }) } },
        },
      },
    }),
    async (request, reply) => {
      const player = playerOf(request);
      const ended = exporting.take(player.id);
      if (!ended) throw refusals.tooManyStreams({ retryAfter: 10 });
      if (reply.raw.destroyed) ended();
      else reply.raw.once('close', ended);
      const release = await options.subscriptions.taken(player.id);
      if (!release) throw refusals.tooManyStreams({ retryAfter: 10 });
      if (reply.raw.destroyed) release();
      else reply.raw.once('close', release);
      reply.header('content-disposition', 'attachment; filename="atoll-matches.ndjson"');
      const lines = Readable.from(documents(options.services, request, player), { objectMode: false });
      return reply.type('application/x-ndjson; charset=utf-8').send(lines as never);
    },
  );
};

async function* documents(services: Services, request: FastifyRequest, player: Viewer): AsyncGenerator<Buffer> {
  const { matches, players, limits } = services;
  for (let after: string | undefined; ; ) {
    const { matches: page, more } = await matches.list(player, { mine: true, first: PAGE, after: after ?? null });
    for (const { id } of page) {
      const work = limits.work(request.viewer, request);
      for (let left = work.debtMs(); left > 0; left = work.debtMs()) await sleep(left);
      try {
        const match = await matches.see(player, id);
        const document = await present.exported(match, player, await namesOf(players, match, false), work);
        yield* inPieces(Buffer.from(await inSlices(writing(document), work.who))); // the text ends with a line break
      } catch (error) {
        if (!(error instanceof AtollError)) throw error; // skips a match whose rules only a newer server has
      }
    }
    after = page.at(-1)?.id;
    if (!more) return;
  }
}
