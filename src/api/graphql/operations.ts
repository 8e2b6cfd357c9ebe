import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type OperationDefinitionNode,
  OperationTypeNode,
  subscribe,
} from 'graphql';
import type {} from 'mercurius';
import { refusals } from '../../errors.ts';
import type { Viewer } from '../../players/player.ts';
import { addressKey, type Cap } from '../http/admission.ts';
import { whenDone } from '../http/connections.ts';
import { paidFor } from '../http/work.ts';
import { requireScopes } from '../scopes.ts';
import type { Context } from './context.ts';
import { measureOf } from './cost.ts';
import { type DocumentOptions, documents, isDocument, operationOf } from './parsing.ts';

export interface Params {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

export type Prepared = { args: ExecutionArgs; operation: OperationTypeNode } | { errors: readonly GraphQLError[] };

/** Runs operations, the same way for HTTP, event streams and sockets. */
export interface Operations {
  prepare(params: Params, viewer: Viewer | undefined, request: FastifyRequest): Prepared;
  /** The answer says what it cost, by which a client can tell how much more it may ask for. */
  execute(args: ExecutionArgs): Promise<ExecutionResult>;
  /** Counted against the caller's share of open subscriptions until it ends. */
  subscribe(args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>;
}

export interface OperationsOptions {
  limits: DocumentOptions;
  subscriptions: Cap;
  context: (viewer: Viewer | undefined, request: FastifyRequest) => Context;
  /** Throws when the caller has asked too often. */
  limit: (viewer: Viewer | undefined, request: FastifyRequest, times: number) => void;
}

interface Loaders {
  create(context: object): object;
}

const { kLoaders, kFactory, kSubscriptionFactory } = createRequire(import.meta.url)('mercurius/lib/symbols') as Record<
  'kLoaders' | 'kFactory' | 'kSubscriptionFactory',
  symbol
>;

/** The app has mercurius, which holds the schema with its resolvers and loaders. */
export function openOperations(app: FastifyInstance, options: OperationsOptions): Operations {
  const { limits, subscriptions, context, limit } = options;
  const { schema } = app.graphql;
  const check = documents(schema, limits);
  const loadersOf = (operation: OperationTypeNode) =>
    (app as unknown as Record<symbol, Loaders | undefined>)[
      operation === OperationTypeNode.SUBSCRIPTION ? kSubscriptionFactory : kFactory
    ];

  return {
    prepare({ query, operationName, variables }, viewer, request) {
      const document = check(query);
      if (!isDocument(document)) return { errors: document };
      const operation = operationOf(document, operationName);
      if (operation instanceof GraphQLError) return { errors: [operation] };
      const contextValue = context(viewer, request);
      const { kind, cost, roots, scopes } = measureOf(operation);
      try {
        requireScopes(viewer, scopes);
        // The request itself has been counted; every further mutation is as much as another one.
        if (kind === OperationTypeNode.MUTATION && roots > 1) limit(viewer, request, roots - 1);
        contextValue.work.pay(cost);
      } catch (error) {
        return { errors: [asGraphQL(error)] };
      }
      const loaders = loadersOf(kind);
      // Where mercurius' loaders look for their batches.
      if (loaders) Object.assign(contextValue, { reply: { [kLoaders]: loaders.create(contextValue) } });
      return { operation: kind, args: { schema, document, operationName, variableValues: variables, contextValue } };
    },
    async execute(args) {
      const result = await execute(args);
      return { ...result, extensions: { ...result.extensions, cost: costOf(args) } };
    },
    async subscribe(args) {
      const { viewer, request, work } = args.contextValue as Context;
      const release = subscriptions.take(viewer?.id ?? addressKey(request.ip));
      if (!release) return refused();
      try {
        const result = await subscribe(args);
        if (Symbol.asyncIterator in result) return whenDone(paidFor(result, work, costOf(args)), release);
        release();
        return result;
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** What was measured when the document was checked, and paid. */
const costOf = ({ document, operationName }: ExecutionArgs): number =>
  measureOf(operationOf(document, operationName) as OperationDefinitionNode).cost;

function refused(): ExecutionResult {
  const originalError = refusals.tooManySubscriptions({
    retryAfter: 10,
  });
  return { errors: [asGraphQL(originalError)] };
}

const asGraphQL = (error: unknown): GraphQLError =>
  new GraphQLError((error as Error).message, { originalError: error as Error });
