/**
 * Answers that are not read accumulate in our memory. A client that leaves too many unread, or takes too long, is cut
 * off.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { addressKey, cap } from './admission.ts';

/** Shorter answers are not counted, because even many of them take little memory. */
const SHORT = 4096;
/** How many requests may be under way on one connection. Browsers send one after another. */
const MAX_PIPELINED = 10;
/** How many times the limit of one connection applies to one address. */
const CONNECTIONS_OF_ADDRESS = 8;

type Limits = Pick<
  Config,
  'MAX_CONNECTIONS_PER_ADDRESS' | 'UNREAD_LIMIT_BYTES' | 'ANSWER_TIMEOUT_SECONDS' | 'TRUST_PROXY'
>;

export function boundUnread(app: FastifyInstance, config: Limits): void {
  // Behind a proxy all connections come from the proxy, which decides itself how many it opens.
  if (config.TRUST_PROXY === 'false') boundConnections(app, config.MAX_CONNECTIONS_PER_ADDRESS);
  boundPipelined(app);
  /** The bytes of answers that have not been read yet. */
  const bySocket = new WeakMap<Socket, { bytes: number }>();
  const byAddress = new Map<string, number>();

  function free(address: string, bytes: number): void {
    const left = (byAddress.get(address) ?? 0) - bytes;
    if (left > 0) byAddress.set(address, left);
    else byAddress.delete(address);
  }

  function connectionOf({ raw: { socket }, ip }: FastifyRequest): { bytes: number } {
    const known = bySocket.get(socket);
    if (known) return known;
    const connection = { bytes: 0 };
    bySocket.set(socket, connection);
    // Answers that wait behind another one are not notified of the end of their connection.
    socket.once('close', () => {
      free(addressKey(ip), connection.bytes);
      connection.bytes = 0;
    });
    return connection;
  }

  /** Returns a function that gives the bytes back; undefined if they are too many. */
  function hold(request: FastifyRequest, bytes: number): (() => void) | undefined {
    const connection = connectionOf(request);
    const address = addressKey(request.ip);
    const ofAddress = byAddress.get(address) ?? 0;
    // A single answer is always sent, however long it is.
    const tooMuch = connection.bytes > 0 && connection.bytes + bytes > config.UNREAD_LIMIT_BYTES;
    if (tooMuch || (ofAddress > 0 && ofAddress + bytes > CONNECTIONS_OF_ADDRESS * config.UNREAD_LIMIT_BYTES)) return;
    connection.bytes += bytes;
    byAddress.set(address, ofAddress + bytes);
    return () => {
      if (connection.bytes === 0) return; // the connection is closed
      connection.bytes -= bytes;
      free(address, bytes);
    };
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (bytes < SHORT) return done(null, payload);
    const { socket } = request.raw;
    const release = socket.destroyed ? undefined : hold(request, bytes);
    if (!release) {
      socket.destroy();
      return done(null, '');
    }
    const late = setTimeout(() => socket.destroy(), config.ANSWER_TIMEOUT_SECONDS * 1000).unref();
    reply.raw.once('close', () => {
      clearTimeout(late);
      release();
    });
    done(null, payload);
  });
}

function boundConnections({ server }: FastifyInstance, max: number): void {
  const addresses = cap(max);
  server.on('connection', (socket: Socket) => {
    const release = addresses.take(addressKey(socket.remoteAddress ?? ''));
    if (!release) return void socket.destroy();
    socket.once('close', release);
  });
}

/**
 * A single packet can hold a hundred requests, all of which are read before the first is answered. Requests beyond the
 * limit end the connection, and nothing is done for those that were read together with them. Therefore this comes
 * before the framework.
 */
function boundPipelined({ server }: FastifyInstance): void {
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const socket: Counted = request.socket;
    if (socket.destroyed) return;
    const now = (socket[underWay] ?? 0) + 1;
    if (now > MAX_PIPELINED) return void socket.destroy();
    socket[underWay] = now;
    response.on('close', countAnswered);
    for (const handle of handlers) handle.call(server, request, response);
  });
}

const underWay = Symbol('requests under way');

type Counted = Socket & { [underWay]?: number };

function countAnswered(this: ServerResponse): void {
  const socket: Counted = this.req.socket;
  socket[underWay] = (socket[underWay] ?? 1) - 1;
}
