/** What a socket sends: everything that is said in one turn of the event loop goes out in one write. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { sendWhenTurnEnds } from '../../turn-end.ts';

/** What a client does not read accumulates in our memory. A client above this limit is cut off. */
export const MAX_UNREAD_BYTES = 1_048_576;
/** Above this limit, senders wait until what was sent has left. */
const ENOUGH_BYTES = 65_536;

export interface Outgoing {
  /**
   * Returns undefined if there is room for more. Otherwise the promise resolves when there is, or when the client is
   * gone.
   */
  send(text: string): Promise<void> | undefined;
  /** The same for a text between two others. The one in the middle is often sent to many, and then prepared only once. */
  sendWithin(before: string, text: string, after: string): Promise<void> | undefined;
  /** Sends at once what would leave at the end of this turn. */
  flush(): void;
  /** Closes the socket after everything that was sent. */
  close(code: number, reason: string): void;
  /** Whether the client has left so much unread that it must be cut off. */
  isOverfull(): boolean;
}

/** `connection` is the TCP socket behind the WebSocket. Our frames are written between whole frames of its own. */
export function outgoing(socket: WebSocket, connection: Socket): Outgoing {
  /** Frames that leave at the end of this turn: the bytes, one character for each. */
  let frames = '';
  let room: Promise<void> | undefined;

  function flush(): void {
    if (frames === '') return;
    const leaving = frames;
    frames = '';
    if (socket.readyState !== socket.OPEN) return;
    connection.write(leaving, 'latin1'); // a string of bytes is written without a buffer of its own
    if (connection.writableLength > MAX_UNREAD_BYTES + leaving.length) socket.terminate();
  }

  function add(bytes: string): Promise<void> | undefined {
    if (socket.readyState !== socket.OPEN) return undefined;
    if (frames === '') sendWhenTurnEnds(flush);
    frames += headerOf(bytes.length) + bytes;
    return frames.length > ENOUGH_BYTES || connection.writableNeedDrain ? untilRoom() : undefined;
  }

  function untilRoom(): Promise<void> {
    room ??= new Promise<void>((resolve) => {
      setImmediate(() => {
        const done = () => {
          room = undefined;
          connection.off('drain', done).off('close', done);
          resolve();
        };
        if (connection.writableNeedDrain && !connection.destroyed) connection.once('drain', done).once('close', done);
        else done();
      });
    });
    return room;
  }

  return {
    send: (text) => add(inUtf8(text)),
    sendWithin: (before, text, after) => add(inUtf8(before) + remembered(text) + inUtf8(after)),
    flush,
    close(code, reason) {
      flush();
      socket.close(code, reason);
    },
    isOverfull: () => connection.writableLength > MAX_UNREAD_BYTES,
  };
}

/** The bytes of a text in UTF-8, one character for each. */
const inUtf8 = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');

/** The last text and its bytes, because subscribers of the same match are sent the same text one after another. */
let lastText = '';
let lastBytes = '';

function remembered(text: string): string {
  if (text !== lastText) {
    lastBytes = inUtf8(text);
    lastText = text;
  }
  return lastBytes;
}

const TEXT_AND_LAST = 0x81;

/** The beginning of a frame of RFC 6455 that holds this many bytes of text, unmasked. */
function headerOf(length: number): string {
  if (length < 126) return String.fromCharCode(TEXT_AND_LAST, length);
  if (length < 65_536) return String.fromCharCode(TEXT_AND_LAST, 126, length >> 8, length & 0xff);
  const header = Buffer.alloc(10);
  header.set([TEXT_AND_LAST, 127]);
  header.writeBigUInt64BE(BigInt(length), 2);
  return header.toString('latin1');
}
