/** The schemas of games. */
import { Type } from 'typebox';
import { closed, nullable } from './shared.ts';

export const Game = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    rules: Type.Integer({ description: 'The version of the rules that new matches get.' }),
    minSeats: Type.Integer(),
    maxSeats: Type.Integer(),
    minutes: nullable(
      Type.Object({ min: Type.Integer(), max: Type.Integer() }),
      'How long a match takes when all players sit at one table, according to the box.',
    ),
    optionsSchema: Type.Optional(
      Type.Unknown({ description: 'JSON Schema of the options; every option has a default.' }),
    ),
    actionSchema: Type.Optional(Type.Unknown({ description: 'JSON Schema of an action.' })),
    viewSchema: Type.Optional(Type.Unknown({ description: 'JSON Schema of a view.' })),
    ordersSchema: Type.Optional(
      Type.Unknown({ description: 'JSON Schema of a standing order; null if the game has none.' }),
    ),
    effectSchema: Type.Optional(
      Type.Unknown({
        description: 'JSON Schema of the effects of an event; null if nothing happens by itself.',
      }),
    ),
  },
  { $id: 'Game', description: 'A set of rules. The schemas are left out of lists unless they are asked for.' },
);
export const GamesQuery = Type.Object(
  {
    schemas: Type.Optional(Type.Boolean({ description: 'Whether to include the JSON Schemas of each game (false).' })),
  },
  closed,
);
export const GameParams = Type.Object({ id: Type.String({ description: 'The id of the game.' }) });

export const SchemasParams = Type.Object({
  id: Type.String({ description: 'The id of the game.' }),
  rules: Type.Integer({ minimum: 1, description: 'The version of the rules.' }),
});

export const components = [Game];
