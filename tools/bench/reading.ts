import { connect, type Socket } from 'node:net';

/** All connections read into the same memory, because what was read is dealt with before anything else is read. */
const memory = Buffer.allocUnsafeSlow(65_536);

/** A connection to this machine that makes no buffer and no event for what it reads. */
export function connectReading(port: number, read: (bytes: Buffer) => void): Socket {
  const callback = (length: number): boolean => {
    read(memory.subarray(0, length));
    return true;
  };
  return connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: memory, callback } });
}

const NOTHING = Buffer.alloc(0);

/** What has been read of something that was not complete before, with what comes after it. */
export class Unread {
  #bytes: Buffer = NOTHING;

  with(more: Buffer): Buffer {
    return this.#bytes.length > 0 ? Buffer.concat([this.#bytes, more]) : more;
  }

  /** Keeps what follows this index. */
  keep(all: Buffer, from: number): void {
    this.#bytes = from < all.length ? Buffer.from(all.subarray(from)) : NOTHING;
  }
}
