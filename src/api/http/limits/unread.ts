/** Answers that nobody reads pile up in our memory: whoever lets too many pile up, or takes too long, is cut off. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { addressKey, cap } from './admission.ts';

/** Shorter answers are not counted: as many of them as fit into one read of a connection take little. */
const SHORT = 4096;
/** Requests under way on one connection. Browsers send one after another. */
const MAX_PIPELINED = 10;
/** How many times what one connection may leave unread one address may. */
const CONNECTIONS_OF_ADDRESS = 8;

type Limits = Pick<
  Config,
  'MAX_CONNECTIONS_PER_ADDRESS' | 'UNREAD_LIMIT_BYTES' | 'ANSWER_TIMEOUT_SECONDS' | 'TRUST_PROXY'
>;

export function boundUnread(app: FastifyInstance, config: Limits): void {
  // Behind a proxy all connections are the proxy's, and how many it opens is its own affair.
  if (config.TRUST_PROXY === 'false') boundConnections(app, config.MAX_CONNECTIONS_PER_ADDRESS);
  boundPipelined(app);
  /** Bytes of answers that were not read yet. */
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
    // Answers that wait behind another one never hear of the end of their connection.
    socket.once('close', () => {
      free(addressKey(ip), connection.bytes);
      connection.bytes = 0;
    });
    return connection;
  }

  /** What gives the bytes back; undefined: they are too many. */
  function hold(request: FastifyRequest, bytes: number): (() => void) | undefined {
    const connection = connectionOf(request);
    const address = addressKey(request.ip);
    const ofAddress = byAddress.get(address) ?? 0;
    // One answer is always let out, however long it is.
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
 * A hundred requests can come in one packet, each of them read before the first is answered. Those beyond the bound end
 * the connection, and nothing more is done for what was read together with them: so this stands before the framework.
 */
function boundPipelined({ server }: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>();
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const now = (underWay.get(socket) ?? 0) + 1;
    if (now > MAX_PIPELINED) return void socket.destroy();
    underWay.set(socket, now);
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    for (const handle of handlers) handle.call(server, request, response);
  });
}
