/**
 * Operations that need no executor: `submitAction` and `matchEvents` with only plain fields, which are most of what
 * clients send. Each document is analysed once, and its answers are written directly as text. Anything unusual is left
 * to the executor; a test compares the two.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import type { SubmitActionInput } from '../../../generated/graphql.ts';
import { isoTime } from '../../../iso-time.ts';
import type { Caller } from '../../../matches/commands/access.ts';
import type { LoggedEvent, Receipt } from '../../../matches/log/records.ts';
import * as present from '../../present.ts';

/** `submitAction` with its input given as a variable. */
export interface PlainSubmission {
  kind: 'submission';
  /** The input, if it is valid; undefined otherwise, so that the executor reports what is wrong with it. */
  input(variables: Readonly<Record<string, unknown>> | null | undefined): SubmitActionInput | undefined;
  /** The data of the answer. */
  text(receipt: present.PresentReceipt): string;
  /** An error of the resolver, in the form in which the executor would report it. */
  located(error: unknown): ReturnType<typeof locatedError>;
}

/** `matchEvents` without the match of each event, because that depends more on who asks. */
export interface PlainEvents {
  kind: 'events';
  /** The whole answer for one event, made once for all who may see the same of it. */
  text(receipt: Receipt, caller: Caller): string;
}

export type Plain = PlainSubmission | PlainEvents;

const known = new WeakMap<OperationDefinitionNode, Plain | null>();

/** Returns null if this operation needs the executor. */
export function plainOf(document: DocumentNode, operation: OperationDefinitionNode): Plain | null {
  let plain = known.get(operation);
  if (plain === undefined) {
    plain = compiled(document, operation);
    known.set(operation, plain);
  }
  return plain;
}

function compiled(document: DocumentNode, operation: OperationDefinitionNode): Plain | null {
  if (operation.directives?.length) return null;
  const select = selector(document);
  const roots = select([operation.selectionSet], ROOTS[operation.operation] ?? '');
  const [root] = roots ?? [];
  if (!root || roots?.size !== 1) return null;
  const [key, nodes] = root;
  const name = nodes[0]?.name.value;
  if (name === 'submitAction') return submissionOf(key, nodes, operation, select);
  return name === 'matchEvents' ? eventsOf(key, nodes, select) : null;
}

const ROOTS: Partial<Record<OperationTypeNode, string>> = {
  [OperationTypeNode.MUTATION]: 'Mutation',
  [OperationTypeNode.SUBSCRIPTION]: 'Subscription',
};

/** The fields selected on one type, by response key and in order; null if there is more than plain fields. */
type Selected = Map<string, FieldNode[]>;
type Select = (sets: readonly SelectionSetNode[], type: string) => Selected | null;

function selector({ definitions }: DocumentNode): Select {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);

  function collect(set: SelectionSetNode, type: string, into: Selected, visited: Set<string>): boolean {
    return set.selections.every((one) => {
      if (one.directives?.length) return false; // directives may depend on variables
      if (one.kind === Kind.FIELD) {
        const key = one.alias?.value ?? one.name.value;
        into.set(key, [...(into.get(key) ?? []), one]);
        return true;
      }
      if (one.kind === Kind.INLINE_FRAGMENT) {
        return isOn(one.typeCondition?.name.value ?? type, type) && collect(one.selectionSet, type, into, visited);
      }
      const fragment = fragments.get(one.name.value);
      if (!fragment || fragment.directives?.length) return false;
      if (visited.has(one.name.value)) return true;
      visited.add(one.name.value);
      return isOn(fragment.typeCondition.name.value, type) && collect(fragment.selectionSet, type, into, visited);
    });
  }

  return (sets, type) => {
    const into: Selected = new Map();
    const visited = new Set<string>();
    return sets.every((set) => collect(set, type, into, visited)) ? into : null;
  };
}

const isOn = (condition: string, type: string): boolean => condition === type;

/** Writes a value as JSON. */
type Write<T> = (value: T) => string;
/** Makes the writer of a field; null if it cannot be written here. */
type Field<T> = (nodes: readonly FieldNode[], select: Select) => Write<T> | null;

const leaf =
  <T>(write: Write<T>): Field<T> =>
  () =>
    write;

const EFFECT: Record<string, Field<present.PresentEffect>> = {
  __typename: leaf(() => '"Effect"'),
  type: leaf(({ type }) => JSON.stringify(type)),
  data: leaf(({ data }) => JSON.stringify(data)),
  text: leaf(({ text }) => JSON.stringify(text)),
};

const EVENT: Record<string, Field<present.SeenEvent>> = {
  __typename: leaf(() => '"MatchEvent"'),
  version: leaf(({ version }) => `${version}`),
  type: leaf(({ type }) => `"${type}"`),
  seat: leaf(({ seat }) => `${seat}`),
  action: leaf(({ action }) => JSON.stringify(action)),
  label: leaf(({ label }) => JSON.stringify(label)),
  targets: leaf(({ targets }) => JSON.stringify(targets)),
  acting: leaf(({ acting }) => `[${acting.join()}]`),
  at: leaf(({ at }) => `"${isoTime(at)}"`),
  hash: leaf(({ hash }) => `"${hash}"`),
  undone: leaf((event) => `${present.isUndone(event)}`),
  effects(nodes, select) {
    const write = objectOf('Effect', EFFECT, nodes, select);
    return write && ((event) => listed(present.effects(event), write));
  },
};

