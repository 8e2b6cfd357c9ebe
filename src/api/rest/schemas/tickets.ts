/** The shapes of tickets. */
import { Type } from 'typebox';
import { TICKET_PURPOSES } from '../../../players/tokens/tickets.ts';
import { closed, Id, Instant, nullable } from './shared.ts';

const Purpose = Type.Enum([...TICKET_PURPOSES], {
  description:
    'EVENTS: the stream of one match. PICTURES: board.svg and board.png of one match. TURNS: the stream of turns. ' +
    'LOBBY: the stream of open tables.',
});
export const Ticket = Type.Object(
  {
    ticket: Type.String({ description: 'To be sent as `?ticket=`.' }),
    purpose: Purpose,
    matchId: nullable(Id, 'The match of EVENTS and PICTURES.'),
    expiresAt: { ...Instant, description: 'Until when it can be used. A stream that has begun by then goes on.' },
  },
  { $id: 'Ticket', description: 'What a URL can carry instead of a token.' },
);
export const TicketBody = Type.Object(
  {
    purpose: Purpose,
    matchId: Type.Optional(nullable(Id, 'For EVENTS and PICTURES, and only for them: the match.')),
  },
  closed,
);
/** For routes at which a ticket counts. */
export const TicketParam = Type.Optional(
  Type.String({ maxLength: 1000, description: 'A ticket for this, of `createTicket`, where no header can be sent.' }),
);

export const components = [Ticket];
