/** Looking at the table and acting: /v1/matches/:id/view, board.svg, board.png, legal-actions, actions. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { refusals } from '../../errors.ts';
import { callerOf, playerOf } from '../http/identity.ts';
import type { Work } from '../http/work.ts';
import * as present from '../present.ts';
import { answersOf } from './answers.ts';
import { type RestOptions, routesOf } from './route.ts';
import * as schemas from './schemas.ts';

const { open, withToken } = routesOf('matches');
const params = schemas.MatchParams;
/** It is drawn by another thread, but not for nothing. */
const PNG_COST = 500;
/** What an earlier version adds to the price of a look. */
const REPLAY_COST = 100;

export const restPlay: FastifyPluginAsyncTypebox<Pick<RestOptions, 'services'>> = async (app, { services }) => {
  const { matches, players } = services;
  const { receiptJson } = answersOf(players);

  /** The work of a request, paid for; `at`: the earlier version that it asks for. */
  function paid(request: FastifyRequest, units: number, at?: number): Work {
    const work = services.limits.work(request.viewer, request);
    work.pay(units + (at === undefined ? 0 : REPLAY_COST));
    return work;
  }
  const drawing = (request: FastifyRequest, units: number, at?: number): present.Drawing => ({
    namesOf: players.namesOf,
    work: paid(request, units, at),
  });

  app.get(
    '/matches/:id/view',
    open({
      summary: "What the caller's seat (or a spectator) may know, now or at an earlier version",
      params,
      querystring: schemas.LookQuery,
      response: { 200: Type.Ref('View') },
    }),
    async (request) => {
      const { at, seat, invite } = request.query;
      const match = await matches.see(callerOf(request), request.params.id, invite);
      const view = await present.view(match, callerOf(request), { at, seat }, paid(request, 20, at));
      return { version: at ?? match.version, seat: seat ?? present.mySeat(match, callerOf(request)), view };
    },
  );

  app.get(
    '/matches/:id/board.svg',
    open({
      summary: 'The same as a picture',
      description: 'Things that actions can be about carry the attribute data-target.',
      params,
      querystring: schemas.BoardQuery,
      produces: ['image/svg+xml'],
      response: { 200: Type.String({ description: 'An SVG document' }) },
    }),
    async (request, reply) => {
      const { at, seat, width, invite } = request.query;
      const match = await matches.see(callerOf(request), request.params.id, invite);
      const look = { at, seat, width: width === 'narrow' ? 'NARROW' : 'WIDE' } as const;
      const svg = await present.board(match, callerOf(request), look, drawing(request, 100, at));
      if (svg === null) throw refusals.noPicture();
      return reply
        .type('image/svg+xml; charset=utf-8')
        .serializer((text: string) => text)
        .send(svg);
    },
  );

  app.get(
    '/matches/:id/board.png',
    open({
      summary: 'The same as a picture that every program can show',
      params,
      querystring: schemas.BoardQuery,
      produces: ['image/png'],
      response: { 200: Type.Unknown({ description: 'A PNG file, 1200 pixels wide' }) },
    }),
    async (request, reply) => {
      const { at, seat, width, invite } = request.query;
      const match = await matches.see(callerOf(request), request.params.id, invite);
      const look = { at, seat, width: width === 'narrow' ? 'NARROW' : 'WIDE' } as const;
      const svg = await present.board(match, callerOf(request), look, drawing(request, PNG_COST, at));
      if (svg === null) throw refusals.noPicture();
      return reply.type('image/png').send(await services.pictures.png(svg));
    },
  );

  app.get(
    '/matches/:id/description',
    open({
      summary: 'The same in sentences, for screen readers, chat bots and language models',
      params,
      querystring: schemas.LookQuery,
      response: { 200: Type.Ref('Description') },
    }),
    async (request) => {
      const { at, seat, invite } = request.query;
      const caller = callerOf(request);
      const match = await matches.see(caller, request.params.id, invite);
      const description = await present.description(match, caller, { at, seat }, drawing(request, 50, at));
      return { version: at ?? match.version, seat: seat ?? present.mySeat(match, caller), description };
    },
  );

  app.get(
    '/matches/:id/legal-actions',
    open({
      summary: "Every action that the caller's seat may take now; none for spectators",
      params,
      querystring: schemas.InviteQuery,
      response: { 200: Type.Ref('LegalActions') },
    }),
    async (request) => {
      const caller = callerOf(request);
      const match = await matches.see(caller, request.params.id, request.query.invite);
      const seat = present.mySeat(match, caller);
      const legalActions = await present.legalActions(match, caller, paid(request, 50));
      return { version: match.version, seat, legalActions };
    },
  );

  app.post(
    '/matches/:id/actions',
    withToken({
      summary: 'Take a legal action; with an actionId or Idempotency-Key it happens at most once',
      params,
      headers: Type.Object({ 'idempotency-key': Type.Optional(Type.String()) }),
      body: schemas.ActionBody,
      response: { 200: Type.Ref('Receipt') },
    }),
    async (request) => {
      const { action, expectedVersion, actionId } = request.body;
      const key = request.headers['idempotency-key'];
      if (actionId && key && actionId !== key) {
        throw refusals.twoActionIds();
      }
      const submission = { matchId: request.params.id, action, expectedVersion, actionId: actionId ?? key };
      return receiptJson(await matches.submit(playerOf(request), submission), callerOf(request));
    },
  );
};
