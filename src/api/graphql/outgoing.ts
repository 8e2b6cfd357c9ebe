/** What a socket sends: everything that is said in one turn of the event loop goes out in one write. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

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
  /** Closes the socket after everything that was sent. */
  close(code: number, reason: string): void;
  /** Whether the client has left so much unread that it must be cut off. */
  isOverfull(): boolean;
}

/** The sockets that have something to send in this turn of the event loop. */
let speaking: (() => void)[] = [];

function speakSoon(flush: () => void): void {
  speaking.push(flush);
  if (speaking.length > 1) return;
  setImmediate(() => {
    const all = speaking;
    speaking = [];
    for (const one of all) one();
  });
}

/** `connection` is the TCP socket behind the WebSocket. Our frames are written between whole frames of its own. */
export function outgoing(socket: WebSocket, connection: Socket): Outgoing {
  let texts: string[] = [];
  let length = 0;
  let room: Promise<void> | undefined;

  function flush(): void {
    if (texts.length === 0) return;
    const frames = framed(texts);
    texts = [];
    length = 0;
    if (socket.readyState !== socket.OPEN) return;
    connection.write(frames);
    if (connection.writableLength > MAX_UNREAD_BYTES + frames.length) socket.terminate();
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
    send(text) {
      if (socket.readyState !== socket.OPEN) return undefined;
      if (texts.length === 0) speakSoon(flush);
      texts.push(text);
      length += text.length;
      return length > ENOUGH_BYTES || connection.writableNeedDrain ? untilRoom() : undefined;
    },
    close(code, reason) {
      flush();
      socket.close(code, reason);
    },
    isOverfull: () => connection.writableLength > MAX_UNREAD_BYTES,
  };
}

const TEXT_AND_LAST = 0x81;

/** Writes each text as a frame of RFC 6455, all in one buffer. */
function framed(texts: readonly string[]): Buffer {
  let total = 0;
  const lengths = texts.map((text) => {
    const length = Buffer.byteLength(text);
    total += length + headerLength(length);
    return length;
  });
  const out = Buffer.allocUnsafe(total);
  let at = 0;
  texts.forEach((text, i) => {
    const length = lengths[i] as number;
    at = writeHeader(out, at, length);
    // A text with as many bytes as characters is ASCII, which is copied faster as such.
    at += out.write(text, at, length === text.length ? 'latin1' : 'utf8');
  });
  return out;
}

const headerLength = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10);

function writeHeader(out: Buffer, at: number, length: number): number {
  out[at] = TEXT_AND_LAST;
  if (length < 126) {
    out[at + 1] = length;
  } else if (length < 65_536) {
    out[at + 1] = 126;
    out.writeUInt16BE(length, at + 2);
  } else {
    out[at + 1] = 127;
    out.writeBigUInt64BE(BigInt(length), at + 2);
  }
  return at + headerLength(length);
}
