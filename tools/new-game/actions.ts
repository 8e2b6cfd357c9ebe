import { type Static, Type } from 'typebox';

/** Small decisions: where a list would get longer than a few hundred actions, split the decision at a noun. */
export const ActionSchema = Type.Object(
  { type: Type.Literal('take'), pebble: Type.Integer({ description: 'The number on the pebble.' }) },
  { additionalProperties: false },
);
export type Action = Static<typeof ActionSchema>;
