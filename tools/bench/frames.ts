/**
 * The lightest WebSocket that still speaks the protocol: whole text frames, and pings answered. A driver shares its cores
 * with the server that it measures, and whatever its clients take is missing there.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { connectReading, Unread } from './reading.ts';

export interface FrameSocketOptions {
  port: number;
  path: string;
  protocol: string;
  onOpen(): void;
  onText(text: string): void;
  /** Called once, with an error if the server did not close the socket properly. */
  onClose(error: Error | undefined): void;
}

/** The first byte of a frame: it is the last of its message, and this is its kind. */
const [TEXT, CLOSE, PING, PONG] = [0x81, 0x88, 0x89, 0x8a];
const IS_MASKED = 0x80;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
const MOST_IN_TWO_BYTES = 65_535;
const MASK_BYTES = 4;

/** RFC 6455 makes the server prove with it that it has read the request. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export class FrameSocket {
  readonly #options: FrameSocketOptions;
  readonly #socket: Socket;
  readonly #key = randomBytes(16).toString('base64');
  #isOpen = false;
  /** What has come of a frame, or of the answer to the request, that is not complete yet. */
  readonly #unread = new Unread();
  #error: Error | undefined;

  constructor(options: FrameSocketOptions) {
    this.#options = options;
    this.#socket = connectReading(options.port, (bytes) => this.#read(bytes));
    this.#socket.once('connect', () => this.#socket.write(this.#request()));
    this.#socket.once('error', (error) => this.#fail(error));
    this.#socket.once('end', () => this.#socket.destroy());
    this.#socket.once('close', () => options.onClose(this.#error));
  }

  #request(): string {
    const { port, path, protocol } = this.#options;
    const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13`;
    const headers = `Sec-WebSocket-Key: ${this.#key}\r\nSec-WebSocket-Protocol: ${protocol}`;
    return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${upgrade}\r\n${headers}\r\n\r\n`;
  }

  #read(bytes: Buffer): void {
    const all = this.#unread.with(bytes);
    const start = this.#isOpen ? 0 : this.#readAnswer(all);
    this.#unread.keep(all, this.#isOpen ? this.#readFrames(all, start) : 0);
  }

  /** Returns where the frames begin, if the answer is complete. */
  #readAnswer(all: Buffer): number {
    const end = all.indexOf('\r\n\r\n');
    if (end < 0) return 0;
    const answer = all.toString('latin1', 0, end);
    const proof = createHash('sha1').update(`${this.#key}${GUID}`).digest('base64');
    if (!answer.startsWith('HTTP/1.1 101 ') || !answer.includes(`Sec-WebSocket-Accept: ${proof}`)) {
      this.#fail(new Error(`the server did not open a WebSocket: ${answer.split('\r\n', 1)}`));
      return 0;
    }
    this.#isOpen = true;
    this.#options.onOpen();
    return end + 4;
  }

  /** Returns the end of the last frame that is complete. */
  #readFrames(all: Buffer, from: number): number {
    let at = from;
    while (at + 2 <= all.length) {
      let length = all[at + 1] as number;
      let start = at + 2;
      if (length === TWO_BYTES) {
        if (at + 4 > all.length) return at;
        length = all.readUInt16BE(at + 2);
        start = at + 4;
      } else if (length === EIGHT_BYTES) {
        if (at + 10 > all.length) return at;
        length = Number(all.readBigUInt64BE(at + 2));
        start = at + 10;
      }
      if (start + length > all.length) return at;
      this.#take(all[at] as number, all, start, start + length);
      at = start + length;
    }
    return at;
  }

  #take(kind: number, all: Buffer, start: number, end: number): void {
    if (kind === TEXT) this.#options.onText(all.toString('utf8', start, end));
    else if (kind === PING) this.#socket.write(masked(PONG, all.toString('utf8', start, end)));
    else if (kind === CLOSE) {
      const why = end - start >= 2 ? `${all.readUInt16BE(start)} ${all.toString('utf8', start + 2, end)}` : 'no reason';
      this.#fail(new Error(`the server closed the socket: ${why}`));
    } else if (kind !== PONG) this.#fail(new Error(`a frame of the kind ${kind}, which this client does not read`));
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  send(text: string): void {
    this.#socket.write(masked(TEXT, text));
  }

  /** Ends the connection without a word. */
  terminate(): void {
    this.#socket.destroy();
  }
}

/** A frame as clients send it: combined with a random mask, so that servers have to remove it. */
function masked(kind: number, text: string): Buffer {
  const length = Buffer.byteLength(text);
  if (length > MOST_IN_TWO_BYTES) throw new Error(`a message of ${length} bytes, which is more than a client sends`);
  const mask = length < TWO_BYTES ? 2 : 4;
  const start = mask + MASK_BYTES;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = kind;
  frame[1] = IS_MASKED | (length < TWO_BYTES ? length : TWO_BYTES);
  if (length >= TWO_BYTES) frame.writeUInt16BE(length, 2);
  frame.writeUInt32BE(Math.floor(Math.random() * 2 ** 32), mask);
  frame.write(text, start);
  for (let i = 0; i < length; i++) frame[start + i] = (frame[start + i] as number) ^ (frame[mask + (i & 3)] as number);
  return frame;
}
