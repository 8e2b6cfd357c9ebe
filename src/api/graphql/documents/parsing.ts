import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type DocumentLimits, limitsRule } from './cost.ts';

export interface DocumentOptions extends DocumentLimits {
  tokens: number;
}

export type Documents = (source: string) => DocumentNode | readonly GraphQLError[];

const KEPT = 1000;
/** In all. A character takes up to 200 bytes once it is parsed, and what was sent by anybody must not fill the memory. */
export const KEPT_CHARACTERS = 250_000;
/** Longer ones are rare, and each would push out many others. */
export const LONGEST_KEPT = 4000;

/** Parses and validates, and remembers the documents that passed: clients send the same few over and over. */
export function documents(schema: GraphQLSchema, { tokens, ...limits }: DocumentOptions): Documents {
  const kept = new Map<string, DocumentNode>(); // in the order of their last use
  let characters = 0;
  const limit = limitsRule(limits);

  const check: Documents = (source) => {
    let document: DocumentNode;
    try {
      document = parse(source, { maxTokens: tokens });
    } catch (error) {
      return [error as GraphQLError];
    }
    // The limits come first: some of the other rules take time that grows with the square of a document.
    const tooMuch = validate(schema, document, [limit], { maxErrors: 1 });
    if (tooMuch.length > 0) return tooMuch;
    const errors = validate(schema, document, specifiedRules, { maxErrors: 5 });
    return errors.length > 0 ? errors : document;
  };

  function keep(source: string, document: DocumentNode): void {
    kept.set(source, document);
    characters += source.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT && characters <= KEPT_CHARACTERS) return;
      kept.delete(oldest);
      characters -= oldest.length;
    }
  }

  return (source) => {
    const known = kept.get(source);
    if (known) {
      kept.delete(source); // moves it to the end: the most recently used
      kept.set(source, known);
      return known;
    }
    const document = check(source);
    if (isDocument(document) && source.length <= LONGEST_KEPT) keep(source, document);
    return document;
  };
}

export const isDocument = (result: DocumentNode | readonly GraphQLError[]): result is DocumentNode =>
  'definitions' in result;

/** The operation that is asked for; an error where the document has no such one. */
export function operationOf(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | GraphQLError {
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  return new GraphQLError(
    name == null ? 'The document has several operations: name one.' : `The document has no operation "${name}".`,
  );
}
