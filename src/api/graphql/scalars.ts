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

export const dateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'An instant, as ISO 8601 text in UTC with milliseconds.',
  serialize: (value) => (value as Date).toISOString(),
  parseValue() {
    throw new GraphQLError('DateTime is never an input');
  },
});
