/// <reference path="./mercurius-symbols.d.ts" />
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
  subscribe,
} from 'graphql';
import type {} from 'mercurius';
import symbols from 'mercurius/lib/symbols.js';
import { refusals } from '../../errors.ts';
import type { MatchEvents } from '../../matches/live/streams.ts';
import type { Receipt } from '../../matches/log/records.ts';
import type { Viewer } from '../../players/player.ts';
import { callerOf } from '../http/callers/identity.ts';
import { addressKey, type Cap } from '../http/limits/admission.ts';
import { whenDone } from '../http/limits/connections.ts';
import { paidFor } from '../http/limits/work.ts';
import type { PresentReceipt } from '../present.ts';
import { requireScopes } from '../scopes.ts';
import { delivered, deliveredAtOnce, type Send } from './deliveries.ts';
import { measureOf } from './documents/cost.ts';
import { type DocumentOptions, documents, isDocument, operationOf } from './documents/parsing.ts';
import { type Plain, type PlainSubmission, plainOf } from './documents/plain.ts';
import { formatResult, type Report } from './errors.ts';
import type { Context } from './resolvers/context.ts';

export interface Params {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/** An operation that has been checked and may run. */
export interface Ready {
  args: ExecutionArgs;
  operation: OperationTypeNode;
  /** The cost of one answer. */
  cost: number;
  /** Null if it needs the executor. */
  plain: Plain | null;
}

export type Prepared = Ready | { errors: readonly GraphQLError[] };

/** An answer, written as JSON. */
export interface Answer {
  text: string;
  /** False if the request itself was wrong and nothing was run. */
  hasData: boolean;
  errors?: GraphQLFormattedError[];
}

/** The answers of a subscription. Each is written as text when it is sent. */
export interface Subscription<T = unknown> {
  items: AsyncIterableIterator<T>;
  textOf(item: T): string;
  /** Sends all of them, as they come, and resolves when they have ended. */
  deliver(send: Send): Promise<void>;
}

/** Runs operations in the same way for HTTP, event streams and sockets. */
export interface Operations {
  prepare(params: Params, viewer: Viewer | undefined, request: FastifyRequest): Prepared;
  /** Runs a query or a mutation. The answer states its cost, so that a client knows how much more it may ask for. */
  answer(ready: Ready, report: Report): Promise<Answer>;
  /** Counts as one of the caller's open subscriptions until it ends. */
  subscribe(ready: Ready, report: Report): Promise<Subscription | Answer>;
}

export interface OperationsOptions {
  limits: DocumentOptions;
  subscriptions: Cap;
  context: (viewer: Viewer | undefined, request: FastifyRequest) => Context;
  /** Throws if the caller has asked too often. */
  limit: (viewer: Viewer | undefined, request: FastifyRequest, times: number) => void;
}

interface Loaders {
  create(context: object): object;
}

const { kLoaders, kFactory, kSubscriptionFactory } = symbols;

/** Mercurius must be registered on the app: it holds the schema with its resolvers and loaders. */
export function openOperations(app: FastifyInstance, options: OperationsOptions): Operations {
  const { limits, subscriptions, context, limit } = options;
  const { schema } = app.graphql;
  const check = documents(schema, limits);
  const submit = submitter(schema);
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
        // The request itself has already been counted; every further mutation counts as another request.
        if (kind === OperationTypeNode.MUTATION && roots > 1) limit(viewer, request, roots - 1);
        contextValue.work.pay(cost);
      } catch (error) {
        return { errors: [asGraphQL(error)] };
      }
      const plain = plainOf(document, operation);
      const loaders = plain ? undefined : loadersOf(kind); // plain fields need none
      // Mercurius's loaders look for their batches here.
      if (loaders) Object.assign(contextValue, { reply: { [kLoaders]: loaders.create(contextValue) } });
      const args = { schema, document, operationName, variableValues: variables, contextValue };
      return { operation: kind, args, cost, plain };
    },
    answer(ready, report) {
      const { plain, args } = ready;
      const input = plain?.kind === 'submission' ? plain.input(args.variableValues) : undefined;
      return input ? submit(input, ready, plain as PlainSubmission, report) : executed(ready, report);
    },
    async subscribe(ready, report) {
      const { viewer, request } = ready.args.contextValue as Context;
      const release = await subscriptions.taken(viewer?.id ?? addressKey(request.ip));
      if (!release) return answerOf(refused(), report);
      try {
        return await subscribed(ready, report, release);
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

async function executed({ args, cost }: Ready, report: Report): Promise<Answer> {
  const result = await execute(args);
  return answerOf({ ...result, extensions: { ...result.extensions, cost } }, report);
}

/** Calls the resolver of `submitAction` as the executor would. */
function submitter(schema: GraphQLSchema) {
  const resolve = schema.getMutationType()?.getFields().submitAction?.resolve as Resolve;
  return async (input: object, { args, cost }: Ready, plain: PlainSubmission, report: Report): Promise<Answer> => {
    try {
      const receipt = (await resolve(undefined, { input }, args.contextValue as Context)) as PresentReceipt;
      return { text: `{"data":${plain.text(receipt)},"extensions":{"cost":${cost}}}`, hasData: true };
    } catch (error) {
      return answerOf({ data: null, errors: [plain.located(error)], extensions: { cost } }, report);
    }
  };
}

/** Our resolvers do not use the other arguments that the executor would pass. */
type Resolve = (root: undefined, args: object, context: Context) => unknown;

async function subscribed(
  { args, cost, plain }: Ready,
  report: Report,
  release: () => void,
): Promise<Subscription | Answer> {
  const context = args.contextValue as Context;
  const result = await (plain?.kind === 'events' ? createSourceEventStream(args) : subscribe(args));
  if (!(Symbol.asyncIterator in result)) {
    release();
    return answerOf(result, report);
  }
  const paid = paidFor(result as AsyncIterableIterator<unknown>, context.work, cost);
  const items = whenDone(paid, release);
  if (plain?.kind !== 'events') {
    const textOf = (item: unknown) => answerOf(item as ExecutionResult, report).text;
    return { items, textOf, deliver: (send) => delivered(items, textOf, send) };
  }
  const caller = callerOf(context);
  const textOf = (item: unknown) => plain.text(item as Receipt, caller);
  const events = result as MatchEvents;
  return { items, textOf, deliver: (send) => deliveredAtOnce({ events, paid, items }, textOf, send) };
}

function answerOf(result: ExecutionResult, report: Report): Answer {
  const formatted = formatResult(result, report);
  const { data, errors } = formatted;
  return { text: JSON.stringify(formatted), hasData: data !== undefined, ...(errors && { errors }) };
}

function refused(): ExecutionResult {
  const originalError = refusals.tooManySubscriptions({
    retryAfter: 10,
  });
  return { errors: [asGraphQL(originalError)] };
}

const asGraphQL = (error: unknown): GraphQLError =>
  new GraphQLError((error as Error).message, { originalError: error as Error });
