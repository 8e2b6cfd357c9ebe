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
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import type { Scope } from '../../../players/player.ts';
import { MAX_EVENTS } from '../../present.ts';
import { scopeOfField } from '../../scopes.ts';
import { MAX_STATES } from '../../states.ts';
import { MAX_NODES } from '../resolvers/node.ts';

export interface DocumentLimits {
  depth: number;
  aliases: number;
  cost: number;
}

/** The assumed length of a list if the document does not limit it. */
const UNKNOWN_LENGTH = 10;
/**
 * The assumed value of `first: $n`. Documents are checked before their variables are known, so it is the longest page.
 */
const LONGEST_PAGE = 100;
const LONGEST: Record<string, number> = { 'Match.events': MAX_EVENTS, 'Match.eventConnection': MAX_EVENTS };
/** Lists without an argument for their size that are known to be short. */
const USUAL_LENGTH: Record<string, number> = { 'MatchEvent.effects': 3 };
/** If several are given, the last one counts. */
const SIZE_ARGUMENTS = ['first', 'limit', 'last'];

/**
 * The cost of fields that do more than return a value: about 1 for every 20 microseconds or 1,000 characters, so that
 * even the most expensive operation takes no longer than a second with matches of the usual length.
 */
const WEIGHTS: Record<string, number> = {
  // These check signatures or read several tables.
  'Mutation.addPasskey': 100,
  'Mutation.signInWithPasskey': 100,
  'Query.account': 20,
  'Match.export': 1000,
  'Query.exportAccount': 2000,
  'Query.players': 50,
  'Query.player': 10,
  'Player.matches': 50,
  'Seat.online': 2,
  'Match.board': 100,
  'Match.description': 50,
  'Match.legalActions': 50,
  'Match.view': 20,
  'MatchState.board': 100,
  'MatchState.description': 50,
  'MatchState.legalActions': 50,
  'MatchState.view': 20,
  // For a match in a list, these have to read its log.
  'Match.seats': 10,
  'Match.events': 10,
  'Match.myOrder': 10,
  'Match.canUndo': 10,
  'Match.eventConnection': 10,
  // The first state is replayed from the nearest mark in the log, and each of the others from the one before it.
  'Match.states': 110,
  'MatchEvent.matchThen': 10,
  // These may read several tables.
  'Query.node': 10,
  'Query.nodes': 10,
  'Game.viewSchema': 10,
  'Game.actionSchema': 10,
  'Game.optionsSchema': 10,
  'Game.ordersSchema': 10,
  'Game.effectSchema': 10,
  'Game.schemas': 30,
};
/** The extra cost of an earlier version: the match is replayed up to it, from the nearest mark in its log. */
const REPLAY_COST = 100;

type Field = GraphQLField<unknown, unknown>;

const argumentOf = (node: FieldNode, name: string) => node.arguments?.find((a) => a.name.value === name)?.value;

function weight(node: FieldNode, path: string): number {
  const at = argumentOf(node, 'at');
  return (WEIGHTS[path] ?? 1) + (at && at.kind !== Kind.NULL ? REPLAY_COST : 0);
}

/** Why a field cannot be part of a subscription, which would look it up again for every event; undefined if it can. */
function notWithEveryEvent(node: FieldNode, path: string, depth: number): string | undefined {
  if (path === 'Match.export')
    return 'An export cannot be part of a subscription, which would make it again for every event. Use a query.';
  if (path === 'Match.states')
    return 'Match.states cannot be part of a subscription. Use a query, or matchThen of each event.';
  if (path === 'MatchEvent.matchThen' && depth > EVENT_FIELDS)
    return 'In a subscription, matchThen can be requested only for the delivered event, not for others.';
  const at = argumentOf(node, 'at');
  if (at === undefined || at.kind === Kind.NULL) return undefined;
  return `${path}(at) cannot be part of a subscription, which would look it up again for every event. Use a query.`;
}

/** The depth at which the fields of a delivered event stand in a subscription. */
const EVENT_FIELDS = 2;

const sizeArguments = (field: Field | undefined) => field?.args.filter((a) => SIZE_ARGUMENTS.includes(a.name)) ?? [];

