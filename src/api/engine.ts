import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError, OperationTypeNode, subscribe } from 'graphql';
import type {} from 'mercurius';
import { AtollError } from '../errors.ts';
import { addressKey, type Cap } from './admission.ts';
import { whenDone } from './connections.ts';
import type { Context, Viewer } from './context.ts';
import { type DocumentOptions, documents, isDocument, operationOf } from './documents.ts';

export interface Params {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

export type Prepared = { args: ExecutionArgs; operation: OperationTypeNode } | { errors: readonly GraphQLError[] };

/** Runs operations, the same way for HTTP, event streams and sockets. */
export interface Engine {
  prepare(params: Params, viewer: Viewer | undefined, request: FastifyRequest): Prepared;
  execute(args: ExecutionArgs): Promise<ExecutionResult> | ExecutionResult;
  /** Counted against the caller's share of open subscriptions until it ends. */
  subscribe(args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>;
}

export interface EngineOptions {
  limits: DocumentOptions;
  subscriptions: Cap;
  context: (viewer: Viewer | undefined, request: FastifyRequest) => Context;
}

interface Loaders {
  create(context: object): object;
}

const { kLoaders, kFactory, kSubscriptionFactory } = createRequire(import.meta.url)('mercurius/lib/symbols') as Record<
  'kLoaders' | 'kFactory' | 'kSubscriptionFactory',
  symbol
>;

/** The app has mercurius, which holds the schema with its resolvers and loaders. */
export function createEngine(app: FastifyInstance, { limits, subscriptions, context }: EngineOptions): Engine {
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
      const loaders = loadersOf(operation);
      // Where mercurius' loaders look for their batches.
      if (loaders) Object.assign(contextValue, { reply: { [kLoaders]: loaders.create(contextValue) } });
      return { operation, args: { schema, document, operationName, variableValues: variables, contextValue } };
    },
    execute: (args) => execute(args),
    async subscribe(args) {
      const { viewer, request } = args.contextValue as Context;
      const release = subscriptions.take(viewer?.id ?? addressKey(request.ip));
      if (!release) return refused();
      try {
        const result = await subscribe(args);
        if (Symbol.asyncIterator in result) return whenDone(result, release);
        release();
        return result;
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

function refused(): ExecutionResult {
  const originalError = new AtollError('RATE_LIMITED', 'Too many subscriptions are open: close one first.', {
    retryAfter: 10,
  });
  return { errors: [new GraphQLError(originalError.message, { originalError })] };
}
