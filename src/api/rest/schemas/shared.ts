/** The building blocks of the schemas of the REST face. */
import { type TSchema, Type } from 'typebox';

export const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const Id = Type.String({ format: 'uuid' });
export const Instant = Type.String({ format: 'date-time' });
export const Anything = Type.Unknown();

/** For a body or a query in which no other field is allowed. */
export const closed = { additionalProperties: false };

export const PageInfo = Type.Object({ hasNextPage: Type.Boolean(), endCursor: nullable(Type.String()) });

/** The part of a list that is requested. */
export const page = {
  first: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'How many (20).' })),
  after: Type.Optional(Type.String({ maxLength: 100, description: 'The endCursor of the previous page.' })),
};

export const IdempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Makes it safe to repeat the request: what it makes is made only once. Keys are remembered for at least a day. ' +
        'The same key with another input is refused as IDEMPOTENCY_KEY_REUSED. Where a token is made, the key must have ' +
        'at least 16 characters that nobody can guess.',
    }),
  ),
});
