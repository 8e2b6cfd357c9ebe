/** The table as a picture: /v1/matches/:id/board.svg and board.png. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { refusals } from '../../../errors.ts';
import { callerOf } from '../../http/callers/identity.ts';
import * as present from '../../present.ts';
import { paidWork, routesOf, type ServiceOptions, sendText } from '../route.ts';
import { BoardQuery } from '../schemas/look.ts';
import { MatchParams } from '../schemas/matches.ts';
import { keepLook, priceOf } from './look.ts';

const { open } = routesOf('matches');
const SVG_COST = 100;
/** Another thread draws it, but it still costs the machine. */
const PNG_COST = 500;

type BoardRequest = FastifyRequest<{ Params: { id: string }; Querystring: Static<typeof BoardQuery> }>;

export const restPictures: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { matches, players, pictures } = services;
  const common = { refuses: ['NOT_FOUND', 'MATCH_NOT_ACTIVE'], params: MatchParams, querystring: BoardQuery } as const;

  async function board(request: BoardRequest, reply: FastifyReply, units: number): Promise<string> {
    const { at, seat, width, invite } = request.query;
    const caller = callerOf(request);
    const match = await matches.see(caller, request.params.id, invite);
    const look = { at, seat, width: width === 'narrow' ? 'NARROW' : 'WIDE' } as const;
    const drawing = { namesOf: players.namesOf, work: paidWork(services, request, priceOf(units, at)) };
    const svg = await present.board(match, caller, look, drawing);
    if (svg === null) throw refusals.noPicture();
    keepLook(reply, match, caller, { at, invite, named: true });
    return svg;
  }

  app.get(
    '/matches/:id/board.svg',
    open({
      operationId: 'getBoardSvg',
      ticket: 'PICTURES',
      cached: true,
      summary: 'The table as a picture',
      description: 'Elements that actions can be about carry the attribute data-target.',
      ...common,
      produces: ['image/svg+xml'],
      response: { 200: Type.String({ description: 'An SVG document' }) },
    }),
    async (request, reply) => sendText(reply, 'image/svg+xml', await board(request, reply, SVG_COST)),
  );

  app.get(
    '/matches/:id/board.png',
    open({
      operationId: 'getBoardPng',
      ticket: 'PICTURES',
      cached: true,
      summary: 'The same picture in a format that every program can show',
      ...common,
      produces: ['image/png'],
      response: { 200: Type.Unknown({ description: 'A PNG file, 1200 pixels wide' }) },
    }),
    async (request, reply) => reply.type('image/png').send(await pictures.png(await board(request, reply, PNG_COST))),
  );
};
