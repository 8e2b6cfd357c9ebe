import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode, type Context as Connection, makeServer, type SubscribePayload } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { AtollError, refusals } from '../../errors.ts';
import type { Viewer } from '../../players/player.ts';
import { addressKey, type Cap } from '../http/admission.ts';
import { refuseCrossSiteSocket, sessionOf } from '../http/browser.ts';
import type { Authenticate, Connections, Credentials } from '../http/connections.ts';
import { presentable } from '../http/failure.ts';
import type { NoteUse } from '../http/identity.ts';
import { isTooDeep } from '../http/json.ts';
import { formatError, formatResult, type Report } from './errors.ts';
import type { Operations } from './operations.ts';

export interface SocketOptions {
  operations: Operations;
  connections: Connections;
  authenticate: Authenticate;
  /** Where people reach this server. */
  publicUrl?: string | undefined;
  players: Cap;
  addresses: Cap;
  /** Most operations that one socket may have under way. */
  maxOperations: number;
  /** Throws when the caller has asked too often. */
  limit: (viewer: Viewer | undefined, request: FastifyRequest) => void;
  keepAliveMs?: number;
  noteUse?: NoteUse | undefined;
}

interface Extra {
  socket: WebSocket;
  request: FastifyRequest;
  viewer?: Viewer | undefined;
  forget?: () => void;
  release: () => void;
}

type Params = { token?: unknown; authorization?: unknown };
type Client = Connection<Params, Extra>;

const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;
/** Answers that a client does not read pile up in our memory: above this it is cut off. */
const MAX_UNREAD_BYTES = 1_048_576;

/** The handler of sockets that speak graphql-transport-ws. */
export function socketHandler(options: SocketOptions): (socket: WebSocket, request: FastifyRequest) => void {
  const server = makeServer<Params, Extra>({
    connectionInitWaitTimeout: 3000,
    onConnect: (client) => connect(client, options),
    onSubscribe: (client, _id, payload) => prepare(client, payload, options),
    subscribe: (args) => options.operations.subscribe(args),
    execute: (args) => options.operations.execute(args),
    onNext: (client, _id, _payload, _args, result) => formatResult(result as never, reporter(client.extra.request)),
    onError: (client, _id, _payload, errors) => errors.map((e) => formatError(e, reporter(client.extra.request))),
    onClose: ({ extra }) => {
      extra.forget?.();
      extra.release();
    },
  });

  return (socket, request) => {
    const release = options.addresses.take(addressKey(request.ip));
    if (!release) return socket.close(CloseCode.TooManyInitialisationRequests, 'Too many sockets');
    const closed = server.opened(adapt(socket, request), { socket, request, release });
    const stopPinging = keepAlive(socket, options.keepAliveMs ?? 10_000);
    socket.once('close', (code, reason) => {
      stopPinging();
      void closed(code, String(reason));
    });
  };
}

const reporter =
  (request: FastifyRequest): Report =>
  (error) =>
    request.log.error(error);

function adapt(socket: WebSocket, request: FastifyRequest): Parameters<ReturnType<typeof makeServer>['opened']>[0] {
  return {
    protocol: socket.protocol,
    // Resolves when the text has left us, so that a subscription is read no faster than its reader reads.
    send: (text) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== socket.OPEN) return resolve();
        holdBack(request.raw.socket);
        socket.send(text, (error) => (error ? reject(error) : resolve()));
        if (socket.bufferedAmount > MAX_UNREAD_BYTES + text.length) socket.terminate();
      }),
    close: (code, reason) => socket.close(code, reason),
    onMessage: (handle) => {
      socket.on('message', (data) => {
        if (socket.bufferedAmount > MAX_UNREAD_BYTES) return socket.terminate();
        const text = String(data);
        if (isTooDeep(text)) return socket.close(CloseCode.BadRequest, 'Invalid message received');
        handle(text).catch((error) => {
          if (socket.readyState !== socket.OPEN) return; // it left while we were answering
          if (presentable(error).code === 'UNAVAILABLE') return socket.close(TRY_AGAIN_LATER, 'Try again later');
          request.log.error(error);
          socket.close(CloseCode.InternalServerError, 'Internal server error');
        });
      });
    },
  };
}

/** Messages of one turn of the event loop leave in one write: a socket with many subscriptions hears of many events at once. */
function holdBack(connection: Socket): void {
  if (connection.writableCorked > 0) return;
  connection.cork();
  setImmediate(() => connection.uncork());
}

/** A peer that does not answer a ping by the next one is gone. */
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

/** A token wins over the session of a browser, which counts only for our own pages. */
function credentialsOf({ connectionParams, extra: { request } }: Client, publicUrl: string | undefined): Credentials {
  const { token, authorization } = connectionParams ?? {};
  if (typeof token === 'string') return { authorization: `Bearer ${token}` };
  if (typeof authorization === 'string') return { authorization };
  if (request.headers.authorization !== undefined) return { authorization: request.headers.authorization };
  const session = sessionOf(request);
  if (session === undefined) return {};
  refuseCrossSiteSocket(request, publicUrl);
  return { session };
}

/** False: refused, which graphql-ws answers with 4403. */
async function connect(client: Client, options: SocketOptions): Promise<boolean> {
  const { authenticate, players, connections, publicUrl } = options;
  const { extra } = client;
  const { socket } = extra;
  let credentials: Credentials;
  try {
    credentials = credentialsOf(client, publicUrl);
    extra.viewer = await authenticate(credentials);
  } catch (error) {
    if (error instanceof AtollError && ['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code)) return false;
    throw error;
  }
  if (socket.readyState !== socket.OPEN) return false;
  if (extra.viewer) {
    const release = players.take(extra.viewer.id);
    if (!release) {
      socket.close(CloseCode.TooManyInitialisationRequests, 'Too many sockets');
      return false;
    }
    extra.release();
    extra.release = release;
  }
  extra.forget = connections.add(credentials, (why) =>
    why === 'revoked' ? socket.close(CloseCode.Forbidden, 'Forbidden') : socket.close(GOING_AWAY, 'Going away'),
  );
  return true;
}

function prepare(client: Client, payload: SubscribePayload, options: SocketOptions): ExecutionArgs | GraphQLError[] {
  const { viewer, request } = client.extra;
  if (viewer) options.noteUse?.(viewer, request);
  try {
    options.limit(viewer, request);
    if (Object.keys(client.subscriptions).length > options.maxOperations) {
      throw refusals.tooManyOperations(options.maxOperations, {
        retryAfter: 10,
      });
    }
  } catch (originalError) {
    return [new GraphQLError((originalError as Error).message, { originalError: originalError as Error })];
  }
  const prepared = options.operations.prepare(payload, viewer, request);
  return 'errors' in prepared ? [...prepared.errors] : prepared.args;
}