/** Lists whose length follows from other arguments; undefined if it is not known before the variables are. */
const LENGTHS: Record<string, { by: string; most: number; of(node: FieldNode): number | undefined }> = {
  'Query.nodes': {
    by: 'ids',
    most: MAX_NODES,
    of(node) {
      const ids = argumentOf(node, 'ids');
      return ids?.kind === Kind.LIST ? ids.values.length : undefined;
    },
  },
  'Match.states': {
    by: 'from',
    most: MAX_STATES,
    of(node) {
      const [from, to] = [argumentOf(node, 'from'), argumentOf(node, 'to')];
      return from?.kind === Kind.INT && to?.kind === Kind.INT ? Number(to.value) - Number(from.value) + 1 : undefined;
    },
  },
};

/**
 * How often the fields below this one may be repeated. `counted` says that the surrounding field has already counted
 * the length of its edges.
 */
function times(node: FieldNode, field: Field | undefined, path: string, counted: boolean): number {
  const known = LENGTHS[path];
  if (known && field?.args.some(({ name }) => name === known.by)) return Math.max(1, known.of(node) ?? known.most);
  const sizes = sizeArguments(field);
  if (sizes.length === 0)
    return !counted && field && isListType(getNullableType(field.type)) ? (USUAL_LENGTH[path] ?? UNKNOWN_LENGTH) : 1;
  const argument = sizes.findLast(({ name }) => argumentOf(node, name)) ?? sizes[0];
  const given = argument && argumentOf(node, argument.name);
  if (given?.kind === Kind.INT) return Math.max(1, Number(given.value));
  if (!given && typeof argument?.defaultValue === 'number') return Math.max(1, argument.defaultValue);
  return LONGEST[path] ?? LONGEST_PAGE;
}

/**
 * graphql compares every pair of fields that share a name and a place. This many take milliseconds; ten times as many
 * would take a second.
 */
const MAX_REPEATS = 100;

interface Tally extends DocumentLimits {
  repeats: number;
  /** The number of fields at the root. */
  roots: number;
  /** The scopes that a token needs for it. */
  scopes: Set<Scope>;
}

/** What an operation costs, as measured when its document was checked. */
export interface Measure {
  kind: OperationTypeNode;
  cost: number;
  roots: number;
  scopes: ReadonlySet<Scope>;
}

const measures = new WeakMap<OperationDefinitionNode, Measure>();

/** For each field that holds a page: how many items were paid for, and what each of them costs. */
const pages = new WeakMap<FieldNode, { items: number; each: number }>();

/** What was paid for items that the page did not hold in the end: a reader of the last three events pays for three. */
export const unusedBy = ([node]: readonly FieldNode[], held: number): number => {
  const page = node && pages.get(node);
  return page ? Math.max(0, page.items - held) * page.each : 0;
};

export const measureOf = (operation: OperationDefinitionNode): Measure =>
  measures.get(operation) ?? {
    kind: operation.operation,
    cost: 1,
    roots: 1,
    scopes: new Set(['ACCOUNT']),
  };

const exceeded = (tally: Tally, max: Tally) =>
  (['depth', 'aliases', 'cost', 'repeats'] as const).find((what) => tally[what] > max[what]);

interface Place {
  type: unknown;
  depth: number;
  /** How often the surrounding lists may repeat it. */
  repeat: number;
  /** Whether the surrounding field has a size, which is the size of a list in here. */
  counted: boolean;
  /** The names of the fields that have already occurred here. */
  seen: Set<string>;
}

interface Walk {
  context: ValidationContext;
  tally: Tally;
  max: Tally;
  /** The fragments that are being visited. */
  open: Set<FragmentDefinitionNode>;
  isSubscription: boolean;
  /** If set, counts the cost of one state where many are requested. */
  oneState?: { cost: number };
}

/** The cost of reading the schema. graphql itself limits its depth. */
const INTROSPECTION_COST = 500;

