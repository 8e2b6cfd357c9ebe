/**
 * Workers of one machine share a port, and a connection begins at any of them. Every match is at home at one worker,
 * and connections on which somebody plays it are handed over to that worker, so that a move concerns no other. The
 * client does not notice: what it has sent and nobody has read yet is still in the system, and is read by the other.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** What the system knows of a connection. Node has no public name for it, but hands it from process to process. */
export interface Handle {
  reading: boolean;
  readStop(): void;
  close(): void;
}

export interface Homes {
  /** Whether the match is at home at another worker. */
  isElsewhere(match: string): boolean;
  /** Sends a connection to the home of the match, which first reads the bytes that are given again. */
  send(match: string, handle: Handle, again: string | undefined): void;
  /** To be told of connections that other workers send. */
  receive(take: (handle: Handle, again: string | undefined) => void): void;
}

export interface HandOver {
  /** Whether connections on which this match is played belong elsewhere. */
  isElsewhere(match: string): boolean;
  /**
   * Hands a connection over on which nothing is under way in either direction. A WebSocket is opened again there by
   * these bytes, as if the client had sent only them, and the client is not answered again that it is open. Returns
   * false if the connection stays here.
   */
  handOver(socket: Socket, match: string, again?: Buffer): boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The match that was moved on by this request, if any. */
    movedOn: string | undefined;
  }
}

export interface HandOverOptions {
  /** Called when a connection on which this match is played has left. */
  onLeft(match: string): void;
  count(direction: 'sent' | 'received'): void;
}

/** A connection is not handed over again within this time, so that nobody can keep workers busy with it. */
const STAYS_MS = 200;

/** How often connections are looked for that must not delay the stop. */
const CLOSE_UNUSED_MS = 50;

/** The connections that came from another worker, when, and how much had been read from them. */
const received = new WeakMap<Socket, { at: number; bytesRead: number }>();

/** The connections whose client must not be told again that its WebSocket is open. */
const reopened = new WeakSet<Socket>();

/** Whether the connection came from another worker and nothing has come on it since. */
export const isUnused = (socket: Socket): boolean =>
  received.get(socket)?.bytesRead === socket.bytesRead && !reopened.has(socket);

export const isOpenAlready = (socket: Socket): boolean => reopened.has(socket);

export function openHandOver(app: FastifyInstance, homes: Homes, { onLeft, count }: HandOverOptions): HandOver {
  /** Connections that have been received and not closed. */
  const here = new Set<Socket>();
  homes.receive((handle, again) => {
    count('received');
    const socket = takeOver(app.server, handle, again);
    if (!socket) return;
    here.add(socket);
    socket.once('close', () => here.delete(socket));
  });
  // Node does not count a connection as idle before its first request, and would wait for it when the server stops.
  app.addHook('preClose', (done) => {
    const closing = setInterval(() => {
      for (const socket of here) if (isUnused(socket)) socket.destroy();
    }, CLOSE_UNUSED_MS);
    app.server.once('close', () => clearInterval(closing));
    done();
  });

  function handOver(socket: Socket, match: string, again?: Buffer): boolean {
    if (!isQuiet(socket)) return false;
    const handle = detached(socket);
    if (!handle) return false;
    count('sent');
    homes.send(match, handle, again?.toString('base64'));
    onLeft(match);
    return true;
  }

  app.addHook('onResponse', ({ movedOn, raw }, _reply, done) => {
    const isAllHandled = countHandled(raw);
    if (movedOn !== undefined && movesOn(raw.socket, movedOn) && isAllHandled && homes.isElsewhere(movedOn)) {
      handOver(raw.socket, movedOn);
    }
    done();
  });
  return { isElsewhere: homes.isElsewhere, handOver };
}

/** What has happened on a connection until now. */
interface Past {
  /** How many bytes the requests took that have been answered. */
  handled: number;
  /** The match that was last moved on by one of them. */
  match: string | undefined;
}

const past = Symbol('past');

type Known = Socket & { [past]?: Past };

const pastOf = (socket: Known): Past =>
  (socket[past] ??= { handled: received.get(socket)?.bytesRead ?? 0, match: undefined });

/**
 * Whether the last two moves on the connection were of this match, so that its client is probably one of the players
 * and not a proxy for many.
 */
function movesOn(socket: Socket, match: string): boolean {
  const known = pastOf(socket);
  const isSame = known.match === match;
  known.match = match;
  return isSame;
}

/** To be called after each request. Whether nothing of a further one has been read. */
function countHandled(request: IncomingMessage): boolean {
  const known = pastOf(request.socket);
  known.handled += lengthOf(request);
  return known.handled === request.socket.bytesRead;
}

/** How many bytes a request took if its client wrote it as nearly all do; NaN if its length was not known beforehand. */
function lengthOf({ method = '', url = '', httpVersion, rawHeaders, headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.NaN;
  let length = method.length + url.length + httpVersion.length + '  HTTP/\r\n\r\n'.length;
  for (const text of rawHeaders) length += text.length + 2; // a colon and a space, or the end of the line
  return length + Number(headers['content-length'] ?? 0);
}

/** Whether everything that was read has been handled, and everything that was written has left. */
function isQuiet(socket: Socket): boolean {
  const { at = Number.NEGATIVE_INFINITY } = received.get(socket) ?? {};
  if (performance.now() - at < STAYS_MS) return false;
  const isOpen = !socket.destroyed && !socket.writableEnded; // it may be about to be closed
  return isOpen && socket.readableLength === 0 && socket.writableLength === 0;
}

/** Takes the connection away from its socket, for which it looks closed. */
function detached(socket: Socket): Handle | undefined {
  const holder = socket as unknown as { _handle: Handle | null };
  const handle = holder._handle;
  if (!handle) return undefined;
  socket.on('data', () => {}); // Node's parser of HTTP reads from the handle itself until somebody listens
  handle.reading = false;
  handle.readStop();
  holder._handle = null;
  socket.destroy();
  return handle;
}

/** Begins with a connection as if it had just been accepted. */
function takeOver(server: Server, handle: Handle, again: string | undefined): Socket | undefined {
  const listening = (server as unknown as { _handle: Listening | null })._handle;
  if (!listening) {
    handle.close(); // this worker is stopping
    return undefined;
  }
  let taken: Socket | undefined;
  const arrived = (socket: Socket) => {
    taken = socket;
    received.set(socket, { at: performance.now(), bytesRead: socket.bytesRead });
    if (again === undefined) return;
    reopened.add(socket);
    socket.unshift(Buffer.from(again, 'base64'));
    dropNextWrite(socket);
  };
  server.prependListener('connection', arrived);
  listening.onconnection(0, handle);
  server.off('connection', arrived);
  return taken;
}

/** What Node calls when the system has accepted a connection. */
interface Listening {
  onconnection(failure: number, handle: Handle): void;
}

/** The answer that opens a WebSocket: the client has had it from the other worker. */
function dropNextWrite(socket: Socket): void {
  const { write } = socket;
  socket.write = (...given: unknown[]) => {
    socket.write = write; // deleting the property would make everything about the socket slower
    const written = given.at(-1);
    if (typeof written === 'function') process.nextTick(written);
    return true;
  };
}
