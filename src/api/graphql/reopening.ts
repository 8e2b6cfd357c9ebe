/** What a client has sent on a WebSocket, as far as another worker needs it to go on (see http/hand-over.ts). */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';

export interface Reopening {
  /** The text with which the client has introduced itself. */
  init: string;
  /** Whether everything that was read from the connection has been handled: nothing of a further message is here. */
  isAllHandled(): boolean;
  /** The bytes that a client would have sent by now if this message were its first. */
  again(message: string): Buffer;
}

export function openReopening(socket: WebSocket, request: IncomingMessage): Reopening {
  const connection = request.socket;
  // What was read together with the request is still to come.
  let handled = connection.bytesRead - connection.readableLength;
  const count = (data: { length: number }) => {
    handled += headerLength(data.length) + data.length;
  };
  socket.on('message', count);
  socket.on('ping', count);
  socket.on('pong', count);
  return {
    init: '',
    isAllHandled: () => connection.bytesRead === handled,
    again(message) {
      return Buffer.concat([headOf(request), frameOf(this.init), frameOf(message)]);
    },
  };
}

const MASK_LENGTH = 4;

/** The length of the header of a frame from a client (RFC 6455, section 5.2). */
const headerLength = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10) + MASK_LENGTH;

/** The head of the request that opened the WebSocket. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let i = 0; i < rawHeaders.length; i += 2) head += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  return Buffer.from(`${head}\r\n`, 'latin1');
}

const TEXT_AND_LAST = 0x81;
const MASKED = 0x80;

/** A message of a client as one frame. The mask is 0, which leaves the text as it is. */
function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  const header = Buffer.alloc(headerLength(length));
  header[0] = TEXT_AND_LAST;
  if (length < 126) header[1] = MASKED | length;
  else if (length < 65_536) {
    header[1] = MASKED | 126;
    header.writeUInt16BE(length, 2);
  } else {
    header[1] = MASKED | 127;
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([header, bytes]);
}
