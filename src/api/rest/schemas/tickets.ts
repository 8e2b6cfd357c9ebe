/** The schemas of tickets. */
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
    ticket: Type.String({ description: 'Send it as `?ticket=`.' }),
    purpose: Purpose,
    matchId: nullable(Id, 'The match, for EVENTS and PICTURES.'),
    expiresAt: { ...Instant, description: 'Until when it can be used. A stream that has begun by then continues.' },
  },
  { $id: 'Ticket', description: 'Stands in for a token in a URL.' },
);
export const TicketBody = Type.Object(
  {
    purpose: Purpose,
    matchId: Type.Optional(nullable(Id, 'The match; required for EVENTS and PICTURES, and not allowed otherwise.')),
  },
  closed,
);
/** For routes that accept a ticket. */
export const TicketParam = Type.Optional(
  Type.String({ maxLength: 1000, description: 'A ticket from `createTicket`, where no header can be sent.' }),
);

export const components = [Ticket];
