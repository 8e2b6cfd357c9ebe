/** Sockets that speak graphql-transport-ws. */
import type { FastifyRequest } from 'fastify';
import { GraphQLError, OperationTypeNode } from 'graphql';
import { CloseCode, MessageType, parseMessage, type SubscribeMessage } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { AtollError, refusals } from '../../errors.ts';
import type { Viewer } from '../../players/player.ts';
import { presentable } from '../http/answers/failure.ts';
import { refuseCrossSiteSocket, sessionOf } from '../http/callers/browser.ts';
import type { NoteUse } from '../http/callers/identity.ts';
import { type HandOver, isOpenAlready } from '../http/hand-over.ts';
import { isTooDeep } from '../http/json.ts';
import { addressKey, type Cap } from '../http/limits/admission.ts';
import type { Authenticate, Connections, Credentials } from '../http/limits/connections.ts';
import { formatError, formatThrown, type Report } from './errors.ts';
import type { Operations, Prepared, Ready, Subscription } from './operations.ts';
import { type Outgoing, outgoing } from './outgoing.ts';
import { openReopening, type Reopening } from './reopening.ts';
import type { Context } from './resolvers/context.ts';

export interface SocketOptions {
  operations: Operations;
  connections: Connections;
  authenticate: Authenticate;
  /** The URL at which people reach this server. */
  publicUrl?: string | undefined;
  players: Cap;
  addresses: Cap;
  /** How many operations one socket may have under way. */
  maxOperations: number;
  /** Throws if the caller has asked too often. */
  limit: (viewer: Viewer | undefined, request: FastifyRequest) => void;
  keepAliveMs?: number;
  noteUse?: NoteUse | undefined;
  /** Set if there are other workers, to which sockets may be handed over. */
  handOver?: HandOver | undefined;
}

type Params = { token?: unknown; authorization?: unknown };

interface Operation {
  subscription: Subscription | undefined;
}

interface Client {
  readonly socket: WebSocket;
  readonly request: FastifyRequest;
  readonly out: Outgoing;
  readonly options: SocketOptions;
  readonly report: Report;
  stage: 'new' | 'connecting' | 'acknowledged';
  viewer: Viewer | undefined;
  /** Set if the socket may be handed over. */
  readonly reopening: Reopening | undefined;
  /** Resolves when a socket that was handed over by another worker is acknowledged here. */
  begun: Promise<void> | undefined;
  /** The operations under way, by id. */
  readonly operations: Map<string, Operation>;
  /** Removes it from the list of open connections. */
  forget: () => void;
  /** Frees its place among the sockets of its player or its address. */
  release: () => void;
}

const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;
const PROTOCOL = 'graphql-transport-ws';
/** A socket that sends nothing within this time is closed. */
const INIT_WAIT_MS = 3000;
/** A client that has sent more than this stays where it is. */
const MOST_AGAIN = 16_384;

export function socketHandler(options: SocketOptions): (socket: WebSocket, request: FastifyRequest) => void {
  return (socket, request) => {
    const release = options.addresses.take(addressKey(request.ip));
    const refuse = () => socket.close(CloseCode.TooManyInitialisationRequests, 'Too many sockets');
    if (!release) return refuse();
    if (release.granted !== true) void release.granted.then((isGranted) => isGranted || refuse());
    const out = outgoing(socket, request.raw.socket);
    const operations = new Map<string, Operation>();
    const report: Report = (error) => request.log.error(error);
    const reopening = options.handOver && openReopening(socket, request.raw);
    const common = { socket, request, out, options, report, reopening, operations, release };
    const client: Client = { ...common, stage: 'new', viewer: undefined, begun: undefined, forget: () => {} };
    const stopWaiting = awaitInit(client);
    const stopPinging = keepAlive(socket, options.keepAliveMs ?? 10_000);
    socket.once('close', () => {
      stopWaiting();
      stopPinging();
      leave(client);
    });
    if (socket.protocol !== PROTOCOL) {
      return socket.close(CloseCode.SubprotocolNotAcceptable, 'Subprotocol not acceptable');
    }
    socket.on('message', (data) => receive(client, String(data)));
  };
}

