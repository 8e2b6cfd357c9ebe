/** The schemas of streams and of several versions at once. */
import { Type } from 'typebox';
import { Include } from '../matches/include.ts';
import { BoardQuery, LookQuery } from './look.ts';
import { Invite } from './matches.ts';
import { Anything, closed, Id, nullable } from './shared.ts';
import { TicketParam } from './tickets.ts';

const parts = {
  view: Type.Optional(Type.Unknown({ description: "Fits the game's viewSchema; null before the start." })),
  board: Type.Optional(nullable(Type.String(), 'An SVG document; null before the start.')),
  description: Type.Optional(nullable(Type.Array(Type.String()), 'Sentences; null before the start.')),
  legalActions: Type.Optional(
    Type.Array(Type.Object({ action: Anything, label: Type.String(), targets: Type.Array(Type.String()) }), {
      description: 'What the caller could do then.',
    }),
  ),
};
export const MatchState = Type.Object(
  {
    version: Type.Integer(),
    acting: Type.Array(Type.Integer(), { description: 'The seats that could act then.' }),
    ...parts,
  },
  { $id: 'MatchState', description: 'A table as it stood at a version, as the caller could know it then.' },
);
export const States = Type.Object(
  {
    version: Type.Integer({ description: 'The current version of the match.' }),
    states: Type.Array(Type.Ref('MatchState')),
  },
  { $id: 'States', description: 'A table at several versions.' },
);
export const Turn = Type.Object(
  {
    acting: Type.Boolean({ description: 'Whether the caller may act now; false if a turn was lost.' }),
    match: Type.Ref('Match'),
  },
  { $id: 'Turn', description: 'A turn that the caller has, has gained or has lost.' },
);
export const Turns = Type.Object(
  { turns: Type.Array(Type.Ref('Turn')) },
  { $id: 'Turns', description: "The caller's turns." },
);
export const StatesQuery = Type.Object(
  {
    from: Type.Optional(Type.Integer({ minimum: 0, description: 'The first version (0).' })),
    to: Type.Optional(Type.Integer({ minimum: 0, description: 'The last version; at most 100 versions.' })),
    include: Include,
    seat: LookQuery.properties.seat,
    width: BoardQuery.properties.width,
    invite: Invite,
  },
  closed,
);
export const TurnsQuery = Type.Object({ ticket: TicketParam }, closed);

/** The messages of the lobby stream, which no JSON answer contains. */
export const LobbyChange = Type.Union(
  [
    Type.Object(
      { type: Type.Literal('OPEN'), match: Type.Ref('Match') },
      { description: 'A table that is open or has changed.' },
    ),
    Type.Object({ type: Type.Literal('GONE'), id: Id }, { description: 'A table that has begun or was called off.' }),
  ],
  { $id: 'LobbyChange' },
);

export const components = [MatchState, States, Turn, Turns];