function visitField(walk: Walk, node: FieldNode, { type, depth, repeat, counted, seen }: Place): void {
  const { tally } = walk;
  const name = node.alias?.value ?? node.name.value;
  if (seen.has(name)) tally.repeats++;
  seen.add(name);
  if (node.alias) tally.aliases++;
  if (node.name.value.startsWith('__')) {
    tally.cost += node.selectionSet ? INTROSPECTION_COST : repeat;
    return;
  }
  tally.depth = Math.max(tally.depth, depth);
  if (depth === 1) tally.roots++;
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
  const path = `${type}.${node.name.value}`;
  tally.cost += repeat * weight(node, path);
  const scope = scopeOfField(path, depth === 1);
  if (scope) tally.scopes.add(scope);
  const obstacle = walk.isSubscription ? notWithEveryEvent(node, path, depth) : undefined;
  if (obstacle) walk.context.reportError(new GraphQLError(obstacle, { nodes: node }));
  if (!node.selectionSet) return;
  const oneState = path === 'Match.states' ? walk.oneState : undefined;
  const items = oneState ? 1 : times(node, field, path, counted);
  const before = tally.cost;
  visit(walk, node.selectionSet, {
    type: field && getNamedType(field.type),
    depth: depth + 1,
    repeat: repeat * items,
    counted: sizeArguments(field).length > 0 && !isListType(getNullableType(field?.type)),
    seen: new Set(),
  });
  if (oneState) oneState.cost += tally.cost - before;
  else if (sizeArguments(field).length > 0 || LENGTHS[path])
    pages.set(node, { items, each: (tally.cost - before) / (repeat * items) });
}

/** Fragments count each time they are spread. The visit ends as soon as a limit is exceeded. */
function visit(walk: Walk, set: SelectionSetNode, place: Place): void {
  const { context, tally, max, open } = walk;
  const typeNamed = (name: string) => context.getSchema().getType(name);
  for (const node of set.selections) {
    if (exceeded(tally, max)) return;
    if (node.kind === Kind.FIELD) {
      visitField(walk, node, place);
      continue;
    }
    tally.cost += place.repeat; // otherwise a tree of empty fragments would be free
    if (node.kind === Kind.INLINE_FRAGMENT) {
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

function measure(
  operation: OperationDefinitionNode,
  context: ValidationContext,
  max: Tally,
  oneState?: { cost: number },
): Tally {
  const tally: Tally = { depth: 0, aliases: 0, cost: 0, repeats: 0, roots: 0, scopes: new Set() };
  const type = context.getSchema().getRootType(operation.operation);
  const place = { type, depth: 1, repeat: 1, counted: false, seen: new Set<string>() };
  const isSubscription = operation.operation === OperationTypeNode.SUBSCRIPTION;
  const walk = { context, tally, max, open: new Set<FragmentDefinitionNode>(), isSubscription };
  visit({ ...walk, ...(oneState && { oneState }) }, operation.selectionSet, place);
  return tally;
}

/** Tells a caller who asks for a whole replay how much of it fits into one operation. */
function statesThatFit(operation: OperationDefinitionNode, context: ValidationContext, max: Tally): string {
  const oneState = { cost: 0 };
  const { cost } = measure(operation, context, max, oneState);
  const fit = Math.floor((max.cost - (cost - oneState.cost)) / oneState.cost);
  if (oneState.cost === 0 || fit < 1 || fit >= MAX_STATES) return '';
  return ` With these fields at most ${fit} states fit into one operation; from and to must be numbers in the document, because variables count as ${MAX_STATES} states.`;
}

/** One validation rule for depth, aliases, cost and repetition. */
export const limitsRule = (limits: DocumentLimits) => {
  const max: Tally = { ...limits, repeats: MAX_REPEATS, roots: Number.POSITIVE_INFINITY, scopes: new Set() };
  return (context: ValidationContext): ASTVisitor => ({
    OperationDefinition(node) {
      const tally = measure(node, context, max);
      measures.set(node, { kind: node.operation, cost: tally.cost, roots: tally.roots, scopes: tally.scopes });
      const what = exceeded(tally, max);
      if (!what) return;
      const hint = what === 'cost' ? statesThatFit(node, context, max) : '';
      const message = `The operation exceeds the limit of ${max[what]} for its ${what}.${hint}`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  });
};
