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

const sizeArgument = (field: Field | undefined) => field?.args.find((a) => SIZE_ARGUMENTS.includes(a.name));

/** How often what lies beneath a field may be repeated; `counted`: the field around it has said so for its edges. */
function times(node: FieldNode, field: Field | undefined, counted: boolean): number {
  const argument = sizeArgument(field);
  if (!argument) return !counted && field && isListType(getNullableType(field.type)) ? UNKNOWN_LENGTH : 1;
  const given = node.arguments?.find((a) => a.name.value === argument.name)?.value;
  if (given?.kind === Kind.INT) return Math.max(1, Number(given.value));
  if (given) return VARIABLE_LENGTH;
  return typeof argument.defaultValue === 'number' ? Math.max(1, argument.defaultValue) : VARIABLE_LENGTH;
}

/** graphql compares every two fields that share a name and a place: this many take milliseconds, ten times as many a second. */
const MAX_REPEATS = 100;

interface Tally extends DocumentLimits {
  repeats: number;
}

const exceeded = (tally: Tally, max: Tally) =>
  (['depth', 'aliases', 'cost', 'repeats'] as const).find((what) => tally[what] > max[what]);

interface Place {
  type: unknown;
  depth: number;
  /** How often the lists around it may repeat it. */
  repeat: number;
  /** Whether the field around it has a size, which is that of a list in here. */
  counted: boolean;
  /** The names of the fields that already stand here. */
  seen: Set<string>;
}

interface Walk {
  context: ValidationContext;
  tally: Tally;
  max: Tally;
  /** The fragments that we are inside of. */
  open: Set<FragmentDefinitionNode>;
}

/** What reading the schema counts as, on top of graphql's own limit of its depth. */
const INTROSPECTION_COST = 500;

function visitField(walk: Walk, node: FieldNode, { type, depth, repeat, counted, seen }: Place): void {
  const { tally } = walk;
  const name = node.alias?.value ?? node.name.value;
  if (seen.has(name)) tally.repeats++;
  seen.add(name);
  if (node.alias) tally.aliases++;
  if (!node.name.value.startsWith('__')) tally.depth = Math.max(tally.depth, depth);
  if (!node.selectionSet) return;
  if (node.name.value.startsWith('__')) {
    tally.cost += INTROSPECTION_COST;
    return;
  }
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
  visit(walk, node.selectionSet, {
    type: field && getNamedType(field.type),
    depth: depth + 1,
    repeat: repeat * times(node, field, counted),
    counted: sizeArgument(field) !== undefined && !isListType(getNullableType(field?.type)),
    seen: new Set(),
  });
}

/** Fragments count each time they are spread; a document is given up as soon as a limit is passed. */
function visit(walk: Walk, set: SelectionSetNode, place: Place): void {
  const { context, tally, max, open } = walk;
  const typeNamed = (name: string) => context.getSchema().getType(name);
  for (const node of set.selections) {
    if (exceeded(tally, max)) return;
    tally.cost += place.repeat; // spreads too, or a tree of empty fragments would be free
    if (node.kind === Kind.FIELD) {
      visitField(walk, node, place);
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      const type = node.typeCondition ? typeNamed(node.typeCondition.name.value) : place.type;
      visit(walk, node.selectionSet, { ...place, type });
    } else {
      const fragment = context.getFragment(node.name.value);
      if (!fragment || open.has(fragment)) continue; // unknown or cyclic: other rules report those
      open.add(fragment);
      visit(walk, fragment.selectionSet, { ...place, type: typeNamed(fragment.typeCondition.name.value) });
      open.delete(fragment);
    }
  }
}

function measure(operation: OperationDefinitionNode, context: ValidationContext, max: Tally): Tally {
  const tally: Tally = { depth: 0, aliases: 0, cost: 0, repeats: 0 };
  const type = context.getSchema().getRootType(operation.operation);
  const place = { type, depth: 1, repeat: 1, counted: false, seen: new Set<string>() };
  visit({ context, tally, max, open: new Set() }, operation.selectionSet, place);
  return tally;
}

/** One validation rule for depth, aliases, cost and repetition. */
export const limitsRule = (limits: DocumentLimits) => {
  const max: Tally = { ...limits, repeats: MAX_REPEATS };
  return (context: ValidationContext): ASTVisitor => ({
    OperationDefinition(node) {
      const what = exceeded(measure(node, context, max), max);
      if (!what) return;
      const message = `The operation exceeds the limit of ${max[what]} for its ${what}.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  });
};