function awaitInit(client: Client): () => void {
  const timer = setTimeout(() => {
    if (client.stage !== 'new') return;
    client.socket.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
  }, INIT_WAIT_MS);
  return () => clearTimeout(timer);
}

/** A peer that has not answered a ping by the time of the next one is gone. */
function keepAlive(socket: WebSocket, everyMs: number): () => void {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, everyMs);
  return () => clearInterval(timer);
}

function leave({ operations, forget, release }: Client): void {
  const open = [...operations.values()];
  operations.clear();
  for (const { subscription } of open) void subscription?.items.return?.().catch(() => {});
  forget();
  release();
}

function receive(client: Client, text: string): void {
  const { socket, request, out } = client;
  handle(client, text)?.catch((error) => {
    if (socket.readyState !== socket.OPEN) return; // the client left while we were answering
    if (presentable(error).code === 'UNAVAILABLE') return out.close(TRY_AGAIN_LATER, 'Try again later');
    request.log.error(error);
    out.close(CloseCode.InternalServerError, 'Internal server error');
  });
}

/** Returns a promise if there is something to wait for. */
function handle(client: Client, text: string): Promise<unknown> | undefined {
  const { socket, request, out, operations } = client;
  if (out.isOverfull()) return void socket.terminate();
  const message = parsed(text);
  switch (message?.type) {
    case MessageType.ConnectionInit:
      if (client.reopening && client.stage === 'new') client.reopening.init = text;
      return isOpenAlready(request.raw.socket)
        ? beginAgain(client, message.payload ?? {})
        : begin(client, message.payload ?? {});
    case MessageType.Ping:
      return void out.send(
        JSON.stringify({ type: MessageType.Pong, ...(message.payload && { payload: message.payload }) }),
      );
    case MessageType.Pong:
      return undefined;
    case MessageType.Subscribe:
      if (client.stage === 'connecting' && client.begun) return client.begun.then(() => handle(client, text));
      if (client.stage !== 'acknowledged') return void out.close(CloseCode.Unauthorized, 'Unauthorized');
      if (operations.has(message.id)) {
        return void out.close(CloseCode.SubscriberAlreadyExists, 'Subscriber already exists');
      }
      return run(client, message);
    case MessageType.Complete: {
      const operation = operations.get(message.id);
      operations.delete(message.id);
      return operation?.subscription?.items.return?.();
    }
    default:
      return void out.close(CloseCode.BadRequest, 'Invalid message received');
  }
}

/** Undefined if the text is not a message of the protocol. */
function parsed(text: string) {
  if (isTooDeep(text)) return undefined;
  try {
    return parseMessage(text);
  } catch {
    return undefined;
  }
}

async function begin(client: Client, params: Params): Promise<void> {
  const { out } = client;
  if (client.stage !== 'new') {
    return out.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
  }
  client.stage = 'connecting';
  if (!(await connect(client, params))) return out.close(CloseCode.Forbidden, 'Forbidden');
  client.stage = 'acknowledged';
  if (!isOpenAlready(client.request.raw.socket)) out.send('{"type":"connection_ack"}');
}

/** The client of a socket that was handed over has been acknowledged already, and its next message is here. */
function beginAgain(client: Client, params: Params): Promise<void> {
  const beginning = begin(client, params);
  const done = () => {
    client.begun = undefined;
  };
  client.begun = beginning.then(done, done);
  return beginning;
}

/** Runs an operation and sends its results, unless the client has cancelled it meanwhile. */
async function run(client: Client, message: SubscribeMessage): Promise<void> {
  const { id, payload } = message;
  const { operations, out, options, report } = client;
  const operation: Operation = { subscription: undefined };
  operations.set(id, operation);
  try {
    const prepared = prepare(client, payload);
    if ('errors' in prepared) {
      const errors = prepared.errors.map((e) => formatError(e, report));
      return void out.send(failed(id, errors));
    }
    if (prepared.operation === OperationTypeNode.SUBSCRIPTION) {
      await follow(client, message, operation, prepared);
    } else {
      const { text } = await options.operations.answer(prepared, report);
      if (operations.get(id) === operation) out.send(next(id, text));
    }
    if (operations.get(id) === operation) out.send(`{"id":${JSON.stringify(id)},"type":"complete"}`);
  } catch (error) {
    if (operations.get(id) === operation) out.send(failed(id, [formatThrown(error, report)]));
  } finally {
    if (operations.get(id) === operation) operations.delete(id);
  }
}

