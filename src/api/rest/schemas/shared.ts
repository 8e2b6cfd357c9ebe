/** What the shapes of the REST face are made of. */
import { type TSchema, Type } from 'typebox';

export const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const Id = Type.String({ format: 'uuid' });
export const Instant = Type.String({ format: 'date-time' });
export const Anything = Type.Unknown();

/** A body or a query in which nothing else may stand. */
export const closed = { additionalProperties: false };

export const PageInfo = Type.Object({ hasNextPage: Type.Boolean(), endCursor: nullable(Type.String()) });

/** The part of a list that is asked for. */
export const page = {
  first: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'How many (20).' })),
  after: Type.Optional(Type.String({ maxLength: 100, description: 'The endCursor of the page before.' })),
};

export const IdempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Makes it safe to send this again: what was made is made once. Remembered for a day at least; the same key with ' +
        'another input is refused as IDEMPOTENCY_KEY_REUSED. Where a token is made: at least 16 characters that nobody ' +
        'can guess.',
    }),
  ),
});
