import { type Static, Type } from 'typebox';

/** Decisions are small. If a list would be longer than a few hundred actions, split the decision in two. */
export const ActionSchema = Type.Object(
  { type: Type.Literal('take'), pebble: Type.Integer({ description: 'The number on the pebble.' }) },
  { additionalProperties: false },
);
export type Action = Static<typeof ActionSchema>;
