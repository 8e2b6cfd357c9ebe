/** What a URL can carry instead of a token: /v1/tickets. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Ticket } from '../../../players/tokens/tickets.ts';
import { playerOf } from '../../http/callers/identity.ts';
import { a, created, routesOf, type ServiceOptions } from '../route.ts';
import { TicketBody } from '../schemas/tickets.ts';

const { withToken } = routesOf('streams');

export const restTickets: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services: { tickets } }) => {
  app.post(
    '/tickets',
    withToken({
      operationId: 'createTicket',
      summary: 'A ticket for what cannot send headers: EventSource and <img>',
      description:
        'Sent as `?ticket=` to the one route it is for, it counts as the token it was made with; anywhere else it is ' +
        'refused with `UNAUTHENTICATED`. One for a stream is good for 60 seconds, in which the stream has to begin; ' +
        'the stream then goes on while the token is good. One for pictures is good for 10 minutes, as often as needed.',
      body: TicketBody,
      response: a('Ticket', 201),
    }),
    async (request, reply) => {
      const ticket = tickets.create(playerOf(request), request.body);
      return created(reply, placeOf(ticket), ticket);
    },
  );
};

/** Where it can be used. */
function placeOf({ purpose, matchId }: Ticket): string {
  if (purpose === 'TURNS') return '/v1/turns';
  if (purpose === 'LOBBY') return '/v1/matches';
  return `/v1/matches/${matchId}/${purpose === 'EVENTS' ? 'events' : 'board.svg'}`;
}
