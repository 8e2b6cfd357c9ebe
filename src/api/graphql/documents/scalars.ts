/** The contract's own scalars. */
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

function literal(node: ValueNode, variables: Record<string, unknown> | null | undefined): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, literal(value, variables)]));
    case Kind.LIST:
      return node.values.map((value) => literal(value, variables));
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.NULL:
      return null;
    case Kind.VARIABLE:
      return variables?.[node.name.value] ?? null;
    default:
      return node.value;
  }
}

export const json = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
  parseValue: (value) => value,
  parseLiteral: literal,
});

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

function instant(value: unknown): Date {
  const at = typeof value === 'string' && ISO_8601.test(value) ? new Date(value) : null;
  if (at && !Number.isNaN(at.getTime())) return at;
  throw new GraphQLError('A DateTime is an instant such as "2027-01-31T12:00:00.000Z".');
}

export const dateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'An instant, as ISO 8601 text in UTC with milliseconds.',
  serialize: (value) => (value as Date).toISOString(),
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : null),
});
