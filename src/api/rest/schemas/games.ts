/** The shapes of games. */
import { Type } from 'typebox';

export const Game = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    rules: Type.Integer({ description: 'The version of the rules that new matches get.' }),
    minSeats: Type.Integer(),
    maxSeats: Type.Integer(),
    optionsSchema: Type.Unknown({ description: 'JSON Schema of the options; every option has a default.' }),
    actionSchema: Type.Unknown({ description: 'JSON Schema of an action.' }),
    viewSchema: Type.Unknown({ description: 'JSON Schema of a view.' }),
    ordersSchema: Type.Unknown({ description: 'JSON Schema of a standing order; null where a game has none.' }),
    effectSchema: Type.Unknown({
      description: 'JSON Schema of the effects of an event; null where nothing happens by itself.',
    }),
  },
  { $id: 'Game', description: 'A set of rules.' },
);
export const GameParams = Type.Object({ id: Type.String({ description: 'The id of the game.' }) });

export const components = [Game];