/** Sends everything that a subscription yields. */
async function follow(client: Client, message: SubscribeMessage, operation: Operation, ready: Ready): Promise<void> {
  const { operations, out, options, report } = client;
  const { id } = message;
  const result = await options.operations.subscribe(ready, report);
  const isWanted = operations.get(id) === operation;
  if (!('items' in result)) {
    if (isWanted) out.send(next(id, result.text));
    return;
  }
  operation.subscription = result;
  if (!isWanted) return void (await result.items.return?.());
  if (handedOver(client, message, ready)) return;
  const before = beforePayload(id);
  await result.deliver((text) => out.sendWithin(before, text, '}'));
}

/**
 * Hands the socket over to the home of the match that its client plays and now follows, if nothing else is under way
 * on it. Everything of it ends here as if it had been closed.
 */
function handedOver(client: Client, message: SubscribeMessage, { args }: Ready): boolean {
  const { socket, request, out, operations, reopening, options } = client;
  const { playedMatch: match } = args.contextValue as Context;
  if (!reopening || match === undefined || operations.size !== 1 || !options.handOver?.isElsewhere(match)) return false;
  out.flush();
  if (socket.readyState !== socket.OPEN || !reopening.isAllHandled()) return false;
  const again = reopening.again(JSON.stringify(message));
  if (again.length > MOST_AGAIN || !options.handOver.handOver(request.raw.socket, match, again)) return false;
  socket.terminate();
  return true;
}

const beforePayload = (id: string): string => `{"id":${JSON.stringify(id)},"type":"next","payload":`;

const next = (id: string, text: string): string => `${beforePayload(id)}${text}}`;

const failed = (id: string, errors: readonly object[]): string =>
  `{"id":${JSON.stringify(id)},"type":"error","payload":${JSON.stringify(errors)}}`;

/** A token takes precedence over the session of a browser, which counts only for our own pages. */
function credentialsOf(
  { token, authorization }: Params,
  request: FastifyRequest,
  publicUrl: string | undefined,
): Credentials {
  if (typeof token === 'string') return { authorization: `Bearer ${token}` };
  if (typeof authorization === 'string') return { authorization };
  if (request.headers.authorization !== undefined) return { authorization: request.headers.authorization };
  const session = sessionOf(request);
  if (session === undefined) return {};
  refuseCrossSiteSocket(request, publicUrl);
  return { session };
}

/** Resolves to false if the connection is refused. */
async function connect(client: Client, params: Params): Promise<boolean> {
  const { socket, out, request, options } = client;
  const { authenticate, players, connections, publicUrl } = options;
  let credentials: Credentials;
  try {
    credentials = credentialsOf(params, request, publicUrl);
    client.viewer = await authenticate(credentials);
  } catch (error) {
    if (error instanceof AtollError && ['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code)) return false;
    throw error;
  }
  if (socket.readyState !== socket.OPEN) return false;
  if (client.viewer) {
    const release = await players.taken(client.viewer.id);
    if (!release) {
      out.close(CloseCode.TooManyInitialisationRequests, 'Too many sockets');
      return false;
    }
    if (socket.readyState !== socket.OPEN) {
      release();
      return false;
    }
    client.release();
    client.release = release;
  }
  client.forget = connections.add(credentials, (why) =>
    why === 'revoked' ? out.close(CloseCode.Forbidden, 'Forbidden') : out.close(GOING_AWAY, 'Going away'),
  );
  return true;
}

function prepare({ viewer, request, options, operations }: Client, payload: SubscribeMessage['payload']): Prepared {
  if (viewer) options.noteUse?.(viewer, request);
  try {
    options.limit(viewer, request);
    if (operations.size > options.maxOperations) {
      throw refusals.tooManyOperations(options.maxOperations, {
        retryAfter: 10,
      });
    }
  } catch (originalError) {
    return { errors: [new GraphQLError((originalError as Error).message, { originalError: originalError as Error })] };
  }
  return options.operations.prepare(payload, viewer, request);
}