const RECEIPT: Record<string, Field<present.PresentReceipt>> = {
  __typename: leaf(() => '"Receipt"'),
  version: leaf(({ version }) => `${version}`),
  event(nodes, select) {
    const write = objectOf('MatchEvent', EVENT, nodes, select);
    return write && (({ event }) => write(event));
  },
};

const listed = <T>(items: readonly T[] | null, write: Write<T>): string =>
  items === null ? 'null' : `[${items.map(write).join()}]`;

function objectOf<T>(
  type: string,
  fields: Record<string, Field<T>>,
  nodes: readonly FieldNode[],
  select: Select,
): Write<T> | null {
  const selected = select(
    nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    type,
  );
  if (!selected) return null;
  const writers: [string, Write<T>][] = [];
  for (const [key, same] of selected) {
    const name = same[0]?.name.value ?? '';
    const write = Object.hasOwn(fields, name) ? fields[name]?.(same, select) : null;
    if (!write) return null;
    writers.push([`${writers.length > 0 ? ',' : ''}"${key}":`, write]);
  }
  return (value) => {
    let out = '{';
    for (const [key, write] of writers) out += key + write(value);
    return `${out}}`;
  };
}

function submissionOf(
  key: string,
  nodes: readonly FieldNode[],
  operation: OperationDefinitionNode,
  select: Select,
): PlainSubmission | null {
  const write = objectOf('Receipt', RECEIPT, nodes, select);
  const variable = nodes.length === 1 ? inputVariable(nodes[0] as FieldNode, operation) : null;
  if (!write || variable === null) return null;
  return {
    kind: 'submission',
    input: (variables) => asInput(variables?.[variable]),
    text: (receipt) => `{"${key}":${write(receipt)}}`,
    located: (error) => locatedError(error, nodes, [key]),
  };
}

/** The name of the variable that is the whole input and the only variable. */
function inputVariable({ arguments: given = [] }: FieldNode, { variableDefinitions = [] }: OperationDefinitionNode) {
  const [argument, definition] = [given[0], variableDefinitions[0]];
  if (given.length !== 1 || variableDefinitions.length !== 1 || !argument || !definition) return null;
  const { type, defaultValue, directives } = definition;
  const isInput =
    type.kind === Kind.NON_NULL_TYPE &&
    type.type.kind === Kind.NAMED_TYPE &&
    type.type.name.value === 'SubmitActionInput' &&
    argument.name.value === 'input' &&
    argument.value.kind === Kind.VARIABLE;
  return isInput && !defaultValue && !directives?.length ? definition.variable.name.value : null;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isInt = (value: unknown): boolean => Number.isInteger(value) && (value as number) === (value as number) >> 0;

/** What each field of the input must be in order to need no coercion. */
const INPUT: Record<keyof SubmitActionInput, (value: unknown) => boolean> = {
  matchId: isText,
  expectedVersion: (value) => value === null || isInt(value),
  actionId: (value) => value === null || isText(value),
  action: (value) => value !== null && value !== undefined,
};

function asInput(value: unknown): SubmitActionInput | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  for (const key in value) {
    if (!Object.hasOwn(INPUT, key)) return undefined;
    if (!INPUT[key as keyof SubmitActionInput](value[key as keyof typeof value])) return undefined;
  }
  return 'matchId' in value && 'action' in value ? (value as SubmitActionInput) : undefined;
}

function eventsOf(key: string, nodes: readonly FieldNode[], select: Select): PlainEvents | null {
  const write = objectOf('MatchEvent', EVENT, nodes, select);
  if (!write) return null;
  // The text depends on the event and, beyond that, only on whether it is hidden and whether it has been undone.
  const [shown, hidden] = [
    [recentTexts(), recentTexts()],
    [recentTexts(), recentTexts()],
  ];
  return {
    kind: 'events',
    text({ event, match }, caller) {
      const isHidden = present.isHidden(match, event, caller);
      const texts = (isHidden ? hidden : shown)[match.events.isUndone(event.version) ? 1 : 0] as Texts;
      const made = texts.get(event);
      if (made !== undefined) return made;
      const text = `{"data":{"${key}":${write(present.shownEvent(match, event, isHidden))}}}`;
      texts.set(event, text);
      return text;
    },
  };
}

/** Subscribers of a match receive an event at about the same time, so keeping the last few is enough. */
const KEPT = 32;

interface Texts {
  get(event: LoggedEvent): string | undefined;
  set(event: LoggedEvent, text: string): void;
}

/** Two short lists, because a map that loses and gains entries all the time burdens the garbage collector. */
function recentTexts(): Texts {
  const events: LoggedEvent[] = [];
  const texts: string[] = [];
  let oldest = 0;
  return {
    get: (event) => texts[events.indexOf(event)],
    set(event, text) {
      events[oldest] = event;
      texts[oldest] = text;
      oldest = (oldest + 1) % KEPT;
    },
  };
}
