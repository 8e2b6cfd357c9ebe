/** The schemas of events: the history of a match, receipts, and the inputs of commands. */
import { Type } from 'typebox';
import { EVENT_TYPES } from '../../../matches/log/records.ts';
import { Include } from '../matches/include.ts';
import { Invite } from './matches.ts';
import { closed, Instant, nullable } from './shared.ts';
import { TicketParam } from './tickets.ts';

export const Effect = Type.Object(
  {
    type: Type.String(),
    data: Type.Unknown({ description: "The effect itself, which fits the game's effectSchema." }),
    text: Type.String({ description: 'One readable sentence.' }),
  },
  { $id: 'Effect', description: 'Something that followed from an action without a decision of its own.' },
);
export const MatchEvent = Type.Object(
  {
    version: Type.Integer(),
    type: Type.Enum(EVENT_TYPES),
    seat: nullable(Type.Integer()),
    action: Type.Unknown({ description: 'Null if the caller may not know it yet.' }),
    label: nullable(Type.String()),
    targets: nullable(
      Type.Array(Type.String()),
      'What on the table an action was about. Null if `action` is null, for other events, and where it was not ' +
        'recorded.',
    ),
    effects: nullable(
      Type.Array(Type.Ref('Effect')),
      'What followed from an action by itself, in the order in which it happened. Null if `targets` is null.',
    ),
    acting: Type.Array(Type.Integer(), { description: 'The seats that may act after it.' }),
    undone: Type.Boolean({ description: 'Whether it has been taken back since.' }),
    at: Instant,
    hash: Type.String({ description: 'A hash chained over the event before it.' }),
    matchThen: Type.Optional(Type.Ref('MatchState')),
  },
  { $id: 'MatchEvent', description: "One row of a match's log." },
);
export const Receipt = Type.Object(
  { version: Type.Integer(), event: Type.Ref('MatchEvent'), match: Type.Ref('Match') },
  { $id: 'Receipt', description: 'What was done, and the match after it.' },
);
export const History = Type.Object(
  {
    version: Type.Integer({ description: 'The current version of the match.' }),
    events: Type.Array(Type.Ref('MatchEvent')),
  },
  { $id: 'History', description: 'Events of a match.' },
);

export const ActionBody = Type.Object(
  {
    action: Type.Unknown({ description: 'Copied from the list of legal actions.' }),
    expectedVersion: Type.Optional(nullable(Type.Integer(), 'The version on which the caller decided.')),
    actionId: Type.Optional(
      nullable(Type.String(), 'Makes it safe to send the action again. Idempotency-Key does the same.'),
    ),
  },
  { ...closed, required: ['action'] },
);
export const ActionHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ description: 'The same as actionId.' })),
});
export const OrderBody = Type.Object(
  { order: Type.Unknown({ description: "Fits the game's ordersSchema; null withdraws it." }) },
  { ...closed, required: ['order'] },
);
export const UndoBody = Type.Object({ expectedVersion: Type.Integer() }, closed);
export const ForkBody = Type.Object(
  { at: Type.Integer({ minimum: 0, description: 'The version to continue from.' }), invite: Invite },
  closed,
);
export const ExportQuery = Type.Object(
  {
    names: Type.Optional(
      Type.Boolean({ description: "Whether to show the players' names instead of numbers (false)." }),
    ),
    invite: Invite,
  },
  closed,
);
export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ description: 'For a stream: the version of the last event seen. The stream continues after it.' }),
  ),
});
export const EventsQuery = Type.Object(
  {
    include: Include,
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events after this version (0).' })),
    first: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: 'The maximum number (100); not for a stream.' }),
    ),
    invite: Invite,
    ticket: TicketParam,
  },
  closed,
);

export const components = [Effect, MatchEvent, Receipt, History];
