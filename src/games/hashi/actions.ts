import { type Static, Type } from 'typebox';
import { BOARDS, ISLANDS, PRESETS } from './data.ts';

const strict = { additionalProperties: false };
const island = Type.Integer({ minimum: 1, maximum: ISLANDS, description: 'island id' });
const link = Type.Integer({
  minimum: 1,
  maximum: Math.max(BOARDS.A.links.length, BOARDS.B.links.length),
  description: 'link id',
});

const preset = Type.Object(
  {
    type: Type.Literal('preset'),
    island,
    number: Type.Enum(PRESETS),
  },
  { ...strict, description: 'before the first card: write a first number on the sheet that goes to the next seat' },
);
const write = Type.Object(
  { type: Type.Literal('write'), island },
  { ...strict, description: "write the card's number on a blank island" },
);
const bridge = Type.Object(
  { type: Type.Literal('bridge'), link },
  { ...strict, description: 'draw one bridge; a seat that begins draws as many as the card shows' },
);
const skip = Type.Object(
  { type: Type.Literal('skip') },
  { ...strict, description: 'in this round write no number, or draw no bridges' },
);

export const ActionSchema = Type.Union([preset, write, bridge, skip]);

export type Preset = Static<typeof preset>;
export type Write = Static<typeof write>;
export type Bridge = Static<typeof bridge>;
export type Skip = Static<typeof skip>;
export type Action = Preset | Write | Bridge | Skip;
