/** Tickets, which stand in for tokens in URLs: /v1/tickets. */
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
      summary: 'Make a ticket for clients that cannot send headers, such as EventSource and <img>',
      description:
        'Sent as `?ticket=` to the one route it is for, it counts as the token it was made with. Anywhere else it ' +
        'is refused with `UNAUTHENTICATED`. A ticket for a stream is valid for 60 seconds, within which the stream ' +
        'must begin; the stream then continues while the token is valid. A ticket for pictures is valid for 10 ' +
        'minutes, any number of times.',
      body: TicketBody,
      response: a('Ticket', 201),
    }),
    async (request, reply) => {
      const ticket = tickets.create(playerOf(request), request.body);
      return created(reply, placeOf(ticket), ticket);
    },
  );
};

/** The path at which it can be used. */
function placeOf({ purpose, matchId }: Ticket): string {
  if (purpose === 'TURNS') return '/v1/turns';
  if (purpose === 'LOBBY') return '/v1/matches';
  return `/v1/matches/${matchId}/${purpose === 'EVENTS' ? 'events' : 'board.svg'}`;
}
