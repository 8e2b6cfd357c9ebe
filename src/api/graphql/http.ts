import type { FastifyReply, FastifyRequest } from 'fastify';
import { type GraphQLFormattedError, OperationTypeNode } from 'graphql';
import { type ErrorCode, STATUS } from '../../errors.ts';
import { answerWhenTurnEnds } from '../../turn-end.ts';
import { sendEventStream } from '../http/answers/event-stream.ts';
import { negotiate } from '../http/answers/negotiate.ts';
import { isTooDeep } from '../http/json.ts';
import type { Connections } from '../http/limits/connections.ts';
import { badInput, formatError, formatThrown, type Report } from './errors.ts';
import type { Answer, Operations, Params, Ready } from './operations.ts';

const MODERN = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';
/** The media types with which a GraphQL operation can be answered. */
export const TYPES = [MODERN, JSON_TYPE, EVENTS];

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Reads the parameters; returns a sentence if the body is not a GraphQL request. */
function readParams(body: unknown): Params | string {
  if (Array.isArray(body)) return 'Send one operation at a time. Batches are not accepted.';
  if (!isObject(body)) return 'The request must be a JSON object.';
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string') return 'query must be a string.';
  if (operationName != null && typeof operationName !== 'string') return 'operationName must be a string.';
  if (variables != null && !isObject(variables)) return 'variables must be an object.';
  if (extensions != null && !isObject(extensions)) return 'extensions must be an object.';
  return { query, operationName: operationName as string, variables };
}

function paramsOfUrl({ query }: FastifyRequest): unknown {
  const { variables = '', extensions = '', ...rest } = query as Record<string, string | string[]>;
  // A parameter that is given several times arrives as a list.
  if (typeof variables !== 'string' || isTooDeep(variables)) return { ...rest, variables: 'no object' };
  if (typeof extensions !== 'string' || isTooDeep(extensions)) return { ...rest, extensions: 'no object' };
  try {
    return {
      ...rest,
      ...(variables && { variables: JSON.parse(variables) }),
      ...(extensions && { extensions: JSON.parse(extensions) }),
    };
  } catch {
    return { ...rest, variables: 'not JSON' };
  }
}

function send(
  reply: FastifyReply,
  type: string,
  { text, errors }: Pick<Answer, 'text' | 'errors'>,
  status = 200,
): FastifyReply {
  const mediaType = type === EVENTS ? JSON_TYPE : type;
  const retryAfter = errors?.find(({ extensions }) => extensions?.retryAfter)?.extensions?.retryAfter;
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter);
  return reply.code(status).header('content-type', `${mediaType}; charset=utf-8`).send(text);
}

function refuse(reply: FastifyReply, type: string, errors: GraphQLFormattedError[], status: number): FastifyReply {
  return send(reply, type, { text: JSON.stringify({ errors }), errors }, status);
}

/** With the newer media type, the status says whether the client should send the same request again later. */
function refusedStatus(type: string, errors: readonly GraphQLFormattedError[] = []): number {
  if (type === JSON_TYPE) return 200;
  const code = errors[0]?.extensions?.code as ErrorCode | undefined;
  return code === 'RATE_LIMITED' || code === 'UNAVAILABLE' ? STATUS[code] : 400;
}

const notAllowed = (operation: OperationTypeNode, type: string, isGet: boolean): string | undefined => {
  if (isGet && operation === OperationTypeNode.MUTATION) return 'Mutations must be sent by POST.';
  if (type !== EVENTS && operation === OperationTypeNode.SUBSCRIPTION) {
    return 'A subscription needs a WebSocket, or a request that accepts text/event-stream.';
  }
  return undefined;
};

/**
 * Answers GET and POST as specified by GraphQL over HTTP, and event streams as specified by graphql-sse (distinct
 * connections mode).
 */
export function httpHandler(operations: Operations, connections: Connections) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> | undefined => {
    const type = negotiate(request.headers.accept, TYPES);
    if (!type) return refuse(reply, JSON_TYPE, [badInput(`Accept one of ${TYPES.join(', ')}.`)], 406);
    const isGet = request.method === 'GET';
    const params = readParams(isGet ? paramsOfUrl(request) : request.body);
    if (typeof params === 'string') return refuse(reply, type, [badInput(params)], 400);
    const report: Report = (error) => request.log.error(error);
    const prepared = operations.prepare(params, request.viewer, request);
    if ('errors' in prepared) {
      const errors = prepared.errors.map((e) => formatError(e, report));
      return refuse(reply, type, errors, refusedStatus(type, errors));
    }
    const obstacle = notAllowed(prepared.operation, type, isGet);
    if (obstacle) {
      if (prepared.operation === OperationTypeNode.MUTATION) reply.header('allow', 'POST').code(405);
      else reply.code(refusedStatus(type));
      return refuse(reply, type, [badInput(obstacle)], reply.statusCode);
    }
    if (type === EVENTS) return stream(reply, operations, connections, prepared, report);
    const failed = (error: unknown) => void reply.send(error);
    const answered = (answer: Answer) => {
      try {
        send(reply, type, answer, answer.hasData ? 200 : refusedStatus(type, answer.errors));
      } catch (error) {
        failed(error);
      }
    };
    const isChange = prepared.operation === OperationTypeNode.MUTATION;
    // Returning a promise for the reply would make the framework wait for it with three more.
    operations
      .answer(prepared, report)
      .then((answer) => (isChange ? answerWhenTurnEnds(() => answered(answer)) : answered(answer)), failed);
    return undefined;
  };
}

async function stream(
  reply: FastifyReply,
  operations: Operations,
  connections: Connections,
  ready: Ready,
  report: Report,
) {
  const isSubscription = ready.operation === OperationTypeNode.SUBSCRIPTION;
  const result = await (isSubscription ? operations.subscribe(ready, report) : operations.answer(ready, report));
  const event = (text: string) => `event: next\ndata: ${text}\n\n`;
  const complete = 'event: complete\ndata:\n\n';
  return sendEventStream<unknown>(reply, connections, {
    items: 'items' in result ? result.items : only(result.text),
    encode: (item) => event('items' in result ? result.textOf(item) : (item as string)),
    complete,
    failed: (error) => event(JSON.stringify({ errors: [formatThrown(error, report)] })) + complete,
  });
}

async function* only<T>(value: T): AsyncGenerator<T> {
  yield value;
}
