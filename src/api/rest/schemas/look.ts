/** The schemas of what can be seen of a table: views, pictures, sentences and legal actions. */
import { Type } from 'typebox';
import { Invite } from './matches.ts';
import { Anything, closed, nullable } from './shared.ts';
import { TicketParam } from './tickets.ts';

export const ViewAnswer = Type.Object(
  {
    version: Type.Integer({ description: 'The version that is shown.' }),
    seat: nullable(Type.Integer(), 'The seat whose knowledge is shown; null for a spectator.'),
    view: Type.Unknown({ description: "Fits the game's viewSchema; null before the start." }),
  },
  { $id: 'View', description: 'What may be known of a table.' },
);
export const Description = Type.Object(
  {
    version: Type.Integer({ description: 'The version that is described.' }),
    seat: nullable(Type.Integer(), 'The seat whose knowledge is described; null for a spectator.'),
    description: nullable(Type.Array(Type.String()), 'Sentences; null before the start.'),
  },
  { $id: 'Description', description: 'A table in sentences, for screen readers, chat bots and language models.' },
);
export const LegalActions = Type.Object(
  {
    version: Type.Integer(),
    seat: nullable(Type.Integer()),
    legalActions: Type.Array(
      Type.Object({
        action: Anything,
        label: Type.String(),
        targets: Type.Array(Type.String(), {
          description: "What it is about. Each is the data-target of an element of the caller's board.",
        }),
      }),
    ),
  },
  { $id: 'LegalActions', description: 'Every action of a seat.' },
);
export const LookQuery = Type.Object(
  {
    at: Type.Optional(Type.Integer({ minimum: 0, description: 'An earlier version.' })),
    seat: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The seat through whose eyes to look; only after the end.' }),
    ),
    invite: Invite,
  },
  closed,
);
export const BoardQuery = Type.Object(
  {
    ...LookQuery.properties,
    width: Type.Optional(
      Type.Enum(['wide', 'narrow'], { description: 'narrow: laid out for a phone of 390 pixels (default: wide).' }),
    ),
    ticket: TicketParam,
  },
  closed,
);

export const components = [ViewAnswer, Description, LegalActions];
