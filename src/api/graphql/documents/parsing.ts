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
/**
 * The total length of kept documents. A character takes up to 200 bytes once it is parsed, and strangers must not be
 * able to fill the memory.
 */
export const KEPT_CHARACTERS = 250_000;
/** Longer documents are rare, and each would push out many others. */
export const LONGEST_KEPT = 4000;

interface Kept {
  document: DocumentNode;
  /** Whether it was sent again since it was last considered for removal. It then stays for another round. */
  isUsed: boolean;
}

/** Parses and validates documents, and remembers those that passed: clients send the same few over and over. */
export function documents(schema: GraphQLSchema, { tokens, ...limits }: DocumentOptions): Documents {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const limit = limitsRule(limits);

  const check: Documents = (source) => {
    let document: DocumentNode;
    try {
      document = parse(source, { maxTokens: tokens });
    } catch (error) {
      return [error as GraphQLError];
    }
    // The limits come first, because some of the other rules take time quadratic in the length of the document.
    const tooMuch = validate(schema, document, [limit], { maxErrors: 1 });
    if (tooMuch.length > 0) return tooMuch;
    const errors = validate(schema, document, specifiedRules, { maxErrors: 5 });
    return errors.length > 0 ? errors : document;
  };

  function keep(source: string, document: DocumentNode): void {
    kept.set(source, { document, isUsed: false });
    characters += source.length;
    for (const [oldest, one] of kept) {
      if (kept.size <= KEPT && characters <= KEPT_CHARACTERS) return;
      kept.delete(oldest);
      if (one.isUsed) {
        one.isUsed = false;
        kept.set(oldest, one); // at the end, so it is looked at again after all others
      } else {
        characters -= oldest.length;
      }
    }
  }

  return (source) => {
    const known = kept.get(source);
    if (known) {
      known.isUsed = true;
      return known.document;
    }
    const document = check(source);
    if (isDocument(document) && source.length <= LONGEST_KEPT) keep(source, document);
    return document;
  };
}

export const isDocument = (result: DocumentNode | readonly GraphQLError[]): result is DocumentNode =>
  'definitions' in result;

/** The operation that was requested; an error if the document does not contain it. */
export function operationOf(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | GraphQLError {
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  return new GraphQLError(
    name == null
      ? 'The document has several operations. Name one of them.'
      : `The document has no operation "${name}".`,
  );
}
