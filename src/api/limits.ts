import {
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

export interface DocumentLimits {
  depth: number;
  aliases: number;
  cost: number;
}

/** What a list counts as when the document does not say how long it may get. */
const UNKNOWN_LENGTH = 10;
/** What `first: $n` counts as: documents are checked before their variables are known. */
const VARIABLE_LENGTH = 100;
const SIZE_ARGUMENTS = ['first', 'last', 'limit'];

type Field = GraphQLField<unknown, unknown>;

/** How often what lies beneath a field may be repeated. */
function times(node: FieldNode, field: Field | undefined): number {
  if (!field) return 1;
  const argument = field.args.find((a) => SIZE_ARGUMENTS.includes(a.name));
  if (!argument) return isListType(getNullableType(field.type)) ? UNKNOWN_LENGTH : 1;
  const given = node.arguments?.find((a) => a.name.value === argument.name)?.value;
  if (given?.kind === Kind.INT) return Math.max(1, Number(given.value));
  if (given) return VARIABLE_LENGTH;
  return typeof argument.defaultValue === 'number' ? Math.max(1, argument.defaultValue) : VARIABLE_LENGTH;
}

interface Tally {
  depth: number;
  aliases: number;
  cost: number;
}

const exceeded = (tally: Tally, max: DocumentLimits) =>
  (['depth', 'aliases', 'cost'] as const).find((what) => tally[what] > max[what]);

/** Fragments count each time they are spread; a document is given up as soon as a limit is passed. */
function measure(operation: OperationDefinitionNode, context: ValidationContext, max: DocumentLimits): Tally {
  const tally: Tally = { depth: 0, aliases: 0, cost: 0 };
  const open = new Set<FragmentDefinitionNode>();
  const schema = context.getSchema();

  const visitField = (node: FieldNode, type: unknown, depth: number, repeat: number) => {
    if (node.name.value.startsWith('__')) return; // graphql limits introspection itself
    if (node.alias) tally.aliases++;
    tally.depth = Math.max(tally.depth, depth);
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!node.selectionSet) return;
    visit(node.selectionSet, field && getNamedType(field.type), depth + 1, repeat * times(node, field));
  };

  const visit = (set: SelectionSetNode, type: unknown, depth: number, repeat: number): void => {
    for (const node of set.selections) {
      if (exceeded(tally, max)) return;
      tally.cost += repeat; // spreads too, or a tree of empty fragments would be free
      if (node.kind === Kind.FIELD) {
        visitField(node, type, depth, repeat);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        const on = node.typeCondition ? schema.getType(node.typeCondition.name.value) : type;
        visit(node.selectionSet, on, depth, repeat);
      } else {
        const fragment = context.getFragment(node.name.value);
        if (!fragment || open.has(fragment)) continue; // unknown or cyclic: other rules report those
        open.add(fragment);
        visit(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value), depth, repeat);
        open.delete(fragment);
      }
    }
  };

  visit(operation.selectionSet, schema.getRootType(operation.operation), 1, 1);
  return tally;
}

/** One validation rule for depth, aliases and cost. */
export const limitsRule =
  (max: DocumentLimits) =>
  (context: ValidationContext): ASTVisitor => ({
    OperationDefinition(node) {
      const what = exceeded(measure(node, context, max), max);
      if (!what) return;
      context.reportError(
        new GraphQLError(`The operation exceeds the limit of ${max[what]} for its ${what}.`, { nodes: node }),
      );
    },
  });
